/**
 * Reading the session of a request to the application, and guarding its handlers.
 *
 * @module
 */
import type { ConnectionInfo, RequestContext } from "./context.ts";
import { BROKEN, type Engine, readUrl } from "./engine.ts";
import { BadRequest, ConfigError } from "./errors.ts";
import { serializeCookie, type SetCookie } from "./http/cookie_text.ts";
import { pageUrl } from "./links.ts";
import type { Session } from "./model.ts";
import { json, type Outcome, redirectTo, refused } from "./outcome.ts";
import { type Answer, respond, UNCONFIGURED } from "./respond.ts";
import { parseRoute } from "./route_path.ts";
import { readSession } from "./session/read.ts";

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
   * With `callbacks.authorized` it runs only for requests that the callback allows.
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
    if (denial instanceof Response) return { act: "deny", response: denial, cookies };
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
  const { authorized } = ctx.config.callbacks;
  const signInUrl = pageUrl(ctx, "signIn", { callbackUrl: ctx.url.href });
  if (!authorized || isOpen(ctx, signInUrl)) return null;
  const verdict = await authorized({ auth: session, request: ctx.request });
  if (verdict === true) return null;
  return verdict instanceof Response ? verdict : redirectTo(signInUrl);
}

// The service's own paths and the developer's sign-in page stay open, or nobody could ever get in.
function isOpen({ url, config }: RequestContext, signInUrl: string): boolean {
  const { origin, pathname } = new URL(signInUrl);
  return isOwnPath({ url, config }) || (origin === url.origin && pathname === url.pathname);
}

function isOwnPath({ url, config }: Pick<RequestContext, "url" | "config">): boolean {
  return parseRoute(url.pathname, config.basePath) !== null;
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
