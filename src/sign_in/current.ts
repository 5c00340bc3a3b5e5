/**
 * The user who is signed in while a sign-in runs.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { AdapterError } from "../kernel/errors.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Storage } from "../storage/guard.ts";
import { demandedLevel } from "./assure.ts";
import { type ActFacts, type DangerousAct, judgeAct, type Judgement } from "./dangerous.ts";
import { storedKeyOf } from "../session_stores/auth_session.ts";
import { stateOf } from "../session_stores/ended.ts";
import { type ActiveSession, type FindOptions, ownerOf } from "../session_stores/session_store.ts";

/** Finds the session of the browser; `null` if there is none or it cannot be read. */
export async function openSession(
  { config, cookies, sessions }: RequestContext,
  options: Pick<FindOptions, "unjudged"> = {},
): Promise<ActiveSession | null> {
  try {
    // A sealed session is looked up in storage by `findSessionUser`.
    return await sessions.find(cookies, { ...options, kept: config.session.strategy === "jwt" });
  } catch (error) {
    if (error instanceof AdapterError) throw error;
    return null;
  }
}

/** Finds the user of a session; `null` if the session was ended meanwhile. */
export async function findSessionUser(
  { session, runtime }: Pick<ResolvedConfig, "session" | "runtime">,
  storage: Storage,
  active: ActiveSession,
): Promise<AdapterUser | null> {
  if (active.strategy === "database") return active.user;
  const { claims } = active;
  if (!session.revalidate) return claims.sub === undefined ? null : await storage.getUser(claims.sub);
  // Looked up now, not in a cache: what this session adds stays when the session ends.
  const { isLive, user } = await stateOf({ storage, session }, claims, runtime.now());
  return isLive ? user : null;
}

/** Judges whether a session may do an act, by the level that the features demand of its user. */
export async function mayDo(config: ResolvedConfig, facts: Omit<ActFacts, "level">): Promise<Judgement> {
  return judgeAct(config, { ...facts, level: await demandedLevel(config, facts.user.id) });
}

/** A signed-in user whose session may add an account or a passkey. */
export interface CurrentUser {
  readonly user: AdapterUser;
  /** The key of the row of the session, if it has one. */
  readonly sessionToken: string | null;
  /** Whether they have to sign in again before anything is added. */
  readonly isStale: boolean;
  /** Whether what they lack is a second proof, so that a sign-in by itself does not help: their browser may be trusted. */
  readonly isTooLow?: boolean | undefined;
}

/**
 * Finds the user who asked to add an account, if they are still signed in. `null` after a sign-out or a sign-in as
 * another user, and if the session is older than the verification of the address: it may be another person's.
 */
export async function findCurrentUser(
  ctx: RequestContext,
  storage: Storage,
  { act, addToUserId }: { readonly act: DangerousAct; readonly addToUserId: string | null },
): Promise<CurrentUser | null> {
  if (addToUserId === null) return null;
  const active = await openSession(ctx);
  if (!active || ownerOf(active) !== addToUserId) return null;
  const user = await findSessionUser(ctx.config, storage, active);
  if (!user) return null;
  const judgement = await mayDo(ctx.config, { act, moment: "done", active, user });
  if (judgement === "not-theirs") return null;
  return {
    user,
    sessionToken: storedKeyOf(ctx.config.session, active),
    isStale: judgement !== "allowed",
    isTooLow: judgement === "too-low",
  };
}
