/**
 * `auth.sessions`: lists the sessions of a user, and ends them.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import { AdapterError, InvalidConfig } from "../kernel/errors.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { RequestContext } from "../request/context.ts";
import type { EventSubject } from "../request/events.ts";
import {
  type AskingSession,
  listingStorage,
  listSessions,
  revokeAllSessions,
  revokeOtherSessions,
  revokeSession,
  revokeSessionsAsked,
  type UserSession,
} from "../session/user_sessions.ts";
import { rowKeyOf } from "../session_stores/auth_session.ts";
import { assureRow } from "../session_stores/adopt.ts";
import { findSessionUser } from "../sign_in/current.ts";
import type { ActiveSession } from "../session_stores/session_store.ts";
import { assertOwnSite } from "./actions.ts";
import type { Engine } from "./engine.ts";

/** How a session is chosen that is ended. */
export interface RevokeOptions {
  /**
   * The request that asks for it: the session is ended only if it belongs to the user who is signed in there. Always pass
   * it if the id comes from a browser.
   */
  readonly request?: Request | undefined;
  /** Whose session it has to be. */
  readonly userId?: string | undefined;
}

/**
 * The sessions of users, stored and encrypted ones. It needs an adapter that knows them: those of this package do.
 *
 * A stored session that was ended is ended at once, an encrypted one within `session.revalidate` seconds.
 *
 * Each function throws an {@linkcode AuthError}: `MissingAdapter` or `MissingAdapterMethods` if the adapter does not know
 * the sessions, `AdapterError` if storage fails, and `InvalidConfig` if the configuration is a function and there is no
 * request. The functions that end sessions for a request throw `MissingCSRF` if another site made the browser send it.
 */
export interface AuthSessions {
  /**
   * Lists the sessions of a user that go on, the latest sign-in first.
   *
   * @param of Id of the user, or the request of somebody who is signed in: then it is told which session is theirs.
   */
  list(of: string | Request): Promise<UserSession[]>;
  /**
   * Ends a session.
   *
   * @param id The id that `list()` gave. If a browser sent it, pass the request too: otherwise anybody could end a session
   * whose id they have seen.
   * @param options Whose session it has to be.
   * @returns Whether there was such a session.
   */
  revoke(id: string, options?: RevokeOptions): Promise<boolean>;
  /**
   * Ends all sessions of the user who is signed in, except the one of the request.
   *
   * @param request The request. Call it for requests that a form posts.
   * @returns How many sessions there were that storage knows.
   */
  revokeOthers(request: Request): Promise<number>;
  /**
   * Ends all sessions of a user.
   *
   * @param of Id of the user, or the request of somebody who is signed in.
   * @returns How many sessions there were that storage knows.
   */
  revokeAll(of: string | Request): Promise<number>;
}

/** Makes the functions of `auth.sessions`. */
export function sessionFunctions(engine: Engine): AuthSessions {
  return {
    async list(of) {
      if (typeof of === "string") return await withoutRequest(engine, (config) => listSessions(config, of));
      return await forRequest(engine, of, null, async ({ config }, { userId, key }) => {
        return userId === null ? [] : await listSessions(config, userId, key);
      });
    },
    async revoke(id, { request, userId } = {}) {
      if (!request) {
        return await withoutRequest(engine, (config, subject) => revokeSession(config, id, { userId, subject }));
      }
      return await forRequest(engine, request, "end a session", async (ctx, signedIn) => {
        const isTheirs = userId === undefined || userId === signedIn.userId;
        return isTheirs && await revokeSession(ctx.config, id, { userId: signedIn.userId, subject: ctx });
      });
    },
    async revokeOthers(request) {
      return await whileSignedIn(engine, request, async (config, asking) => {
        await assureRow(config, asking.active);
        return await revokeOtherSessions(config, asking);
      });
    },
    async revokeAll(of) {
      if (typeof of === "string") {
        return await withoutRequest(engine, (config, subject) => revokeAllSessions(config, of, { subject }));
      }
      return await whileSignedIn(engine, of, revokeSessionsAsked);
    },
  };
}

/** Who is signed in with a request. */
interface SignedIn {
  readonly active: ActiveSession | null;
  readonly user: AdapterUser | null;
  readonly userId: string | null;
  /** The key of the row of the session. */
  readonly key: string | null;
}

/** How often it is looked who is signed in, if that changes while sessions are ended. */
const MOST_TRIES = 5;

/** Ends sessions as long as the request is signed in; if that changes meanwhile, it is looked again. */
async function whileSignedIn(
  engine: Engine,
  request: Request,
  run: (config: ResolvedConfig, asking: AskingSession & { readonly active: ActiveSession }) => Promise<number | null>,
): Promise<number> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const ended = await forRequest(engine, request, "end sessions", async (ctx, { active, user, key }) => {
      return active && user ? await run(ctx.config, { active, user, key, subject: ctx }) : 0;
    });
    if (ended !== null) return ended;
  }
  throw new AdapterError(`Cannot end sessions: storage changed during each of ${MOST_TRIES} tries`);
}

async function forRequest<T>(
  engine: Engine,
  request: Request,
  act: string | null,
  run: (ctx: RequestContext, signedIn: SignedIn) => Promise<T>,
): Promise<T> {
  const { value } = await engine.runForRequest(request, async (ctx) => {
    if (act !== null) assertOwnSite(ctx, act);
    const storage = listingStorage(ctx.config);
    const active = await ctx.sessions.find(ctx.cookies, { kept: ctx.config.session.strategy === "jwt" });
    // At once, regardless of `session.revalidate`: a stolen session that was ended must not end those of its owner.
    const user = active && await findSessionUser(ctx.config, storage, active);
    return await run(ctx, { active, user, userId: user?.id ?? null, key: active && rowKeyOf(active) });
  });
  return value;
}

async function withoutRequest<T>(
  engine: Engine,
  run: (config: ResolvedConfig, subject: EventSubject) => Promise<T>,
): Promise<T> {
  if (engine.needsRequest) {
    throw new InvalidConfig(
      "Cannot list or end sessions of a user id: the configuration is a function of the request. Pass a request",
    );
  }
  return await engine.runWithoutRequest(run);
}
