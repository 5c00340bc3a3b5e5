/**
 * Gives a row to a session from before: one that Auth.js sealed, or a version that stored no rows.
 *
 * @module
 */
import type { Storage } from "../config/storage.ts";
import type { AdapterSession, JWT } from "../kernel/model.ts";
import { adoptedId, sealedKey } from "./auth_session.ts";
import { isLiveRow, isSealedBefore, knownUser, removeRow } from "./rows.ts";

/** When a session is adopted. */
export interface Adoption {
  /** In milliseconds since 1970. */
  readonly now: number;
  /** Milliseconds that its row lives. */
  readonly lifetime: number;
}

/**
 * Gives a row to a session, unless it has one. Its id follows from its token, so that two requests at the same time, or a
 * copy of the cookie, make one row.
 *
 * @returns The id; `null` if the session was ended; `undefined` if it cannot have a row, because its user is not stored.
 * @throws {AdapterError} if storage fails.
 */
export async function adoptSession(
  storage: Storage,
  claims: JWT,
  { now, lifetime }: Adoption,
): Promise<string | null | undefined> {
  const [id, key, userId] = [adoptedId(claims), sealedKey(claims), claims.sub];
  if (id === null || key === null || userId === undefined) return undefined;
  const expires = new Date(Math.max(now + lifetime, (claims.exp ?? 0) * 1000));
  const known = await storage.getSessionAndUser(key);
  if (known) {
    if (known.session.userId !== userId) return undefined;
    if (!isLiveRow(known.session, now)) return null;
    return isLiveRow(await storage.updateSession({ sessionToken: key, expires }), now) ? id : null;
  }
  const user = await knownUser(storage, claims);
  if (!user) return undefined;
  if (isSealedBefore(claims, user)) return null;
  const { auth_time } = claims;
  await create(storage, { sessionToken: key, userId, expires, ...(typeof auth_time === "number" && { auth_time }) });
  const made = await storage.getSessionAndUser(key);
  if (!isLiveRow(made?.session, now)) return null;
  // All sessions of the user may have been ended between the look at the user and the new row.
  if (!made || !isSealedBefore(claims, made.user)) return id;
  await removeRow(storage, key);
  return null;
}

async function create(storage: Storage, row: AdapterSession): Promise<void> {
  try {
    await storage.createSession(row);
  } catch (error) {
    // Another tab may have been faster.
    if (!await storage.getSessionAndUser(row.sessionToken)) throw error;
  }
}
