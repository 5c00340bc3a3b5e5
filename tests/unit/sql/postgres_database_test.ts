import assert from "node:assert/strict";
import { test } from "node:test";
import { postgresDatabase } from "../../../src/sql/postgres_database.ts";
import { type PgPool, poolOf } from "../../../src/sql/postgres_driver.ts";
import { POSTGRES_NAMES } from "../../../src/sql/postgres_schema.ts";
import { EXTRA, TABLE_IDS, TABLES } from "../../../src/sql/schema.ts";
import { systemRuntime } from "../../../src/runtime.ts";

const SESSION = { sessionToken: "s", userId: "ada", expires: new Date(1) };

/** A pool that fails at some statements. `said` lists what it was asked, and when connections came and went. */
function failing(failures: readonly { readonly at: RegExp; readonly code: string }[]) {
  const left = [...failures];
  const said: string[] = [];
  const query = (sql: string) => {
    if (sql.includes("pg_attribute")) return Promise.resolve({ rows: COLUMNS });
    const [word = ""] = sql.split(" ");
    said.push(word);
    const [next] = left;
    if (!next?.at.test(sql)) return Promise.resolve({ rows: [] });
    left.shift();
    return Promise.reject(Object.assign(new Error(next.code), { code: next.code }));
  };
  const connect = () => {
    said.push("<");
    return Promise.resolve({ query, release: (destroy?: boolean) => void said.push(destroy ? "broken>" : ">") });
  };
  return { pool: { query, connect }, said };
}

const COLUMNS = TABLE_IDS.flatMap((id) => {
  return [...TABLES[id].columns.map(({ name }) => name), EXTRA].map((name) => [id, name, "text"]);
});

function open(pool: PgPool) {
  const waits: number[] = [];
  const timer = (seconds: number, run: () => void) => {
    waits.push(seconds);
    run();
    return () => {};
  };
  const runtime = { random: systemRuntime.random, timer };
  const place = { schema: undefined, names: POSTGRES_NAMES };
  return { database: postgresDatabase(poolOf(pool), { place, runtime, now: () => 0, makeId: () => "id" }), waits };
}

for (const code of ["40001", "40P01"]) {
  test(`postgresDatabase() starts a transaction again, from its beginning, that failed with ${code}`, async () => {
    const { pool, said } = failing([{ at: /^delete/, code }, { at: /^commit/, code }]);
    const { database, waits } = open(pool);
    assert.equal(await database.perform((its) => its.commit({ deleteSession: "s" })), "done");
    const tries = ["< begin delete rollback >", "< begin delete commit rollback >", "< begin delete commit >"];
    assert.deepEqual(said, tries.join(" ").split(" "));
    assert.equal(waits.length, 2);
    const [first = 0, second = 0] = waits;
    assert.ok(first >= 0.005 && first <= 0.015 && second >= 0.01 && second <= 0.03, waits.join());
  });
}

test("postgresDatabase() gives up after the third retry", async () => {
  const failures = Array.from({ length: 4 }, () => ({ at: /^delete/, code: "40001" }));
  const { pool, said } = failing(failures);
  const { database } = open(pool);
  await assert.rejects(() => database.perform((its) => its.deleteSession("s")), /40001/);
  assert.deepEqual(said, ["delete", "delete", "delete", "delete"]);
});

test("postgresDatabase() does not try again what failed for any other reason", async () => {
  const { pool, said } = failing([{ at: /^insert/, code: "57014" }]);
  const { database } = open(pool);
  await assert.rejects(() => database.perform((its) => its.commit({ createSession: SESSION })), /57014/);
  assert.deepEqual(said, ["<", "begin", "insert", "rollback", ">"]);
});

test("postgresDatabase() throws a connection away on which it cannot roll back", async () => {
  const { pool, said } = failing([{ at: /^insert/, code: "57P01" }, { at: /^rollback/, code: "08006" }]);
  const { database } = open(pool);
  await assert.rejects(() => database.perform((its) => its.commit({ createSession: SESSION })), /57P01/);
  assert.deepEqual(said, ["<", "begin", "insert", "rollback", "broken>"]);
});

test("postgresDatabase() knows of a statement why it was refused", () => {
  const { database } = open(failing([]).pool);
  const of = (code: string) => database.violation(Object.assign(new Error(), { code }));
  assert.deepEqual(["23505", "23503", "23502"].map(of), ["taken", "orphan", null]);
  assert.equal(database.violation("23505"), null);
});
