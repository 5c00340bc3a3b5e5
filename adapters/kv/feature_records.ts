/**
 * Records of features in Deno KV.
 *
 * A record that belongs to a user is stored as all records of users are, with the epoch in which it was written: it ends
 * with its user, and if it lets somebody in, when a plan evicts.
 *
 * @module
 */
import type { RecordKey, RecordsQuery, StoredRecord } from "../../src/contract/adapter.ts";
import { existing } from "../../src/contract/commit.ts";
import type { RecordsOfUser } from "../../src/contract/records_apart.ts";
import { type FullRecord, fullRecord, hasVersion, isLasting, nextVersion } from "../../src/contract/stored_record.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import type { Stamp } from "./epoch.ts";
import { findUser, isLive, type Reader, reader } from "./find.ts";
import type { KvKey } from "./kv_like.ts";
import { groupKey, ownedKey, type OwnedRecord, ownerKey, RECORD } from "./layout.ts";
import { BATCH_LIMIT, type KvStore, listBelow, readEntries } from "./store.ts";
import { transact, type Transaction } from "./transaction.ts";

/** A record as stored: of a user with the stamp of its writing, otherwise without. */
type Stored = FullRecord | readonly [record: FullRecord & OwnedRecord, stamp: Stamp];

/** Where records are, and whether the users are there, too. */
export interface KvRecordStore extends KvStore {
  readonly hasUsers: boolean;
}

function placeOf({ kind, id }: RecordKey): KvKey {
  return ownedKey(RECORD, [kind, id]);
}

/** The entries by which a record is found. */
function placesOf(record: FullRecord): readonly KvKey[] {
  const { kind, id, userId } = record;
  const ofUser = userId === null ? [] : [ownerKey(RECORD, userId, [kind, id])];
  return [...ofUser, ...groupKey(record)];
}

function recordOf(stored: Stored): FullRecord {
  return Array.isArray(stored) ? stored[0] : stored as FullRecord;
}

/** Gives the record of an entry, unless it has ended. */
async function live({ now }: KvStore, reader: Reader, stored: Stored | null): Promise<FullRecord | null> {
  if (stored === null || !isLasting(recordOf(stored), now())) return null;
  if (!Array.isArray(stored)) return recordOf(stored);
  const [record, stamp] = stored;
  const owner = await findUser(reader, record.userId);
  return owner && isLive(RECORD, [record, stamp], owner) ? record : null;
}

/** Finds a record that has not ended. */
export async function findRecord(store: KvStore, key: RecordKey, from = reader(store)): Promise<StoredRecord | null> {
  return await live(store, from, await from.get<Stored>(placeOf(key)));
}

/** Stores a record, and gives its version; `null` if another one is stored. */
export async function putRecord(store: KvRecordStore, tx: Transaction, given: StoredRecord): Promise<number | null> {
  const record = fullRecord(given);
  const owner = store.hasUsers && record.userId !== null ? existing(await findUser(tx, record.userId), "user") : null;
  const before = await tx.get<Stored>(placeOf(record));
  if (!hasVersion(await live(store, tx, before), record.version)) return null;
  for (const place of before ? placesOf(recordOf(before)) : []) tx.delete(place);
  const version = nextVersion(record.version, systemRuntime);
  const written = { ...record, version };
  const stamp = owner && { life: owner.epochs.life, epoch: owner.epochs.epoch };
  const end = record.expires ?? undefined;
  tx.set(placeOf(record), stamp ? [written, stamp] : written, end);
  for (const place of placesOf(written)) tx.set(place, true, end);
  return version;
}

/** Removes a record, and says whether there was one. */
export async function removeRecord(
  store: KvStore,
  tx: Transaction,
  key: RecordKey & { readonly version?: number | undefined },
): Promise<boolean> {
  const before = await tx.get<Stored>(placeOf(key));
  const found = await live(store, tx, before);
  if (!found || !hasVersion(found, key.version ?? found.version)) return false;
  tx.delete(placeOf(key));
  for (const place of placesOf(found)) tx.delete(place);
  return true;
}

/** Lists the records of a user, or a page of those of a group. */
export async function listRecords(store: KvStore, query: RecordsQuery): Promise<StoredRecord[]> {
  const isOfUser = "userId" in query;
  const prefix = isOfUser ? ownerKey(RECORD, query.userId, [query.kind]) : ["record_by_group", query.group, query.kind];
  const most = isOfUser ? Infinity : query.limit;
  const found: StoredRecord[] = [];
  // No text lies between a text and the same with NUL.
  let from = isOfUser || query.after === undefined ? [] : [`${query.after}\0`];
  while (found.length < most) {
    const wanted = most - found.length;
    const ids = (await listBelow(store, prefix, { from, most: wanted })).map(([id = ""]) => id);
    const entries = await readEntries<Stored>(store, ids.map((id) => placeOf({ kind: query.kind, id })));
    const users = new Map<string, Promise<unknown>>();
    // Each user is read once, and after the records: what has ended by then stays ended.
    const once: Reader = {
      get: <T>(key: KvKey) => {
        const name = JSON.stringify(key);
        const asked = users.get(name) ?? reader(store).get<T>(key);
        users.set(name, asked);
        return asked as Promise<T | null>;
      },
    };
    const records = await Promise.all(entries.map(({ value }) => live(store, once, value)));
    const isTheirs = (record: FullRecord | null): record is FullRecord =>
      record !== null && (isOfUser ? record.userId === query.userId : record.group === query.group);
    found.push(...records.filter(isTheirs));
    if (ids.length < wanted) break;
    from = [`${ids.at(-1)}\0`];
  }
  return found;
}

/** Removes records of a user where no users are stored: some at a time, until there are none. */
export async function removeRecordsOf(
  store: KvRecordStore,
  { userId, only, but = [] }: RecordsOfUser,
): Promise<void> {
  const isWanted = (kind: string) => only ? only.includes(kind) : !but.includes(kind);
  const found = await listBelow(store, ownerKey(RECORD, userId));
  const keys = found.map(([kind = "", id = ""]) => ({ kind, id })).filter(({ kind }) => isWanted(kind));
  // One more check is for the receipt.
  const most = BATCH_LIMIT - 1;
  for (let at = 0; at < keys.length; at += most) {
    await transact(store, async (tx) => {
      for (const key of keys.slice(at, at + most)) {
        const record = await tx.get<Stored>(placeOf(key));
        tx.delete(ownerKey(RECORD, userId, [key.kind, key.id]));
        if (!record || recordOf(record).userId !== userId) continue;
        for (const place of [placeOf(key), ...placesOf(recordOf(record))]) tx.delete(place);
      }
    });
  }
}
