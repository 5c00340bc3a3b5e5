/**
 * Deletes accounts: at once, or once the time to keep them is over.
 *
 * @module
 */
import { passwordProviderOf } from "../config/password_provider.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { StoredRecord } from "../contract/adapter.ts";
import { AdapterError, EventError } from "../kernel/errors.ts";
import type { LogSubject } from "../kernel/log_subject.ts";
import { isDate } from "../kernel/objects.ts";
import { type EventSubject, tell } from "../request/events.ts";
import type { Assurance, Mint, PointContext } from "../request/points.ts";
import { knowsSessions, revokeAllSessions } from "../session/user_sessions.ts";
import { endWaiting } from "../session_stores/without_rows.ts";
import { removePassword } from "../sign_in/stored_password.ts";
import type { Storage } from "../storage/guard.ts";
import { type Records, recordsIn } from "../storage/stored_records.ts";
import type { AccountSettings } from "./settings.ts";

/** The kind of the records. A user has one at most, under their id. */
const DELETION = "deletion";

/** The group that all of them are in. */
const DELETIONS = "deletions";

/** A deletion that somebody has asked for. */
export interface Deletion {
  /** From when on the account is deleted. */
  readonly at: Date;
  readonly record: StoredRecord;
}

/** Gives the key of the record of a user. */
export function deletionKey(userId: string): Pick<StoredRecord, "kind" | "id"> {
  return { kind: DELETION, id: userId };
}

/** Makes the record of a deletion. It stays until the user is gone, so that deleting goes on wherever it broke off. */
export function newDeletion(userId: string, at: Date): StoredRecord {
  return { ...deletionKey(userId), userId, group: DELETIONS, version: 0, data: { at: at.toISOString() } };
}

/** Finds the deletion that a user has asked for; `null` if there is none. */
export async function findDeletion(
  { storage }: Pick<ResolvedConfig, "storage">,
  userId: string,
): Promise<Deletion | null> {
  const record = storage && await recordsIn(storage)?.getRecord(deletionKey(userId));
  return record ? deletionIn(record) : null;
}

// A row that somebody has written by hand deletes nobody.
function deletionIn(record: StoredRecord): Deletion | null {
  const at = new Date(typeof record.data.at === "string" ? record.data.at : NaN);
  return isDate(at) && Number.isFinite(at.getTime()) ? { at, record } : null;
}

/** When the account of a user is deleted; `null` if its owner has not asked for it. */
export async function deletionOf(config: ResolvedConfig, userId: string): Promise<Date | null> {
  return (await findDeletion(config, userId))?.at ?? null;
}

/** Whether the time to keep the account is over. */
export function isDue({ at }: Deletion, now: number): boolean {
  return at.getTime() <= now;
}

/**
 * Deletes the accounts whose time has come. What cannot be deleted is logged, and tried again at the next call.
 *
 * @returns How many.
 */
export async function deleteDue(config: ResolvedConfig, subject: LogSubject): Promise<number> {
  const records = config.storage && recordsIn(config.storage);
  if (!records) return 0;
  let count = 0;
  let after: string | undefined;
  for (;;) {
    const page = await records.listRecords({ kind: DELETION, group: DELETIONS, limit: PAGE, after });
    for (const record of page) if (await deleteIfDue(config, record, subject)) count++;
    after = page.at(-1)?.id;
    if (page.length < PAGE || after === undefined) return count;
  }
}

/** How many records are read at once. */
const PAGE = 100;

async function deleteIfDue(
  config: ResolvedConfig,
  record: StoredRecord,
  subject: LogSubject | undefined,
): Promise<boolean> {
  const deletion = deletionIn(record);
  if (!deletion || !isDue(deletion, config.runtime.now())) return false;
  try {
    return await deleteNow(config, deletion, subject);
  } catch (cause) {
    const message = "Cannot delete an account whose time has come";
    config.logger.error(new EventError(message, { cause, logCode: "adapter-failed" }), subject);
    return false;
  }
}

/** Deletes a user whose time has come, unless they were kept meanwhile. @returns Whether it was done here. */
async function deleteNow(
  config: ResolvedConfig,
  { record }: Deletion,
  subject: LogSubject | undefined,
): Promise<boolean> {
  const { storage } = config;
  const records = storage && recordsIn(storage);
  // From here on it is not taken back.
  const version = await records?.putRecord(record);
  if (!storage || typeof version !== "number") return false;
  const exists = await storage.getUser(record.id) !== null;
  if (exists) await deleteUser(config, record.id, subject);
  // Records beside an adapter may outlive their user.
  await records?.removeRecord(deletionKey(record.id));
  return exists;
}

