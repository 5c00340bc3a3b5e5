import type { Mutant } from "./_mutant.ts";

const MEMORY = ["tests/unit/adapters/memory_test.ts"];
const SQLITE = ["tests/unit/adapters/sqlite_test.ts"];
const KV = ["tests/unit/adapters/deno_kv_test.ts"];
const PLANS = ["tests/unit/adapters/sqlite_plans_test.ts"];
const FILE = ["tests/unit/adapters/sqlite_file_test.ts"];
const APART = ["tests/unit/adapters/records_test.ts"];
const SERVER = ["tests/unit/adapters/postgres_server_test.ts"];

/** Records of features. */
export const records: readonly Mutant[] = [
  {
    name: "REC-1: a record in memory is replaced whatever its version is",
    file: "adapters/memory/records.ts",
    find: "if (!hasVersion(findRecord(tables, record), record.version)) return null;",
    replace: "",
    tests: MEMORY,
  },
  {
    name: "REC-1: a record in SQL is replaced whatever its version is",
    file: "adapters/sql/records.ts",
    find: "set ${changes} where ${IS_KEY} and ${isVersion} and",
    replace: "set ${changes} where ${IS_KEY} and ${isVersion} is not null and",
    tests: SQLITE,
  },
  {
    name: "REC-1: a record in SQL is created over another one",
    file: "adapters/sql/records.ts",
    find: 'where known."expires" <= ${time.placeholder} returning',
    replace: 'where coalesce(known."expires", 0) <= ${time.placeholder} returning',
    tests: SQLITE,
  },
  {
    name: "REC-1: a record in Deno KV is replaced whatever its version is",
    file: "adapters/kv/feature_records.ts",
    find: "if (!hasVersion(await live(store, tx, before), record.version)) return null;",
    replace: "",
    tests: KV,
    only: "denoKvAdapter(): putRecord()",
  },
  {
    name: "REC-1: a record that is created again has the version of the former one",
    file: "src/contract/stored_record.ts",
    find: "return random(new Uint8Array(6)).reduce(",
    replace: "return random(new Uint8Array(0)).reduce(",
    tests: MEMORY,
  },
  {
    name: "REC-1: a record in SQL is removed whatever its version is",
    file: "adapters/sql/records.ts",
    find: 'version === undefined ? "" : ` and ${isVersion}`',
    replace: 'version === undefined ? "" : ` and ${isVersion} is not null`',
    tests: SQLITE,
  },
  {
    name: "REC-2: a record that has expired is found",
    file: "src/contract/stored_record.ts",
    find: "return !expires || expires.getTime() > now;",
    replace: "return !expires || now > 0;",
    tests: MEMORY,
  },
  {
    name: "REC-2: a record in SQL that has expired is found",
    file: "adapters/sql/records.ts",
    find: '`("expires" is null or "expires" > ${time})`',
    replace: '`("expires" is null or "expires" > 0 or ${time} > 0)`',
    tests: SQLITE,
  },
  {
    name: "REC-2: records in memory stay when their user is deleted",
    file: "adapters/memory/tables.ts",
    find:
      "for (const row of tables.records.filter((row) => row.userId === userId)) tables.records.delete(recordKey(row));",
    replace: "",
    tests: MEMORY,
  },
  {
    name: "REC-2: a record in Deno KV belongs to a new user under the id of its deleted one",
    file: "adapters/kv/feature_records.ts",
    find: "return owner && isLive(RECORD, [record, stamp], owner) ? record : null;",
    replace: "return owner && stamp ? record : null;",
    tests: ["tests/unit/adapters/deno_kv_records_test.ts"],
  },
  {
    name: "REC-2: records that have expired are never swept",
    file: "adapters/sql/adapter.ts",
    find: '"onceMarks", "records"];',
    replace: '"onceMarks"];',
    tests: FILE,
  },
  {
    name: "REC-3: a password stays when a plan evicts",
    file: "src/contract/stored_record.ts",
    find: '["password", "factor", "device", "key"]',
    replace: '["factor", "device", "key"]',
    tests: MEMORY,
  },
  {
    name: "REC-3: records in SQL stay when a plan evicts",
    file: "adapters/sql/plan.ts",
    find: "if (hasRecords) yield* removeAdmitting(records, userId);",
    replace: "",
    tests: SQLITE,
  },
  {
    name: "REC-3: records in Deno KV stay when a plan evicts",
    file: "adapters/kv/layout.ts",
    find: "ADMITTING.includes(kind) && written < credentials",
    replace: "ADMITTING.includes(kind) && written < 0 * credentials",
    tests: KV,
    only: "denoKvAdapter(): commit() evicts",
  },
  {
    name: "REC-3: a plan that evicts takes all records of the user",
    file: "adapters/sql/records.ts",
    find: "return steps.removeOf({ userId, only: ADMITTING });",
    replace: "return steps.removeOf({ userId });",
    tests: SQLITE,
  },
  {
    name: "REC-3: a process that saw no table of records evicts none that another one stored",
    file: "adapters/sql/postgres_database.ts",
    find: 'if (!store.hasRecords && name === "commit"',
    replace: 'if (!store.hasRecords && name === "sweep"',
    tests: SERVER,
    seconds: 280,
  },
  {
    name: "REC-4: a plan in memory does not look at the versions that it expects",
    file: "adapters/memory/plan.ts",
    find: "for (const { version, ...key } of records) assertExpected(hasVersion(findRecord(tables, key), version));",
    replace: "",
    tests: MEMORY,
  },
  {
    name: "REC-4: a plan in SQL does not look at the versions that it expects",
    file: "adapters/sql/plan.ts",
    find: "for (const { version, ...key } of expect.records ?? []) {",
    replace: "for (const { version, ...key } of expect.records?.slice(9) ?? []) {",
    tests: SQLITE,
  },
  {
    name: "REC-4: a plan in Deno KV does not look at the versions that it expects",
    file: "adapters/kv/plan.ts",
    find:
      "for (const { version, ...key } of records) assertExpected(hasVersion(await findRecord(store, key, tx), version));",
    replace: "",
    tests: KV,
    only: "denoKvAdapter(): commit() changes no record",
  },
  {
    name: "REC-4: a plan goes on although a record was not stored",
    file: "adapters/sql/plan.ts",
    find: "for (const record of put) assertExpected((yield* records.put(record)) !== null);",
    replace: "for (const record of put) yield* records.put(record);",
    tests: SQLITE,
  },
  {
    name: "REC-4: a plan whose records are apart does not look at the versions that it expects",
    file: "src/contract/records_apart.ts",
    find: "if (!hasVersion(await records.getRecord(keyOf(each)), each.version)) return false;",
    replace: "",
    tests: APART,
  },
  {
    name: "REC-4: many plans use up one record that is stored apart",
    file: "src/contract/records_apart.ts",
    find: "|| version === undefined;",
    replace: "|| true;",
    tests: ["tests/unit/sign_in/records_apart_test.ts"],
  },
  {
    name: "REC-4: a plan in steps loses its records where storage has none",
    file: "src/sign_in/records_apart.ts",
    find: 'if (!records) throw new AdapterError("Cannot store records: the adapter has no `putRecord`");',
    replace: "if (!records) return await write(plan);",
    tests: ["tests/unit/sign_in/records_apart_test.ts"],
  },
  {
    name: "REC-6: what lets somebody in is evicted after everything else",
    file: "src/contract/records_apart.ts",
    find: "if (evict) await evictFrom(records, evict.userId);",
    replace: "",
    tests: APART,
  },
  {
    name: "REC-6: what lets somebody in is stored before everything else",
    file: "src/contract/records_apart.ts",
    find: "const first = put.filter(({ kind, userId }) => STRICT.includes(kind) && (",
    replace: 'const first = put.filter(({ kind, userId }) => kind !== "" && (',
    tests: APART,
  },
  {
    name: "REC-6: a factor is removed before everything else",
    file: "src/contract/records_apart.ts",
    find: "remove.filter(({ kind }) => !STRICT.includes(kind))",
    replace: 'remove.filter(({ kind }) => kind !== "")',
    tests: APART,
  },
  {
    name: "REC-6: who is deleted loses the factor first",
    file: "adapters/records.ts",
    find: "await records.removeRecordsOf({ userId: id, but: STRICT });",
    replace: "await records.removeRecordsOf({ userId: id });",
    tests: APART,
  },
  {
    name: "REC-6: a plan that is rejected evicts records that are apart",
    file: "adapters/records.ts",
    find: 'if (answer !== "done") return answer;',
    replace: "",
    tests: APART,
  },
  {
    name: "REC-2: a record of another user is taken for the one that was asked for",
    file: "src/storage/stored_records.ts",
    find: "return isTheirs && row.kind === query.kind;",
    replace: "return isTheirs || row.kind === query.kind;",
    tests: ["tests/unit/storage/stored_records_test.ts"],
  },
  {
    name: "REC-5: a page of records is found by the primary key",
    file: "adapters/sql/sqlite_schema.ts",
    find: 'byIndex: (columns) => ` indexed by ${quoteName(indexName(names.records, columns, "index"))}`',
    replace: 'byIndex: (columns) => columns.length > 0 ? "" : ""',
    tests: PLANS,
  },
];
