/**
 * Records of features in SQL.
 *
 * @module
 */
import type { RecordKey, RecordsQuery, StoredRecord } from "../../src/contract/adapter.ts";
import type { RecordsOfUser } from "../../src/contract/records_apart.ts";
import { ADMITTING, fullRecord, nextVersion } from "../../src/contract/stored_record.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { quoteName } from "./schema.ts";
import { run, type SqlSteps } from "./steps.ts";
import type { SqlStore } from "./store.ts";
import { type Row, splitRecord } from "./table.ts";
import { isStorable, type Param } from "./values.ts";

/** What is done to records. */
export interface RecordSteps {
  /** `lock` keeps the row as it was read until the transaction ends. */
  find(key: RecordKey, lock?: string): SqlSteps<StoredRecord | null>;
  put(record: StoredRecord): SqlSteps<number | null>;
  remove(key: RecordKey & { readonly version?: number | undefined }): SqlSteps<boolean>;
  list(query: RecordsQuery): SqlSteps<StoredRecord[]>;
  removeOf(which: RecordsOfUser): SqlSteps<void>;
}

const IS_KEY = '"kind" = ? and "id" = ?';
const IS_LASTING = (time: string) => `("expires" is null or "expires" > ${time})`;

/** Makes the steps for the records of one database. @param now The clock, in milliseconds since 1970. */
export function recordSteps({ tables: { records }, ends, byIndex }: SqlStore, now: () => number): RecordSteps {
  const { sql, list } = records;
  const { codec: time } = ends.records;
  const { codec: integer } = records.columns.get("version") ?? { codec: time };
  const isLasting = IS_LASTING(time.placeholder);
  const encodedNow = (): Param => time.encode(new Date(now()));
  const isVersion = `"version" = ${integer.placeholder}`;

  /** Runs a statement whose first parameters are texts. Text that cannot be stored matches no row. */
  function* ask(statement: string, texts: readonly string[], others: readonly Param[]): SqlSteps<readonly Row[]> {
    return texts.every(isStorable) ? yield { sql: statement, params: [...texts, ...others] } : [];
  }

  return {
    find: function* ({ kind, id }, lock = "") {
      const select = `select ${list} from ${sql} where ${IS_KEY} and ${isLasting}${lock}`;
      const [row] = yield* ask(select, [kind, id], [encodedNow()]);
      return row ? records.read(row) : null;
    },
    put: function* (given) {
      const record = fullRecord(given);
      const version = nextVersion(record.version, systemRuntime);
      const { assignments } = splitRecord(records, { ...record, version });
      const params = assignments.map(({ param }) => param);
      const isKey = ["kind", "id"].map(quoteName);
      const others = assignments.filter((each) => !isKey.includes(each.sql));
      if (record.version > 0) {
        const changes = others.map((each) => `${each.sql} = ${each.placeholder}`).join(", ");
        const rows = yield {
          sql: `update ${sql} set ${changes} where ${IS_KEY} and ${isVersion} and ${isLasting} returning 1 as "0"`,
          params: [
            ...others.map(({ param }) => param),
            record.kind,
            record.id,
            integer.encode(record.version),
            encodedNow(),
          ],
        };
        return rows.length > 0 ? version : null;
      }
      const names = assignments.map((each) => each.sql).join(", ");
      const values = assignments.map((each) => each.placeholder).join(", ");
      const replaced = others.map((each) => `${each.sql} = excluded.${each.sql}`).join(", ");
      // One that has expired may still be there.
      const rows = yield {
        sql: `insert into ${sql} as known (${names}) values (${values}) on conflict ("kind", "id") do update` +
          ` set ${replaced} where known."expires" <= ${time.placeholder} returning 1 as "0"`,
        params: [...params, encodedNow()],
      };
      return rows.length > 0 ? version : null;
    },
    remove: function* ({ kind, id, version }) {
      const isWanted = version === undefined ? "" : ` and ${isVersion}`;
      const rows = yield* ask(
        `delete from ${sql} where ${IS_KEY}${isWanted} and ${isLasting} returning 1 as "0"`,
        [kind, id],
        [...(version === undefined ? [] : [integer.encode(version)]), encodedNow()],
      );
      return rows.length > 0;
    },
    list: function* (query) {
      const [column, owner] = "userId" in query ? ["userId", query.userId] : ["group", query.group];
      const { after, limit } = "limit" in query ? query : { after: undefined, limit: undefined };
      const rows = yield* ask(
        `select ${list} from ${sql}${byIndex([column, "kind", "id"])} where ${quoteName(column)} = ? and "kind" = ?` +
          `${after === undefined ? "" : ' and "id" > ?'} and ${isLasting} order by "id"` +
          `${limit === undefined ? "" : ` limit ${integer.placeholder}`}`,
        [owner, query.kind, ...(after === undefined ? [] : [after])],
        [encodedNow(), ...(limit === undefined ? [] : [integer.encode(limit)])],
      );
      return rows.map((row) => records.read(row));
    },
    removeOf: function* ({ userId, only, but = [] }) {
      const kinds = only ?? but;
      const places = kinds.map(() => "?").join(", ");
      const isOfKind = kinds.length === 0 ? "" : ` and "kind" ${only ? "" : "not "}in (${places})`;
      yield* run(`delete from ${sql} where "userId" = ?${isOfKind} returning 1 as "0"`, [userId, ...kinds]);
    },
  };
}

/** Removes the records of a user that let somebody in. */
export function removeAdmitting(steps: RecordSteps, userId: string): SqlSteps<void> {
  return steps.removeOf({ userId, only: ADMITTING });
}
