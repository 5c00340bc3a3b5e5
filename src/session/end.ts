/**
 * Ending sessions that a provider names.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Storage } from "../storage/guard.ts";
import { MissingAdapter, MissingAdapterMethods } from "../kernel/errors.ts";
import type { AdapterSession, AdapterUser } from "../kernel/model.ts";
import { isLiveRow } from "../session_stores/ended.ts";
import { removeRows } from "../session_stores/rows.ts";

/** Sessions that a provider wants to end: the one with this `sid`, or all that began with this account. */
export type ProviderFilter =
  | { readonly provider: string; readonly sid: string }
  | { readonly provider: string; readonly sub: string };

/** Sessions that were ended. */
export interface EndedSessions {
  /** How many. */
  readonly ended: number;
  /** Ids of their users. With `sub`, also that of a user who had none. */
  readonly userIds: readonly string[];
}

/**
 * Ends sessions that began with a sign-in at a provider, stored and sealed ones.
 *
 * With `sub`, sessions of which nobody knows where they began end too: those of versions that did not store it.
 *
 * @param config The configuration.
 * @param filter Which sessions: `sub` is the id of the account at the provider, as it is stored.
 * @returns How many sessions were ended that storage knows, and whose.
 * @throws {MissingAdapter} if there is no adapter.
 * @throws {MissingAdapterMethods} if the adapter cannot find them.
 * @throws {AdapterError} if storage fails; then some may have been ended.
 */
export async function endSessions(
  { storage, runtime }: Pick<ResolvedConfig, "storage" | "runtime">,
  filter: ProviderFilter,
): Promise<EndedSessions> {
  if (!storage) throw new MissingAdapter("Cannot end sessions: without an `adapter` nobody knows them; set one");
  const now = runtime.now();
  const user = "sub" in filter ? await findUser(storage, filter) : null;
  if (user) await endEarlierSessions(storage, user.id, now);
  const rows = "sid" in filter ? await findBySid(storage, filter) : await findOf(storage, filter, user);
  await removeRows(storage, rows, now);
  const users = new Set([...rows.map(({ userId }) => userId), ...(user ? [user.id] : [])]);
  return { ended: rows.filter((row) => isLiveRow(row, now)).length, userIds: [...users] };
}

/** Ends the sealed sessions of a user that have no row, because they were sealed by a version without, or by Auth.js. */
export async function endEarlierSessions(storage: Storage, userId: string, now: number): Promise<void> {
  // Tables of adapters for Auth.js have no column for it, and their sealed sessions cannot be ended.
  if (!storage.commit || !await storage.getUser(userId)) return;
  await storage.updateUser({ id: userId, sessionsEndedAt: new Date(now) });
  storage.revocations.invalidateBefore(userId, now);
}

async function findBySid(
  { listSessionsByProviderSid }: Storage,
  { provider, sid }: Extract<ProviderFilter, { sid: string }>,
): Promise<readonly AdapterSession[]> {
  if (!listSessionsByProviderSid) throw lacks("listSessionsByProviderSid");
  return await listSessionsByProviderSid({ provider, sid });
}

async function findUser(
  storage: Storage,
  { provider, sub }: Extract<ProviderFilter, { sub: string }>,
): Promise<AdapterUser | null> {
  if (!storage.listSessionsByUserId) throw lacks("listSessionsByUserId");
  return await storage.getUserByAccount({ provider, providerAccountId: sub });
}

async function findOf(
  storage: Storage,
  { provider }: ProviderFilter,
  user: AdapterUser | null,
): Promise<readonly AdapterSession[]> {
  const rows = user && await storage.listSessionsByUserId?.(user.id) || [];
  return rows.filter((row) => row.provider === provider || row.provider === undefined);
}

function lacks(operation: string): Error {
  return new MissingAdapterMethods(`Cannot end sessions: the \`adapter\` lacks ${operation}`);
}
