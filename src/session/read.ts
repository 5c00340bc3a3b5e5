/**
 * Reading the session.
 *
 * @module
 */
import type { RequestContext } from "../context.ts";
import { JWTSessionError } from "../errors.ts";
import { emit } from "../events.ts";
import type { Session, User } from "../model.ts";
import { json, type Outcome } from "../outcome.ts";
import type { TouchedSession, TouchOptions } from "../stores/session_store.ts";

/** Answers with the session, or `null`. */
export async function showSession(ctx: RequestContext, options: TouchOptions): Promise<Outcome> {
  return json(await readSession(ctx, options));
}

/**
 * Reads the session of a request.
 *
 * Whatever a callback does, the answer is a session or `null`, and a cookie that is still good is kept.
 *
 * @param ctx The request.
 * @param options Whether the cookie may be renewed, and what the client wants changed.
 */
export async function readSession(ctx: RequestContext, options: TouchOptions): Promise<Session | null> {
  const { config, cookies, sessions } = ctx;
  try {
    const active = await sessions.find(cookies);
    const touched = active && await sessions.touch(cookies, active, options);
    if (!touched) {
      await sessions.end(cookies, null);
      return null;
    }
    const session = await expose(ctx, touched);
    // What a handler does to its message must not reach the answer.
    if (config.events.session) {
      await emit(config, "session", { session: JSON.parse(JSON.stringify(session)), token: touched.claims });
    }
    return session;
  } catch (error) {
    config.logger.error(new JWTSessionError("Cannot read the session", { cause: error }));
    return null;
  }
}

async function expose({ config }: RequestContext, { claims, expires }: TouchedSession): Promise<Session> {
  const { name, email, picture: image } = claims;
  const user: User = {
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(image !== undefined && { image }),
  };
  const session: Session = { user, expires: expires.toISOString() };
  if (!config.callbacks.session) return session;
  const chosen: unknown = await config.callbacks.session({ session, token: claims });
  // What JSON cannot write as an object cannot be told to a browser either: a list, a date, a cycle.
  if (!JSON.stringify(chosen)?.startsWith("{")) throw new TypeError("callbacks.session returned no session");
  return chosen as Session;
}
