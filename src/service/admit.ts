/**
 * Reading a session, and admission, as values: for bindings of frameworks, which answer in their own way.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import type { Engine } from "./engine.ts";
import { answerDenial, answerUnchecked, type Closed, closedTo, decideAccess, isGuarded, mayRenew } from "./guard.ts";
import type { LazyRequest, RequestLike } from "../http/request_like.ts";
import type { SetCookie } from "../http/cookie_text.ts";
import { isPrefetch } from "../http/origin.ts";
import type { Seen } from "../http/readings.ts";
import type { Session } from "../kernel/model.ts";
import { readSession } from "../session/read.ts";

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
      const session = await readSession(ctx, { renew: renew && mayRenew(ctx) });
      const denial = await decideAccess(ctx, session, closed);
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
