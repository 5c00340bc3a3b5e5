/**
 * Reading the session.
 *
 * @module
 */
import type { SessionCallbackParams } from "../contract/config.ts";
import type { RequestContext } from "../request/context.ts";
import { AdapterError, JWTSessionError, SessionTokenError } from "../kernel/errors.ts";
import { emit } from "../request/events.ts";
import type { Session, User } from "../kernel/model.ts";
import { json, type Outcome } from "../request/outcome.ts";
import type { ActiveSession, RefreshedSession, RefreshOptions } from "../stores/session_store.ts";

/** Answers with the session, or `null`. */
export async function showSession(ctx: RequestContext, options: RefreshOptions): Promise<Outcome> {
  return json(await readSession(ctx, options));
}

/**
 * Reads the session of a request.
 *
 * Whatever a callback does, the answer is a session or `null`, and a cookie that is still good is kept.
 *
 * @param ctx The request.
 * @param options Whether the session may be renewed, and what the client wants changed.
 * @throws {SessionTokenError} if storage fails: whether there is a session is not known.
 */
export async function readSession(ctx: RequestContext, options: RefreshOptions): Promise<Session | null> {
  const { config, cookies, sessions } = ctx;
  try {
    const active = await sessions.find(cookies);
    const touched = active && await sessions.refresh(cookies, active, options);
    if (!touched) {
      sessions.forget(cookies);
      return null;
    }
    const session = await expose(ctx, touched, options);
    if (config.events.session) await tell(ctx, touched, session);
    return session;
  } catch (error) {
    if (error instanceof AdapterError) throw new SessionTokenError("Cannot read the session", { cause: error });
    const Failure = config.session.strategy === "jwt" ? JWTSessionError : SessionTokenError;
    config.logger.error(new Failure("Cannot read the session", { cause: error }));
    return null;
  }
}

async function tell({ config }: RequestContext, touched: ActiveSession, session: Session): Promise<void> {
  // What a handler does to its message must not reach the answer.
  const copy = JSON.parse(JSON.stringify(session)) as Session;
  await emit(
    config,
    "session",
    touched.strategy === "jwt" ? { session: copy, token: touched.claims } : { session: copy },
  );
}

async function expose(
  { config }: RequestContext,
  touched: RefreshedSession,
  options: RefreshOptions,
): Promise<Session> {
  const session: Session = { user: whoIs(touched), expires: touched.expires.toISOString() };
  if (!config.callbacks.session) return session;
  const chosen: unknown = await config.callbacks.session(paramsOf(session, touched, options));
  // What JSON cannot write as an object cannot be told to a browser either: a list, a date, a cycle.
  if (!JSON.stringify(chosen)?.startsWith("{")) throw new TypeError("callbacks.session returned no session");
  return chosen as Session;
}

function whoIs(touched: RefreshedSession): User {
  const known = touched.strategy === "jwt" ? { ...touched.claims, image: touched.claims.picture } : touched.user;
  const { name, email, image } = known;
  return {
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(image !== undefined && { image }),
  };
}

function paramsOf(session: Session, touched: RefreshedSession, { patch }: RefreshOptions): SessionCallbackParams {
  if (touched.strategy === "jwt") return { session, token: touched.claims };
  // The token of the row is as good as the cookie: what a callback hands on whole must not hold it.
  const { sessionToken: _, ...row } = touched.session;
  return {
    session: { ...row, ...session },
    user: touched.user,
    ...(patch && { newSession: patch.data, trigger: "update" }),
  };
}
