/**
 * Whether a session has ended. This is the only place that decides it: for reads, renewals, updates, access tokens, the
 * addition of accounts, and the sessions of other libraries.
 *
 * A session with a row goes on as long as the row. A legacy session has none, and is judged by its user and by when it
 * began: storage records when all sessions of the user were ended, in the row of the user (`sessionsEndedAt`), and for
 * users without a row in a separate record.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Storage } from "../storage/guard.ts";
import { hasBegunBy, lastEndOf } from "../contract/ended.ts";
import type { AdapterSession, AdapterUser, JWT } from "../kernel/model.ts";
import { beganOf, sealedIdOf, sealedKey } from "./auth_session.ts";

/** Where sessions are looked up. */
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

/** Looks up a sealed session: by its row, or by its user if it is a legacy session. */
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
  const hasId = typeof sub === "string" && sub !== "";
  const user = hasId ? await storage.findUser(sub) : null;
  const endedAt = hasId ? await lastEndOf(storage, sub, user) : null;
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
