import assert from "node:assert/strict";
import { test } from "node:test";
import { postgresDatabase } from "../../../../adapters/sql/postgres_database.ts";
import { type PgPool, poolOf } from "../../../../adapters/sql/postgres_driver.ts";
import { POSTGRES_NAMES } from "../../../../adapters/sql/postgres_schema.ts";
import { EXTRA, TABLE_IDS, TABLES } from "../../../../adapters/sql/schema.ts";
import { systemRuntime } from "../../../../src/kernel/runtime.ts";

const SESSION = { sessionToken: "s", userId: "ada", expires: new Date(1) };

/** A pool that fails at some statements. `said` lists the statements, and when connections were taken and released. */
function failing(failures: readonly { readonly at: RegExp; readonly code: string }[]) {
  const left = [...failures];
  const said: string[] = [];
  const query = (sql: string) => {
    if (sql.includes("pg_attribute")) return Promise.resolve({ rows: COLUMNS });
    if (sql.includes("pg_index")) return Promise.resolve({ rows: [] });
    const isNumber = sql.includes("pg_current_xact_id");
    const [word = ""] = isNumber ? ["number"] : sql.replace("select pg_", "pg_").split(/[ (]/);
    said.push(word);
    const [next] = left;
    if (!next?.at.test(sql)) return Promise.resolve({ rows: isNumber ? [["7"]] : [] });
    left.shift();
    return Promise.reject(Object.assign(new Error(next.code), { code: next.code }));
  };
  const connect = () => {
    said.push("<");
    return Promise.resolve({ query, release: (destroy?: boolean) => void said.push(destroy ? "broken>" : ">") });
  };
  return { pool: { query, connect }, said };
}

/** Types and their categories, by the kind of column. */
const TYPES = {
  text: ["text", "S"],
  integer: ["int8", "N"],
  timestamp: ["timestamptz", "D"],
  boolean: ["bool", "B"],
  json: ["json", "U"],
} as const;

const COLUMNS = TABLE_IDS.flatMap((id) => {
  const columns = TABLES[id].columns.map(({ name, kind }) => ({ name, type: TYPES[kind] }));
  return [...columns, { name: EXTRA, type: ["jsonb", "U"] }].map(({ name, type: [type, category] }) => {
    return [id, name, type, type, category];
  });
});

function open(pool: PgPool) {
  const waits: number[] = [];
  const timer = (seconds: number, run: () => void) => {
    waits.push(seconds);
    run();
    return () => {};
  };
  const runtime = { random: systemRuntime.random, timer };
  const place = { schema: undefined, names: POSTGRES_NAMES, ids: TABLE_IDS };
  return {
    database: postgresDatabase(poolOf(pool), { location: place, runtime, now: () => 0, makeId: () => "id" }),
    waits,
  };
}

for (const code of ["40001", "40P01"]) {
  test(`postgresDatabase() retries a transaction from its beginning after ${code}`, async () => {
    const { pool, said } = failing([{ at: /^delete/, code }, { at: /^commit/, code }]);
    const { database, waits } = open(pool);
    assert.equal(await database.execute("commit", [{ deleteSession: "s" }]), "done");
    const tries = [
      "< begin number delete rollback >",
      "< begin number delete commit rollback >",
      "< begin number delete commit >",
    ];
    assert.deepEqual(said, tries.join(" ").split(" "));
    assert.equal(waits.length, 2);
    const [first = 0, second = 0] = waits;
    assert.ok(first >= 0.005 && first <= 0.015 && second >= 0.01 && second <= 0.03, waits.join());
  });
}

test("postgresDatabase() gives up after the twelfth retry of a collision, and waits a fifth of a second at most", async () => {
  const failures = Array.from({ length: 20 }, () => ({ at: /^delete/, code: "40001" }));
  const { pool, said } = failing(failures);
  const { database, waits } = open(pool);
  await assert.rejects(() => database.execute("deleteSession", ["s"]), /40001/);
  assert.equal(said.length, 13);
  assert.ok(waits.every((seconds) => seconds <= 0.3), waits.join());
  assert.ok(waits.reduce((sum, seconds) => sum + seconds) > 0.9, waits.join());
});

const LOSSES = ["57P01", "08006", "ECONNRESET", "EPIPE", "CONNECTION_CLOSED", "Connection terminated unexpectedly"];

for (const code of LOSSES) {
  test(`postgresDatabase() repeats a read after a lost connection: ${code}`, async () => {
    const { pool, said } = failing([{ at: /^select/, code }, { at: /^select/, code }]);
    const { database } = open(pool);
    assert.equal(await database.execute("getUser", ["ada"]), null);
    assert.deepEqual(said, ["select", "select", "select"]);
  });

  test(`postgresDatabase() repeats a transaction after a lost connection: ${code}`, async () => {
    const { pool, said } = failing([{ at: /^begin/, code }, { at: /^delete/, code }]);
    const { database } = open(pool);
    assert.equal(await database.execute("commit", [{ deleteSession: "s" }]), "done");
    assert.deepEqual(said.filter((word) => word === "begin" || word === "commit"), [
      "begin",
      "begin",
      "begin",
      "commit",
    ]);
  });

  test(`postgresDatabase() does not repeat a write that may have happened: ${code}`, async () => {
    const { pool, said } = failing([{ at: /^delete/, code }]);
    const { database } = open(pool);
    await assert.rejects(() => database.execute("deleteSession", ["s"]), new RegExp(code));
    assert.deepEqual(said, ["delete"]);
  });
}

test("postgresDatabase() gives up a read after the third lost connection in a row", async () => {
  const { pool, said } = failing(Array.from({ length: 9 }, () => ({ at: /^select/, code: "57P01" })));
  const { database } = open(pool);
  await assert.rejects(() => database.execute("getUser", ["ada"]), /57P01/);
  assert.equal(said.length, 4);
});

test("postgresDatabase() repeats a write that never reached the server", async () => {
  const { pool, said } = failing([{ at: /^delete/, code: "ECONNREFUSED" }]);
  const { database } = open(pool);
  assert.equal(await database.execute("deleteSession", ["s"]), null);
  assert.deepEqual(said, ["delete", "delete"]);
});

const FATES: Readonly<Record<string, readonly string[]>> = {
  "is kept if it was committed": ["committed"],
  "is done again if it was not": ["aborted"],
  "is waited for while the server ends it": ["in progress", "in progress", "committed"],
};

for (const [name, fates] of Object.entries(FATES)) {
  test(`postgresDatabase() finds out about a commit whose response was lost: it ${name}`, async () => {
    const { pool, said } = failing([{ at: /^commit/, code: "ECONNRESET" }]);
    const left = [...fates];
    const query = (sql: string) => sql.includes("pg_xact_status") ? { rows: [[left.shift()]] } : pool.query(sql);
    const { database } = open({ ...pool, query: async (sql) => await query(sql) });
    assert.equal(await database.execute("commit", [{ deleteSession: "s" }]), "done");
    assert.equal(said.filter((word) => word === "commit").length, fates.includes("aborted") ? 2 : 1);
    assert.deepEqual(left, []);
  });
}

test("postgresDatabase() says that a commit may have happened or not, and does not repeat it", async () => {
  for (const answer of [() => ({ rows: [[null]] }), () => ({ rows: [] }), lost]) {
    const { pool, said } = failing([{ at: /^commit/, code: "ECONNRESET" }]);
    const query = (sql: string) => sql.includes("pg_xact_status") ? answer() : pool.query(sql);
    const { database } = open({ ...pool, query: async (sql) => await query(sql) });
    await assert.rejects(() => database.execute("commit", [{ deleteSession: "s" }]), /may have happened or not/);
    assert.equal(said.filter((word) => word === "commit").length, 1);
  }
});

function lost(): never {
  throw Object.assign(new Error("gone"), { code: "ECONNRESET" });
}

test("postgresDatabase() reads the catalogue once for all databases of a pool and schema", async () => {
  const { pool } = failing([]);
  let looks = 0;
  const query = (sql: string) => {
    if (sql.includes("pg_attribute a on a.attrelid = to_regclass")) looks += 1;
    return pool.query(sql);
  };
  const watched = { ...pool, query };
  for (let request = 0; request < 5; request += 1) await open(watched).database.execute("getUser", ["ada"]);
  assert.equal(looks, 1);
  await open(watched).database.migrate();
  await open(watched).database.execute("getUser", ["ada"]);
  assert.equal(looks, 2);
});

test("postgresDatabase() does not retry after any other error", async () => {
  const { pool, said } = failing([{ at: /^insert/, code: "57014" }]);
  const { database } = open(pool);
  await assert.rejects(() => database.execute("commit", [{ createSession: SESSION }]), /57014/);
  assert.deepEqual(said, ["<", "begin", "number", "insert", "rollback", ">"]);
});

test("postgresDatabase() closes a connection on which it cannot roll back", async () => {
  const { pool, said } = failing([{ at: /^insert/, code: "57014" }, { at: /^rollback/, code: "08006" }]);
  const { database } = open(pool);
  await assert.rejects(() => database.execute("commit", [{ createSession: SESSION }]), /57014/);
  assert.deepEqual(said, ["<", "begin", "number", "insert", "rollback", "broken>"]);
});

test("constraintOf() knows which constraint a statement would have broken", () => {
  const { database } = open(failing([]).pool);
  const of = (code: string) => database.constraintOf(Object.assign(new Error(), { code }));
  assert.deepEqual(["23505", "23503", "23502"].map(of), ["unique", "foreign key", null]);
  assert.equal(database.constraintOf("23505"), null);
});
