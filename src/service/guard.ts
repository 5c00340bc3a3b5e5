/**
 * `auth()`: reads the session of a request to the application, and guards its handlers.
 *
 * @module
 */
import type { Callbacks } from "../contract/config.ts";
import type { AuthFunction, Handler, SessionHandler } from "../contract/handler.ts";
import { readUrl } from "./configure.ts";
import type { RequestContext } from "../request/context.ts";
import type { Engine } from "./engine.ts";
import { failures } from "./lazy.ts";
import { type Asked, type Incoming, readsDirectly } from "../http/asked.ts";
import type { SetCookie } from "../http/cookie_text.ts";
import { isPrefetch, isVisit } from "../http/origin.ts";
import { discard, hasRawDots, withNormalPath } from "../http/path.ts";
import { isProtected } from "../http/protect.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import { withCookies } from "../http/with_cookies.ts";
import { pageUrl } from "../request/links.ts";
import type { Session } from "../kernel/model.ts";
import { type Outcome, redirectTo, refused } from "../request/outcome.ts";
import { type Answer, NO_CONFIG, respond } from "./respond.ts";
import { parseRoute } from "../kernel/route_path.ts";
import { findRoute } from "./routes.ts";
import { readSession } from "../session/read.ts";
import { MAX_REDIRECT_URL_LENGTH } from "../sign_in/redirect.ts";

/** Makes the `auth` function of a service. */
export function authFunction(engine: Engine): AuthFunction {
  function auth(request: Request): Promise<Session | null>;
  function auth(handler: SessionHandler): Handler;
  function auth(given: Request | SessionHandler): Promise<Session | null> | Handler {
    return typeof given === "function" ? guard(engine, given) : getSession(engine, given);
  }
  return readsDirectly<AuthFunction>(auth, (asked) => getSession(engine, asked));
}

// Callers decide by the result who may pass, so a failure means that nobody is signed in.
async function getSession(engine: Engine, request: Request | Incoming): Promise<Session | null> {
  try {
    const { value } = await engine.settle(request, (ctx) => readSession(ctx, { renew: false }));
    return value;
  } catch {
    return null; // the error has been logged
  }
}

function guard(engine: Engine, handler: SessionHandler): Handler {
  return async function guarded(request, info) {
    const { session, cookies, denied } = await checkAccess(engine, request);
    return addRenewed(denied ?? await handler(request, session, info), cookies);
  };
}

type Access = { readonly session: Session | null; readonly denied: Response | null } & Pick<Answer, "cookies">;

async function checkAccess(engine: Engine, request: Request): Promise<Access> {
  try {
    const { value, cookies } = await engine.settle(request, async (ctx) => {
      const session = await readSession(ctx, { renew: mayRenew(ctx) });
      return { ctx, session, denial: await denialOf(ctx, session) };
    });
    const { ctx, session, denial } = value;
    return { session, cookies, denied: denial && await answerDenial(ctx, denial) };
  } catch (error) {
    // The error has been logged. A request that cannot be checked is denied.
    return { session: null, cookies: [], denied: await answerUnchecked(request, error) };
  }
}

/**
 * Whether reading a session may renew it. On its own paths the service does it itself. What is loaded in advance may be
 * kept by a router or a cache, and may never be shown.
 */
export function mayRenew(ctx: RequestContext): boolean {
  return !isOwnPath(ctx) && !isPrefetch(ctx.asked.headers);
}

/** Makes the response for a request that may not pass. */
export async function answerDenial({ url, config }: RequestContext, denial: Outcome | Response): Promise<Response> {
  if (isResponse(denial)) return denial;
  return await respond({ outcome: denial, config, cookies: [], https: url.protocol === "https:" });
}

/** Makes the response for a request that could not be checked. */
export async function answerUnchecked(request: Asked, error: unknown): Promise<Response> {
  const https = readUrl(request)?.protocol === "https:";
  const outcome = (await failures()).answerGuardError(error);
  return await respond({ outcome, config: NO_CONFIG, cookies: [], https });
}

/**
 * Decides whether a request may pass.
 *
 * @param paths The path of the request, in each form that a pattern may be written for.
 * @returns What to answer instead of the page, or `null`.
 */
export async function denialOf(
  ctx: RequestContext,
  session: Session | null,
  paths: readonly string[] = [ctx.url.pathname],
): Promise<Outcome | Response | null> {
  const { protect, callbacks: { authorized } } = ctx.config;
  if (!protect && !authorized) return null;
  if (hasRawDots(ctx.request.url)) return refused(400, "The path has segments to be resolved");
  if (isOpen(ctx)) return null;
  if (protect && session === null && paths.some((path) => isProtected(path, protect))) {
    return isVisit(ctx.request) ? redirectTo(signInUrl(ctx)) : refused(401, "Sign in first");
  }
  if (!authorized) return null;
  const allowed = await askAuthorized(authorized, session, ctx.request);
  if (allowed === true) return null;
  return isResponse(allowed) ? allowed : redirectTo(signInUrl(ctx));
}

// A framework may replace the global `Response`, and native responses are no instances of its class.
function isResponse(value: unknown): value is Response {
  return value instanceof Response || Object.prototype.toString.call(value) === "[object Response]";
}

async function askAuthorized(
  authorized: NonNullable<Callbacks["authorized"]>,
  session: Session | null,
  request: Request,
): Promise<unknown> {
  const asked = withNormalPath(request);
  try {
    return await authorized({ auth: session, request: asked });
  } finally {
    if (asked !== request) discard(asked);
  }
}

// A URL that is too long for the cookies of a sign-in is left out, so the visitor comes back to the home page.
function signInUrl(ctx: RequestContext): RedirectUrl {
  const { href } = ctx.url;
  return pageUrl(ctx, "signIn", { callbackUrl: href.length > MAX_REDIRECT_URL_LENGTH ? null : href });
}

/** Whether a path stays open, or nobody could sign in: those of the service, and a custom sign-in page. */
export function isOpen(ctx: RequestContext): boolean {
  const { origin, pathname } = new URL(pageUrl(ctx, "signIn"));
  return isOwnPath(ctx) || (origin === ctx.url.origin && pathname === ctx.url.pathname);
}

// Below `basePath`, other paths than those of the service belong to the application.
function isOwnPath({ url, config, asked }: RequestContext): boolean {
  const path = parseRoute(url.pathname, config.basePath);
  return path !== null && findRoute(asked.method, path, config).kind === "route";
}

function addRenewed(response: Response, cookies: readonly SetCookie[]): Response {
  // A handler that signed somebody in or out has set the session cookie itself.
  const own = response.headers.getSetCookie().map((cookie) => cookie.slice(0, cookie.indexOf("=")));
  // The response of a WebSocket cannot be copied, and the next request renews the session.
  const isWhole = response.status < 200 || cookies.some(({ name }) => own.includes(name));
  return isWhole ? response : withCookies(response, cookies);
}
