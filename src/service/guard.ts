/**
 * `auth()`, which reads the session of a request to the application and guards its handlers, and the same as values, for
 * bindings of frameworks, which answer in their own way.
 *
 * @module
 */
import type { AuthFunction, Handler, SessionHandler } from "../contract/handler.ts";
import type { SetCookie } from "../http/cookie_text.ts";
import { isPrefetch } from "../http/origin.ts";
import { type Seen, targetOf } from "../http/readings.ts";
import { type LazyRequest, type RequestLike, withDirect } from "../http/request_like.ts";
import { withCookies } from "../http/with_cookies.ts";
import type { Session } from "../kernel/model.ts";
import type { RequestContext } from "../request/context.ts";
import { readSession } from "../session/read.ts";
import {
  answerDenial,
  answerUnchecked,
  type Closed,
  closedTo,
  decideAccess,
  isGuarded,
  mayRenew,
  readVisitor,
} from "./access.ts";
import { noteGuard } from "./configured.ts";
import type { Engine } from "./engine.ts";

/** Makes the `auth` function of a service. */
export function authFunction(engine: Engine): AuthFunction {
  function auth(request: Request): Promise<Session | null>;
  function auth(handler: SessionHandler): Handler;
  function auth(given: Request | SessionHandler): Promise<Session | null> | Handler {
    return typeof given === "function" ? guard(engine, given) : getSession(engine, given);
  }
  return withDirect<AuthFunction>(auth, (incoming) => getSession(engine, incoming));
}

// Callers decide by the result who may pass, so a failure means that nobody is signed in.
async function getSession(engine: Engine, request: Request | LazyRequest): Promise<Session | null> {
  return (await read(engine, request, false)).session;
}

function guard(engine: Engine, handler: SessionHandler): Handler {
  noteGuard(engine.source);
  return async function guarded(request, info) {
    const { session, cookies, denied } = await checkAccess(engine, request);
    return addRenewed(denied ?? await handler(request, session, info), cookies);
  };
}

type Access = Pick<Admission, "session" | "cookies" | "denied">;

async function checkAccess(engine: Engine, request: Request): Promise<Access> {
  try {
    const { value, cookies } = await engine.runForRequest(request, async (ctx) => {
      const closed = closedTo(engine, ctx, { target: targetOf(request), routes: [] });
      const visitor = await readVisitor(ctx, closed, mayRenew(ctx));
      const denial = await decideAccess(ctx, visitor, closed);
      return { session: visitor.session, denied: denial && await answerDenial(ctx, denial) };
    });
    return { ...value, cookies };
  } catch (error) {
    // The error has been logged. A request that cannot be checked is denied.
    return { session: null, cookies: [], denied: await answerUnchecked(request, error) };
  }
}

function addRenewed(response: Response, cookies: readonly SetCookie[]): Response {
  // A handler that signed somebody in or out has set the session cookie itself.
  const own = response.headers.getSetCookie().map((cookie) => cookie.slice(0, cookie.indexOf("=")));
  // The response of a WebSocket cannot be copied, and the next request renews the session.
  const isWhole = response.status < 200 || cookies.some(({ name }) => own.includes(name));
  return isWhole ? response : withCookies(response, cookies);
}

/** What was read of a session. */
export interface SessionReading {
  /** The session; `null` if nobody is signed in, or if it cannot be determined (`failed`). */
  readonly session: Session | null;
  /** Cookies to set on any response. */
  readonly cookies: readonly SetCookie[];
  /** Whether it cannot be determined who is signed in: storage failed, or the configuration is wrong. */
  readonly failed: boolean;
}

/** Whether a request may pass. */
export interface Admission extends SessionReading {
  /** What to answer instead of the page. `null` if the request may pass. */
  readonly denied: Response | null;
  /** Whether it passes because of who is signed in: what it gets is not for everybody. */
  readonly isClosed: boolean;
}

/**
 * Reads the session of a request. Never throws: what fails has been logged.
 *
 * @param renew Whether a session that is due is renewed. The caller must be able to set cookies.
 */
export async function read(engine: Engine, visit: Request | LazyRequest, renew: boolean): Promise<SessionReading> {
  try {
    const { value: session, cookies } = await engine.runForRequest(visit, (ctx) => {
      return readSession(ctx, { renew: renew && mayRenew(ctx) });
    });
    return { session, cookies: renew ? sendable(visit, cookies) : [], failed: false };
  } catch {
    return { session: null, cookies: [], failed: true };
  }
}

/**
 * Reads the session of a request, renews it when it is due, and decides whether the request may pass. Never throws.
 *
 * While storage fails, paths pass that need no session. All others are denied.
 *
 * @param seen What the caller knows of the path.
 * @param renew Whether a session that is due is renewed. The caller must be able to set cookies.
 */
export async function authorizeRequest(
  engine: Engine,
  visit: Request | LazyRequest,
  seen: Seen,
  renew = true,
): Promise<Admission> {
  let passes = false;
  try {
    const { value, cookies } = await engine.runForRequest(visit, async (ctx) => {
      const closed = closedTo(engine, ctx, seen);
      passes = needsNoSession(ctx, closed);
      const visitor = await readVisitor(ctx, closed, renew && mayRenew(ctx));
      const { session } = visitor;
      const denial = await decideAccess(ctx, visitor, closed);
      const isClosed = session !== null && !passes;
      return { session, denied: denial && await answerDenial(ctx, denial), isClosed };
    });
    return { ...value, cookies: renew ? sendable(visit, cookies) : [], failed: false };
  } catch (error) {
    const denied = passes ? null : await answerUnchecked(visit, error);
    return { session: null, cookies: [], denied, isClosed: false, failed: true };
  }
}

// A router may keep what it loads in advance, and show it after the visitor has signed out.
function sendable(visit: RequestLike, cookies: readonly SetCookie[]): readonly SetCookie[] {
  return isPrefetch(visit.headers) ? [] : cookies;
}

function needsNoSession(ctx: RequestContext, closed: Closed): boolean {
  const { protect, callbacks: { authorized } } = ctx.config;
  if (!protect && !authorized) return true;
  return !closed.isAmbiguous && (closed.paths.length === 0 || (authorized === null && !isGuarded(ctx, closed)));
}
