/**
 * Ending what has no row: legacy sessions, and sign-ins that wait for a second proof.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Storage } from "../storage/guard.ts";
import { recordsIn } from "../storage/stored_records.ts";

/** Ends the legacy sessions of a user. */
export async function endLegacySessions(storage: Storage, userId: string, now: number): Promise<void> {
  // Tables of adapters for Auth.js have no column for it, and their sealed sessions cannot be ended.
  if (!storage.commit || !await storage.getUser(userId)) return;
  await storage.updateUser({ id: userId, sessionsEndedAt: new Date(now) });
  storage.revocations.invalidateBefore(userId, now);
}

/**
 * Ends the sign-ins of a user that wait for a second proof: what they began with is as old as the sessions that end.
 *
 * @param keeps Id of the record of one that goes on.
 */
export async function endWaiting(
  { storage, actsAt }: Pick<ResolvedConfig, "storage" | "actsAt">,
  userId: string,
  keeps?: string,
): Promise<void> {
  const records = actsAt.has("mint") && storage ? recordsIn(storage) : null;
  for (const { kind, id } of await records?.listRecords({ kind: "pending", userId }) ?? []) {
    if (id !== keeps) await records?.removeRecord({ kind, id });
  }
}
