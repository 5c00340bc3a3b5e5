/**
 * Records of features in memory.
 *
 * @module
 */
import type { RecordKey, RecordsQuery, StoredRecord } from "../../src/contract/adapter.ts";
import { existing } from "../../src/contract/commit.ts";
import type { RecordsOfUser } from "../../src/contract/records_apart.ts";
import { byId, fullRecord, hasVersion, isLasting, nextVersion } from "../../src/contract/stored_record.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { recordKey, type Tables } from "./tables.ts";

/** Finds a record that has not expired. */
export function findRecord({ records, now }: Tables, key: RecordKey): StoredRecord | null {
  const found = records.get(recordKey(key));
  return found && isLasting(found, now()) ? found : null;
}

/** Stores a record, and gives its version; `null` if another one is stored. */
export function putRecord(tables: Tables, given: StoredRecord): number | null {
  const record = fullRecord(given);
  if (record.userId !== null && tables.hasUsers) existing(tables.users.get(record.userId), "user");
  if (!hasVersion(findRecord(tables, record), record.version)) return null;
  const version = nextVersion(record.version, systemRuntime);
  tables.records.delete(recordKey(record));
  tables.records.insert({ ...record, version });
  return version;
}

/** Removes a record, and says whether there was one. */
export function removeRecord(tables: Tables, key: RecordKey & { readonly version?: number | undefined }): boolean {
  const found = findRecord(tables, key);
  if (!found || !hasVersion(found, key.version ?? found.version)) return false;
  tables.records.delete(recordKey(key));
  return true;
}

/** Lists the records of a user, or a page of those of a group. */
export function listRecords({ records, now }: Tables, query: RecordsQuery): StoredRecord[] {
  const of = (row: StoredRecord): boolean => {
    if ("userId" in query) return row.userId === query.userId;
    return row.group === query.group && (query.after === undefined || byId(row, { kind: "", id: query.after }) > 0);
  };
  const found = records.filter((row) => row.kind === query.kind && of(row) && isLasting(row, now()));
  return found.sort(byId).slice(0, "limit" in query ? query.limit : undefined);
}

/** Removes records of a user. */
export function removeRecordsOf({ records }: Tables, { userId, only, but = [] }: RecordsOfUser): void {
  const isWanted = (kind: string) => only ? only.includes(kind) : !but.includes(kind);
  for (const row of records.filter((row) => row.userId === userId && isWanted(row.kind))) {
    records.delete(recordKey(row));
  }
}
