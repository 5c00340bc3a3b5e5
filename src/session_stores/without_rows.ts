/**
 * Ending what has no row: legacy sessions, and sign-ins that wait for a second proof.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import { sha256Base64Url } from "../crypto/digest.ts";
import { PENDING_LIFETIME } from "../http/cookie_specs.ts";
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

/** A session at a provider, as a logout token names it. */
export interface NamedSession {
  readonly provider: string;
  readonly sid: string;
}

/**
 * Ends the sign-ins that wait and began with a session at a provider. Nobody can find them by it: what waits is sealed. So
 * it is noted that the session has ended, for as long as one of them can wait.
 */
export async function endWaitingOf(
  { storage, actsAt, runtime }: Pick<ResolvedConfig, "storage" | "actsAt" | "runtime">,
  named: NamedSession,
): Promise<void> {
  const records = actsAt.has("mint") && storage ? recordsIn(storage) : null;
  const expires = new Date(runtime.now() + PENDING_LIFETIME * 1000);
  // It is there already if the provider has said so before.
  await records?.putRecord({ ...await endOf(named), version: 0, expires, data: {} });
}

/** Whether a session at a provider has ended while a sign-in waited that began with it. */
export async function hasEnded(storage: Storage, named: NamedSession): Promise<boolean> {
  return await recordsIn(storage)?.getRecord(await endOf(named)) != null;
}

async function endOf({ provider, sid }: NamedSession): Promise<{ readonly kind: string; readonly id: string }> {
  return { kind: "ended-session", id: await sha256Base64Url(JSON.stringify([provider, sid])) };
}
