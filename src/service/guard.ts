/**
 * Reading the session of a request to the application, and guarding its handlers.
 *
 * @module
 */
import type { Callbacks } from "../contract/config.ts";
import type { ConnectionInfo, RequestContext } from "../request/context.ts";
import { type Engine, readUrl } from "./engine.ts";
import { BadRequest, ConfigError } from "../kernel/errors.ts";
import { serializeCookie, type SetCookie } from "../http/cookie_text.ts";
import { isVisit } from "../http/origin.ts";
import { discard, hasRawDots, withNormalPath } from "../http/path.ts";
import { isProtected } from "../http/protect.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import { pageUrl } from "../request/links.ts";
import { BROKEN } from "./misconfigured.ts";
import type { Session } from "../kernel/model.ts";
import { json, type Outcome, redirectTo, refused } from "../request/outcome.ts";
import { type Answer, respond, UNCONFIGURED } from "./respond.ts";
import { parseRoute } from "../kernel/route_path.ts";
import { findRoute } from "./routes.ts";
import { readSession } from "../session/read.ts";
import { MAX_REDIRECT_URL_LENGTH } from "../sign_in/redirect.ts";

/** Answers a request. The second argument is what `Deno.serve` passes. */
export type Handler = (request: Request, info?: ConnectionInfo) => Promise<Response>;

/** A handler of the application that is given the session. */
export type SessionHandler = (
  request: Request,
  session: Session | null,
  info?: ConnectionInfo,
) => Response | Promise<Response>;

/** Reads sessions and guards handlers. */
export interface AuthFunction {
  /** Reads the session of a request. Renews nothing, because there is no response to send a cookie with. */
  (request: Request): Promise<Session | null>;
  /**
   * Wraps a handler: it is given the session, and a renewed cookie is added to its answer.
   * With `protect` it runs on these paths only for people who are signed in, and with `callbacks.authorized` only for
   * requests that the callback allows; with both, both must allow.
   */
  (handler: SessionHandler): Handler;
}

/** Makes the `auth` function of a service. */
export function authFunction(engine: Engine): AuthFunction {
  function auth(request: Request): Promise<Session | null>;
  function auth(handler: SessionHandler): Handler;
  function auth(given: Request | SessionHandler): Promise<Session | null> | Handler {
    return typeof given === "function" ? guard(engine, given) : readOnly(engine, given);
  }
  return auth;
}

// A guard asks this: whatever fails, nobody is signed in.
async function readOnly(engine: Engine, request: Request): Promise<Session | null> {
  try {
    const { value } = await engine.settle(request, (ctx) => readSession(ctx, { renew: false }));
    return value;
  } catch {
    return null; // the log has been told
  }
}

function guard(engine: Engine, handler: SessionHandler): Handler {
  return async function guarded(request, info) {
    const admission = await admit(engine, request);
    if (admission.act === "deny") return withCookies(admission.response, admission.cookies);
    return withCookies(await handler(request, admission.session, info), admission.cookies);
  };
}

type Admission =
  | { readonly act: "enter"; readonly session: Session | null; readonly cookies: readonly SetCookie[] }
  | { readonly act: "deny"; readonly response: Response; readonly cookies: readonly SetCookie[] };

async function admit(engine: Engine, request: Request): Promise<Admission> {
  try {
    const { value, cookies } = await engine.settle(request, async (ctx) => {
      // On the service's own paths the service itself decides about the cookie.
      const session = await readSession(ctx, { renew: !isOwnPath(ctx) });
      return { ctx, session, denial: await denialOf(ctx, session) };
    });
    const { ctx, session, denial } = value;
    if (denial === null) return { act: "enter", session, cookies };
    if (isResponse(denial)) return { act: "deny", response: denial, cookies };
    return { act: "deny", response: await respondTo(ctx.url, ctx.config, denial), cookies };
  } catch (error) {
    // The log has been told. Without a verdict nobody passes.
    return { act: "deny", response: await respondTo(readUrl(request), UNCONFIGURED, outcomeOf(error)), cookies: [] };
  }
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof BadRequest) return refused(400, "Bad request");
  return error instanceof ConfigError ? json(BROKEN, 500) : refused(503, "Try again later");
}

function respondTo(url: URL | null, config: Answer["config"], outcome: Outcome): Promise<Response> {
  return respond({ outcome, config, cookies: [], https: url?.protocol === "https:", head: false, tellRedirect: false });
}

async function denialOf(ctx: RequestContext, session: Session | null): Promise<Outcome | Response | null> {
  const { protect, callbacks: { authorized } } = ctx.config;
  if (!protect && !authorized) return null;
  if (hasRawDots(ctx.request.url)) return refused(400, "The path has segments to be resolved");
  if (isOpen(ctx)) return null;
  if (protect && session === null && isProtected(ctx.url.pathname, protect)) {
    return isVisit(ctx.request) ? redirectTo(signInUrl(ctx)) : refused(401, "Sign in first");
  }
  if (!authorized) return null;
  const verdict = await ask(authorized, session, ctx.request);
  if (verdict === true) return null;
  return isResponse(verdict) ? verdict : redirectTo(signInUrl(ctx));
}

// Where a server puts a class of its own in the place of `Response`, its static methods may still make native ones.
function isResponse(value: unknown): value is Response {
  return value instanceof Response || Object.prototype.toString.call(value) === "[object Response]";
}

async function ask(
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

// Only where to come back to is left out where it would be too long to be kept.
function signInUrl(ctx: RequestContext): RedirectUrl {
  const { href } = ctx.url;
  return pageUrl(ctx, "signIn", { callbackUrl: href.length > MAX_REDIRECT_URL_LENGTH ? null : href });
}

// The service's own paths and the developer's sign-in page stay open, or nobody could ever get in.
function isOpen(ctx: RequestContext): boolean {
  const { origin, pathname } = new URL(pageUrl(ctx, "signIn"));
  return isOwnPath(ctx) || (origin === ctx.url.origin && pathname === ctx.url.pathname);
}

// What the service does not serve is somebody else's, below its path too.
function isOwnPath({ url, config, request }: RequestContext): boolean {
  const path = parseRoute(url.pathname, config.basePath);
  return path !== null && findRoute(request.method, path, config.providers).kind === "route";
}

function withCookies(response: Response, cookies: readonly SetCookie[]): Response {
  // A handler that signed somebody in or out has the last word about the session.
  const own = response.headers.getSetCookie().map((cookie) => cookie.slice(0, cookie.indexOf("=")));
  if (cookies.length === 0 || cookies.some(({ name }) => own.includes(name))) return response;
  // Headers of a response from `fetch` or `Response.redirect` cannot be changed in place.
  const headers = new Headers(response.headers);
  for (const cookie of cookies) headers.append("set-cookie", serializeCookie(cookie));
  // A cache that kept this answer would hand one visitor's session to the next, and caches of networks go by names of
  // their own, which win over the common one (RFC 9213).
  for (const name of [...headers.keys()].filter((name) => CACHED.test(name))) headers.delete(name);
  headers.set("cache-control", "private, no-store");
  if (!/(?:^|,)\s*(?:\*|cookie)\s*(?:,|$)/i.test(headers.get("vary") ?? "")) headers.append("vary", "Cookie");
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

const CACHED = /^(?:.*cache-control|surrogate-control|edge-control|x-accel-expires|expires)$/;