/** Lets nobody in whose account is to be gone, and deletes it. Who proves the address first has not asked for it. */
export async function refuseDeleted(
  { config, cookies }: PointContext,
  { user: { id }, evicts }: Mint,
): Promise<Assurance> {
  const deletion = typeof id === "string" && !evicts ? await findDeletion(config, id) : null;
  if (!deletion || !isDue(deletion, config.runtime.now())) return { act: "enter" };
  await deleteIfDue(config, deletion.record, cookies.subject);
  return { act: "refuse", message: "Cannot sign in: the account was deleted" };
}

/**
 * Forgets a deletion that broke off, where nobody waits for one: whoever has signed in since has the account. Storage that
 * makes the id of a user from their address may have given it to a new user.
 */
export async function forgetDeletion(config: ResolvedConfig, userId: string | undefined): Promise<void> {
  const deletion = userId === undefined ? null : await findDeletion(config, userId);
  if (!deletion || !isDue(deletion, config.runtime.now())) return;
  const records = config.storage && recordsIn(config.storage);
  await records?.removeRecord({ ...deletionKey(deletion.record.id), version: deletion.record.version });
}

/** Says what keeps users from being deleted, after some days if that is asked for; `null` if nothing does. */
export function lackToDelete({ storage }: Pick<ResolvedConfig, "storage">, graceDays = 0): string | null {
  if (!storage?.has("deleteUser")) return "the adapter has no `deleteUser`";
  return graceDays > 0 && !recordsIn(storage) ? "`delete.graceDays` needs an adapter with records" : null;
}

/** Whether people may delete their account, and storage can do it. */
export function mayLeave(config: Pick<ResolvedConfig, "storage">, settings: Pick<AccountSettings, "delete">): boolean {
  return settings.delete !== null && lackToDelete(config, settings.delete.graceDays) === null;
}

/** Makes sure that a user can be deleted, before anything of them is. @throws {AdapterError} if not. */
export function assertCanDelete(config: Pick<ResolvedConfig, "storage">, graceDays?: number): void {
  const lack = lackToDelete(config, graceDays);
  if (lack !== null) throw new AdapterError(`Cannot delete the account: ${lack}`);
}

/**
 * Deletes a user with everything that is stored of them. It may break off anywhere: called again, it does the rest. The user
 * is the last that goes, and until then what is left can be found by their id.
 *
 * @throws {AdapterError} if storage fails.
 */
export async function deleteUser(
  config: ResolvedConfig,
  userId: string,
  subject: EventSubject | undefined,
): Promise<void> {
  const { storage } = config;
  assertCanDelete(config);
  if (!storage) return;
  const user = await storage.getUser(userId);
  if (passwordProviderOf(config)) await removePassword(config, userId);
  if (knowsSessions(config)) await revokeAllSessions(config, userId, { subject });
  else await endWaiting(config, userId);
  // Adapters with transactions remove all of it together.
  if (!storage.commit) await removeRows(config, storage, userId);
  await storage.deleteUser(userId);
  storage.revocations.invalidateBefore(userId, config.runtime.now());
  if (!user) return;
  await tell(config, { type: "userDeleted", event: () => ({ userId }), message: () => ({ user }) }, subject);
}

/** The kinds of records that belong to a user, but for the one that lets deleting go on. */
const KINDS: readonly string[] = [
  "password",
  "factor",
  "device",
  "key",
  "pending",
  "seen",
  "passkey-info",
  "lost",
  "removed",
  "email-change",
  "added",
];

// Databases of others may refuse to remove a user who has rows left, or leave them behind.
async function removeRows(config: ResolvedConfig, storage: Storage, userId: string): Promise<void> {
  const records = recordsIn(storage);
  for (const kind of records ? KINDS : []) await removeKind(records as Records, kind, userId);
  await storage.deleteSessionsByUserId?.(userId);
  for (const { provider, providerAccountId } of await storage.listAccountsByUserId?.(userId) ?? []) {
    await storage.unlinkAccount({ provider, providerAccountId });
  }
  const { deleteAuthenticator } = storage;
  if (!deleteAuthenticator || !hasPasskeys(config)) return;
  for (const { credentialID } of await storage.listAuthenticatorsByUserId(userId)) {
    await deleteAuthenticator(credentialID);
  }
}

async function removeKind(records: Records, kind: string, userId: string): Promise<void> {
  for (const { id } of await records.listRecords({ kind, userId })) await records.removeRecord({ kind, id });
}

// Adapters of Auth.js fail here where there is no table for passkeys.
function hasPasskeys({ providers }: ResolvedConfig): boolean {
  return [...providers.values()].some(({ type }) => type === "webauthn");
}
