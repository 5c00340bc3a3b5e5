/**
 * Records of features in SQL.
 *
 * @module
 */
import type { RecordKey, RecordsQuery, StoredRecord } from "../../src/contract/adapter.ts";
import type { RecordsOfUser } from "../../src/contract/records_apart.ts";
import { EVICTED, fullRecord, nextVersion } from "../../src/contract/stored_record.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { isEqual } from "./statements.ts";
import type { SqlSteps } from "./statement.ts";
import { run } from "./steps.ts";
import type { SqlStore } from "./store.ts";
import { type Assignment, type Row, splitRecord } from "./table.ts";
import { isStorable, type Param } from "./values.ts";
import { assign, paramsOf } from "./writes.ts";

/** What is done to records. */
export interface RecordSteps {
  /** `lock` keeps the row as it was read until the transaction ends. */
  find(key: RecordKey, lock?: string): SqlSteps<StoredRecord | null>;
  put(record: StoredRecord): SqlSteps<number | null>;
  remove(key: RecordKey & { readonly version?: number | undefined }): SqlSteps<boolean>;
  list(query: RecordsQuery): SqlSteps<StoredRecord[]>;
  removeOf(which: RecordsOfUser): SqlSteps<void>;
}

/** Makes the steps for the records of one database. @param now The clock, in milliseconds since 1970. */
export function recordSteps(
  { tables: { records }, writes, byIndex }: Pick<SqlStore, "tables" | "writes" | "byIndex">,
  now: () => number,
): RecordSteps {
  const { sql, list } = records;
  const id = records.column("id");
  const expires = records.column("expires");
  const version = records.column("version");
  const isKey = isEqual(records, ["kind", "id"]);
  const isLasting = `(${expires.sql} is null or ${expires.sql} > ${expires.codec.placeholder})`;
  const encodedNow = (): Param => expires.codec.encode(new Date(now()));
  const isVersion = `${version.sql} = ${version.codec.placeholder}`;

  /** Runs a statement whose first parameters are texts. Text that cannot be stored matches no row. */
  function* ask(statement: string, texts: readonly string[], others: readonly Param[]): SqlSteps<readonly Row[]> {
    return texts.every(isStorable) ? yield { sql: statement, params: [...texts, ...others] } : [];
  }

  return {
    find: function* ({ kind, id }, lock = "") {
      const select = `select ${list} from ${sql} where ${isKey} and ${isLasting}${lock}`;
      const [row] = yield* ask(select, [kind, id], [encodedNow()]);
      return row ? records.read(row) : null;
    },
    put: function* (given) {
      const record = fullRecord(given);
      const next = nextVersion(record.version, systemRuntime);
      const { assignments } = splitRecord(records, { ...record, version: next });
      const isOfKey = ({ sql }: Assignment) => records.key.some((column) => column.sql === sql);
      const others = assignments.filter((each) => !isOfKey(each));
      if (record.version > 0) {
        const rows = yield {
          sql: `update ${sql} set ${
            assign(others)
          } where ${isKey} and ${isVersion} and ${isLasting}${writes.returning}`,
          params: [
            ...paramsOf(others),
            record.kind,
            record.id,
            version.codec.encode(record.version),
            encodedNow(),
          ],
          must: true,
        };
        return rows.length > 0 ? next : null;
      }
      // One that has expired may still be there.
      const key = assignments.filter(isOfKey);
      const isDone = yield* writes.replace({
        table: records,
        key,
        others,
        ifEnds: { comparison: "<=", time: encodedNow() },
        must: true,
      });
      return isDone ? next : null;
    },
    remove: function* ({ kind, id, version: expected }) {
      const isWanted = expected === undefined ? "" : ` and ${isVersion}`;
      const rows = yield* ask(
        `delete from ${sql} where ${isKey}${isWanted} and ${isLasting}${writes.returning}`,
        [kind, id],
        [...(expected === undefined ? [] : [version.codec.encode(expected)]), encodedNow()],
      );
      return rows.length > 0;
    },
    list: function* (query) {
      const [column, owner] = "userId" in query ? ["userId", query.userId] : ["group", query.group];
      const { after, limit } = "limit" in query ? query : { after: undefined, limit: undefined };
      const rows = yield* ask(
        `select ${list} from ${sql}${byIndex([column, "kind", "id"])} where ${isEqual(records, [column, "kind"])}` +
          `${after === undefined ? "" : ` and ${id.sql} > ?`} and ${isLasting} order by ${id.sql}` +
          `${limit === undefined ? "" : ` limit ${version.codec.placeholder}`}`,
        [owner, query.kind, ...(after === undefined ? [] : [after])],
        [encodedNow(), ...(limit === undefined ? [] : [version.codec.encode(limit)])],
      );
      return rows.map((row) => records.read(row));
    },
    removeOf: function* ({ userId, only, but = [] }) {
      const kinds = only ?? but;
      const isOneOf = kinds.map(() => isEqual(records, ["kind"])).join(" or ");
      const isOfKind = kinds.length === 0 ? "" : ` and ${only ? "" : "not "}(${isOneOf})`;
      const isOfUser = isEqual(records, ["userId"]);
      yield* run(`delete from ${sql} where ${isOfUser}${isOfKind}${writes.returning}`, [userId, ...kinds]);
    },
  };
}

/** Removes the records of a user that a plan evicts. */
export function removeEvicted(steps: RecordSteps, userId: string): SqlSteps<void> {
  return steps.removeOf({ userId, only: EVICTED });
}
