/**
 * When a passkey was last used.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { StoredRecord } from "../contract/adapter.ts";
import { type Records, recordsIn } from "../storage/stored_records.ts";
import { passkeyInfoKey, type PasskeyNote, readPasskeyNote, UNKNOWN_PASSKEY } from "./passkey_info.ts";

/** A passkey that was used. */
export interface UsedPasskey {
  readonly userId: string;
  /** Its id, as it is stored. */
  readonly credentialID: string;
}

/**
 * Keeps when a passkey was used, where there is a page that shows it. Of two uses at once, one is written.
 *
 * @throws {AdapterError} if storage fails. The use counts all the same.
 */
export async function notePasskeyUse(
  { storage, runtime, features }: Pick<ResolvedConfig, "storage" | "runtime" | "features">,
  { userId, credentialID }: UsedPasskey,
): Promise<void> {
  const records = storage && features.some(({ id }) => id === "account") ? recordsIn(storage) : null;
  if (!records) return;
  const found = await findPasskeyInfo(records, { userId, credentialID });
  await records.putRecord(changePasskeyInfo(found, { usedAt: Math.floor(runtime.now() / 1000) }));
}

/** Finds the record of a passkey, or begins it for one from before there were any. */
export async function findPasskeyInfo(records: Records, { userId, credentialID }: UsedPasskey): Promise<StoredRecord> {
  const key = await passkeyInfoKey(credentialID);
  return await records.getRecord(key) ?? { ...key, userId, version: 0, expires: null, data: { ...UNKNOWN_PASSKEY } };
}

/** Changes a record. */
export function changePasskeyInfo(record: StoredRecord, changes: Partial<PasskeyNote>): StoredRecord {
  return { ...record, data: { ...readPasskeyNote(record), ...changes } };
}
