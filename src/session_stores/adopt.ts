/**
 * Gives a row to a legacy session.
 *
 * @module
 */
import type { Storage } from "../storage/guard.ts";
import type { AdapterSession, JWT } from "../kernel/model.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import { adoptedId, sealedIdOf, sealedKey } from "./auth_session.ts";
import { authenticationOf, toRow } from "./authentication.ts";
import { isLiveRow, type Judge, stateByUser } from "./ended.ts";
import { removeRow } from "./rows.ts";
import type { ActiveSession } from "./session_store.ts";

/** When a session is adopted. */
export interface Adoption {
  /** In milliseconds since 1970. */
  readonly now: number;
  /** Milliseconds that its row lives. */
  readonly lifetime: number;
}

/**
 * Gives a row to a legacy session, unless it has one. The id of the row is derived from the token, so that two requests at
 * the same time, or a copy of the cookie, make one row.
 *
 * @returns The id; `null` if the session was ended; `undefined` if it cannot have a row, because its user is not stored.
 * @throws {AdapterError} if storage fails.
 */
export async function adoptSession(
  judge: Judge,
  claims: JWT,
  { now, lifetime }: Adoption,
): Promise<string | null | undefined> {
  const { storage } = judge;
  const [id, key, userId] = [adoptedId(claims), sealedKey(claims), claims.sub];
  if (id === null || key === null || userId === undefined) return await unlessEnded(judge, claims);
  const expires = new Date(Math.max(now + lifetime, (claims.exp ?? 0) * 1000));
  const known = await storage.getSessionAndUser(key);
  if (known) {
    if (known.session.userId !== userId) return await unlessEnded(judge, claims);
    if (!isLiveRow(known.session, now)) return null;
    return isLiveRow(await storage.updateSession({ sessionToken: key, expires }), now) ? id : null;
  }
  const state = await stateByUser(judge, claims);
  if (!state.isLive) return null;
  if (!state.user) return undefined;
  const authentication = authenticationOf({ strategy: "jwt", claims });
  await create(storage, { sessionToken: key, userId, expires, ...toRow(authentication) });
  const made = await storage.getSessionAndUser(key);
  if (!isLiveRow(made?.session, now)) return null;
  // All sessions of the user may have been ended between the look at the user and the new row.
  if ((await stateByUser(judge, claims)).isLive) return id;
  await removeRow(storage, { sessionToken: key, userId }, now);
  return null;
}

/**
 * Gives the session of a request a row before the others of its user end, so that it goes on: legacy sessions end by their
 * age.
 *
 * @throws {AdapterError} if storage fails.
 */
export async function assureRow(
  { storage, session, runtime }: Pick<ResolvedConfig, "storage" | "session" | "runtime">,
  active: ActiveSession,
): Promise<void> {
  if (active.strategy !== "jwt" || sealedIdOf(active.claims) || !storage) return;
  await adoptSession({ storage, session }, active.claims, { now: runtime.now(), lifetime: session.maxAge * 1000 });
}

// A session that cannot have a row.
async function unlessEnded(judge: Judge, claims: JWT): Promise<null | undefined> {
  return (await stateByUser(judge, claims)).isLive ? undefined : null;
}

async function create(storage: Storage, row: AdapterSession): Promise<void> {
  try {
    await storage.createSession(row);
  } catch (error) {
    // Another tab may have been faster.
    if (!await storage.getSessionAndUser(row.sessionToken)) throw error;
  }
}
