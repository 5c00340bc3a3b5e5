/**
 * Reading the session.
 *
 * @module
 */
import type { BothSessionParams, SessionAuth, SessionCallbackParams, SessionWith } from "../contract/config.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { RequestContext } from "../request/context.ts";
import { AdapterError, CallbackRouteError, JWTSessionError, SessionTokenError } from "../kernel/errors.ts";
import { callBack } from "../kernel/callback.ts";
import { once } from "../kernel/load.ts";
import { isDate, kindOf } from "../kernel/objects.ts";
import type { AdapterUser, Session, User } from "../kernel/model.ts";
import { shownPicture } from "../kernel/pictures.ts";
import type { RefreshedSession, RefreshOptions } from "../session_stores/session_store.ts";
import { isWaiting } from "../session_stores/waiting.ts";

const json = once(() => import("../session_stores/not_json.ts"));
const telling = once(() => import("./tell_read.ts"));

/** How the session of a request is read. */
export interface ReadOptions extends RefreshOptions {
  /**
   * Given what the session says about its sign-in, if there is one. It decides about more than what is shown, so storage is
   * asked in any case.
   */
  readonly judge?: ((auth: SessionAuth) => void) | undefined;
}

/**
 * Reads the session of a request.
 *
 * If a callback fails, the result is `null` and the cookie stays.
 *
 * @param ctx The request.
 * @param options Whether the session may be renewed, what the client sent to change it, and what decides by its sign-in.
 * @throws {SessionTokenError} if storage fails, because then it is unknown whether there is a session.
 */
export async function readSession(ctx: RequestContext, options: ReadOptions): Promise<Session | null> {
  const { config, cookies, sessions } = ctx;
  try {
    const active = await sessions.find(cookies, { kept: options.patch === undefined && !options.judge });
    const refreshed = active && await sessions.refresh(cookies, active, options);
    if (!refreshed) {
      // Its user can still prove more.
      if (!isWaiting(cookies)) sessions.forget(cookies);
      return null;
    }
    options.judge?.(refreshed.auth());
    const session = await toPublicSession(ctx, refreshed, options);
    if (config.events.session) await (await telling()).tellRead(ctx, refreshed, session);
    return session;
  } catch (error) {
    if (error instanceof AdapterError) {
      throw new SessionTokenError("Cannot read the session", { cause: error, logCode: error.logCode });
    }
    const Failure = config.session.strategy === "jwt" ? JWTSessionError : SessionTokenError;
    const known = error instanceof CallbackRouteError && error.logCode ? error : null;
    const message = `Cannot read the session${known ? `: ${known.message}` : ""}`;
    config.logger.error(new Failure(message, { cause: known ?? error, logCode: known?.logCode }), ctx);
    return null;
  }
}

/** Whether reading a session runs no code of the developer, and none of a feature. */
export function callsNoUserCode({ callbacks, events, actsAt, jwt, session }: ResolvedConfig): boolean {
  return session.strategy === "jwt" && !actsAt.has("mint") && !actsAt.has("continues") &&
    !callbacks.jwt && !callbacks.session && !events.session && !jwt.encode && !jwt.decode && !session.migrateFrom;
}

async function toPublicSession(
  { config }: RequestContext,
  refreshed: RefreshedSession,
  options: RefreshOptions,
): Promise<Session> {
  // What a program adds to the type of a session, `callbacks.session` adds to the session.
  const session = { user: publicUser(refreshed), expires: refreshed.expires.toISOString() } as SessionWith;
  const { session: change } = config.callbacks;
  if (!change) return session;
  // Either `token` or `user` is there. The type of a configuration promises both, as that of Auth.js does.
  const params = paramsOf(session, refreshed, options) as BothSessionParams;
  const chosen: unknown = await callBack("session", () => change(params));
  // The browser receives JSON, so a list, a date or a cycle cannot be a session.
  if (!(await jsonOf(chosen))?.startsWith("{")) {
    throw new CallbackRouteError(
      `\`callbacks.session\` returned ${kindOf(chosen)}: it must return the session (\`return session\`)`,
      { logCode: "callback-result" },
    );
  }
  return withTextExpiry(chosen as Session);
}

async function jsonOf(chosen: unknown): Promise<string | undefined> {
  try {
    return JSON.stringify(chosen);
  } catch (cause) {
    throw (await json()).notJson("session", Object(chosen), cause);
  }
}

// Rows hold a date, which becomes text in JSON: then the session is the same for a server that reads it.
function withTextExpiry(session: Session): Session {
  const expires: unknown = session.expires;
  return isDate(expires) ? { ...session, expires: expires.toISOString() } : session;
}

function publicUser(refreshed: RefreshedSession): User {
  const { name, email } = refreshed.strategy === "jwt" ? refreshed.claims : refreshed.user;
  const image = refreshed.strategy === "jwt" ? refreshed.claims.picture : shownPicture(refreshed.user.image);
  const user: User = {};
  if (name !== undefined) user.name = name;
  if (email !== undefined) user.email = email;
  if (image !== undefined) user.image = image;
  return user;
}

function paramsOf(session: SessionWith, refreshed: RefreshedSession, { patch }: RefreshOptions): SessionCallbackParams {
  const auth = refreshed.auth();
  if (refreshed.strategy === "jwt") return { session, token: refreshed.claims, auth };
  const whole: unknown = { ...refreshed.shown(), expires: refreshed.expires };
  return {
    session: whole as SessionWith<AdapterUser>, // its `expires` is a date, as Auth.js gives it
    user: refreshed.user,
    auth,
    ...(patch && { newSession: patch.data, trigger: "update" }),
  };
}
