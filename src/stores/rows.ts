/**
 * What the rows of sessions say, and how one is ended.
 *
 * @module
 */
import type { Storage } from "../config/storage.ts";
import type { SessionAndUser } from "../contract/adapter.ts";
import type { AdapterSession, AdapterUser, JWT } from "../kernel/model.ts";
import { withoutLongPicture } from "../kernel/pictures.ts";
import { isAdopted, SEALED_PREFIX, sealedIdOf, sealedKey } from "./auth_session.ts";

/** The share of `timeouts.total` that may be spent on writes without which the session can be read. */
export const WRITE_SHARE = 1 / 4;

/** Whether a session goes on. */
export function isLiveRow(row: AdapterSession | null | undefined, now: number): boolean {
  return row !== null && row !== undefined && row.ended !== true && row.expires.getTime() > now;
}

/**
 * Ends a session. A row of a session from before is marked instead of removed: a copy of the cookie from before must not
 * get another row.
 */
export async function removeRow({ deleteSession, updateSession, lookUps }: Storage, key: string): Promise<void> {
  if (isAdopted(key)) await updateSession({ sessionToken: key, ended: true });
  else await deleteSession(key);
  if (key.startsWith(SEALED_PREFIX)) lookUps.end(key);
}

/** Finds the user of a sealed session; `null` if users are not stored, or this one is not. */
export async function knownUser(storage: Storage, { sub }: Pick<JWT, "sub">): Promise<AdapterUser | null> {
  if (typeof sub !== "string" || sub === "") return null;
  try {
    return await storage.getUser(sub);
  } catch {
    // A database whose ids are UUIDs fails at any other. If it answers another question right after, the id is to blame,
    // and nobody has it.
    await storage.getSessionAndUser(SEALED_PREFIX);
    return null;
  }
}

/** What storage says of a sealed session. */
export interface SealedState {
  readonly isLive: boolean;
  /** Its user, if storage has them. */
  readonly user: AdapterUser | null;
}

/** Looks up a sealed session: by its row, or by its user if it is from before and has none. */
export async function stateOf(storage: Storage, claims: JWT, now: number): Promise<SealedState> {
  const key = sealedKey(claims);
  const found = key === null ? null : await storage.getSessionAndUser(key);
  const isOwn = sealedIdOf(claims) !== null || (found !== null && found.session.userId === claims.sub);
  if (isOwn) return { isLive: isLiveRow(found?.session, now), user: found?.user ?? null };
  const user = await knownUser(storage, claims);
  return { isLive: user === null || !isSealedBefore(claims, user), user };
}

/** Whether a session from before, which has no row, was sealed before all sessions of its user were ended. */
export function isSealedBefore(
  { auth_time, iat, security_stamp }: JWT,
  { id, securityStamp, sessionsEndedAt }: AdapterUser,
): boolean {
  // A user who was verified from the start has their own id as the stamp.
  if ((security_stamp ?? id) !== (securityStamp ?? id)) return true;
  if (sessionsEndedAt === undefined || sessionsEndedAt === null) return false;
  const time = auth_time ?? iat;
  // Some storage returns dates as text.
  return !(typeof time === "number" && time * 1000 > new Date(sessionsEndedAt).getTime());
}

/** Members of a session that a callback does not see: the token is as good as the cookie, and Auth.js stores no others. */
const OWN_OF_SESSION = ["sessionToken", "auth_time", "provider", "providerSid", "logoutHint", "ended"];

/** Members of a user that Auth.js does not store. */
const OWN_OF_USER = ["vouchedEmail", "securityStamp", "sessionsEndedAt"];

/**
 * Gives a session and its user as a callback sees them. What Auth.js does not store stays out, so that a callback that was
 * written for it returns the same. So does a long picture: it would be sent with every answer.
 */
export function shownTo({ session, user }: SessionAndUser): object {
  return { ...without(session, OWN_OF_SESSION), user: without(withoutLongPicture(user) ?? user, OWN_OF_USER) };
}

function without(row: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}
