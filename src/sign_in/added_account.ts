/**
 * That an account was added to somebody just now, as a record that expires: the email about its removal offers no way back,
 * because a thief may have added and removed it.
 *
 * @module
 */
import type { Plan, RecordKey } from "../contract/adapter.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import { sha256Base64Url } from "../crypto/digest.ts";
import type { AccountKey } from "../kernel/model.ts";
import { recordsIn } from "../storage/stored_records.ts";

/** Milliseconds in which something that was added is new. */
export const NEW_FOR = 24 * 60 * 60 * 1000;

/** Gives the key of the record of an account: ids of accounts may be longer than those of records. */
export async function addedAccountKey({ provider, providerAccountId }: AccountKey): Promise<RecordKey> {
  return { kind: "added", id: await sha256Base64Url(JSON.stringify([provider, providerAccountId])) };
}

/** Stores with a plan that somebody who is signed in adds an account, if there is a key for it. */
export function noteAdded<Planned extends { readonly plan: Plan; readonly keepsSession: boolean }>(
  planned: Planned,
  key: RecordKey | null,
  now: Date,
): Planned {
  const { plan, keepsSession } = planned;
  if (!key || !keepsSession || !plan.linkAccount) return planned;
  const expires = new Date(now.getTime() + NEW_FOR);
  const { userId } = plan.linkAccount;
  const records = { remove: [key], put: [{ ...key, userId, version: 0, expires, data: {} }] };
  return { ...planned, plan: { ...plan, records } };
}

/** Whether an account was added just now. */
export async function isNewAccount(
  { storage, runtime }: Pick<ResolvedConfig, "storage" | "runtime">,
  account: AccountKey,
): Promise<boolean> {
  const record = storage && await recordsIn(storage)?.getRecord(await addedAccountKey(account));
  // Storage may be another machine, with another clock.
  return Boolean(record?.expires && record.expires.getTime() > runtime.now());
}
