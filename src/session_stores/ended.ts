/**
 * Whether a session has ended. Whoever needs to know asks here: reads, renewals, updates, access tokens, the addition of
 * accounts, and sessions that come from elsewhere.
 *
 * A session with a row goes on as long as the row. One from before has none, and is judged by its user and by when it
 * began: storage records when all sessions of the user were ended, in the row of the user (`sessionsEndedAt`), and for
 * users without a row in a record of its own.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Storage } from "../storage/guard.ts";
import { hasBegunBy, lastEndOf } from "../contract/ended.ts";
import type { AdapterSession, AdapterUser, JWT } from "../kernel/model.ts";
import { beganOf, SEALED_PREFIX, sealedIdOf, sealedKey } from "./auth_session.ts";

/** Where it is looked up. */
export interface Judge {
  readonly storage: Storage;
  readonly session: Pick<ResolvedConfig["session"], "storesEverybody">;
}

/** What storage says of a sealed session. */
export interface SealedState {
  readonly isLive: boolean;
  /** Its user, if storage has them. */
  readonly user: AdapterUser | null;
}

/** Looks up a sealed session: by its row, or by its user if it is from before and has none. */
export async function stateOf(judge: Judge, claims: JWT, now: number): Promise<SealedState> {
  const key = sealedKey(claims);
  const found = key === null ? null : await judge.storage.getSessionAndUser(key);
  const isOwn = sealedIdOf(claims) !== null || (found !== null && found.session.userId === claims.sub);
  if (isOwn) return { isLive: isLiveRow(found?.session, now), user: found?.user ?? null };
  return await stateByUser(judge, claims);
}

/** Looks up a session without a row. */
export async function stateByUser({ storage, session }: Judge, claims: JWT): Promise<SealedState> {
  const { sub, security_stamp } = claims;
  const user = await findUser(storage, claims);
  const endedAt = typeof sub === "string" && sub !== "" ? await lastEndOf(storage, sub, user) : null;
  const isBefore = hasBegunBy(beganOf(claims), endedAt);
  if (!user) return { isLive: !isBefore && !(user === null && session.storesEverybody), user: null };
  const { id, securityStamp } = user;
  // A user who was verified from the start has their own id as the stamp.
  const isOfUser = (security_stamp ?? id) === (securityStamp ?? id);
  return { isLive: !isBefore && isOfUser, user };
}

/** Whether a session goes on. */
export function isLiveRow(row: AdapterSession | null | undefined, now: number): boolean {
  return row !== null && row !== undefined && row.ended !== true && row.expires.getTime() > now;
}

/** Finds the user of a sealed session; `null` if users are not stored, or this one is not. */
export async function knownUser(storage: Storage, claims: Pick<JWT, "sub">): Promise<AdapterUser | null> {
  return await findUser(storage, claims) ?? null;
}

// `undefined` if storage can have no user of this id.
async function findUser(storage: Storage, { sub }: Pick<JWT, "sub">): Promise<AdapterUser | null | undefined> {
  if (typeof sub !== "string" || sub === "") return null;
  try {
    return await storage.getUser(sub);
  } catch {
    // A database whose ids are UUIDs fails at any other. If it answers another question right after, the id is to blame.
    await storage.getSessionAndUser(SEALED_PREFIX);
    return undefined;
  }
}
