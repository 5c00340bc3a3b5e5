/**
 * Records of features as the service uses them. What needs none does not load this.
 *
 * @module
 */
import type { RecordKey, RecordsQuery, StoredRecord } from "../contract/adapter.ts";
import { isDate, isPlainObject } from "../kernel/objects.ts";
import type { Storage } from "./guard.ts";
import { matching, parseList, required } from "./records.ts";

/** The operations on records. Each returns checked records, or throws an `AdapterError`. */
export interface Records {
  getRecord(key: RecordKey): Promise<StoredRecord | null>;
  putRecord(record: StoredRecord): Promise<number | null>;
  removeRecord(key: RecordKey & { version?: number | undefined }): Promise<boolean>;
  listRecords(query: RecordsQuery): Promise<StoredRecord[]>;
}

/** Gives the operations on records, guarded as all others are; `null` if the adapter has no records. */
export function recordsIn({ guardIfPresent }: Pick<Storage, "guardIfPresent">): Records | null {
  const getRecord = guardIfPresent("getRecord", (answer, key) => matching(parseRecord(answer), isOf(key)));
  const putRecord = guardIfPresent("putRecord", parseVersion);
  const removeRecord = guardIfPresent("removeRecord", (answer) => {
    if (typeof answer !== "boolean") throw new TypeError("it is neither true nor false");
    return answer;
  });
  const listRecords = guardIfPresent("listRecords", (answer, query) => {
    return parseList(answer, parseRecord, (row) => {
      const isTheirs = "userId" in query ? row.userId === query.userId : row.group === query.group;
      return isTheirs && row.kind === query.kind;
    });
  });
  return getRecord && putRecord && removeRecord && listRecords && { getRecord, putRecord, removeRecord, listRecords };
}

function isOf({ kind, id }: RecordKey): (row: StoredRecord) => boolean {
  return (row) => row.kind === kind && row.id === id;
}

function parseRecord(answer: unknown): StoredRecord | null {
  if (answer === null || answer === undefined) return null;
  if (!isPlainObject(answer)) throw new TypeError("it is not an object");
  const { kind, id, version, expires = null, data } = answer;
  if (typeof kind !== "string" || typeof id !== "string") throw new TypeError("its key is not text");
  if (!isPlainObject(data)) throw new TypeError("its `data` is not an object");
  const isEnding = isDate(expires) && Number.isFinite(expires.valueOf());
  if (expires !== null && !isEnding) throw new TypeError("its `expires` is not a date");
  return { ...answer, kind, id, version: required(parseVersion(version)), expires, data };
}

function parseVersion(version: unknown): number | null {
  if (version === null || (Number.isSafeInteger(version) && Number(version) > 0)) return version as number | null;
  throw new TypeError("it is not a version");
}
