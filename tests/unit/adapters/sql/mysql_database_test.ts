import assert from "node:assert/strict";
import { test } from "node:test";
import { bound, mysqlDatabase } from "../../../../adapters/sql/mysql_database.ts";
import { type MysqlConnection, type MysqlPool, poolOf } from "../../../../adapters/sql/mysql_driver.ts";
import { MYSQL_NAMES } from "../../../../adapters/sql/mysql_schema.ts";
import { EXTRA, TABLE_IDS, TABLES, uniquesOf } from "../../../../adapters/sql/schema.ts";
import { systemRuntime } from "../../../../src/kernel/runtime.ts";

const SESSION = { sessionToken: "s", userId: "ada", expires: new Date(1) };

const TYPES = { text: "varchar", integer: "bigint", timestamp: "datetime", boolean: "tinyint", json: "longtext" };

const COLUMNS = TABLE_IDS.flatMap((id) => {
  const columns = [...TABLES[id].columns, { name: EXTRA, kind: "json" as const }];
  return columns.map(({ name, kind }) => {
    const isText = kind === "text";
    const collation = isText ? ["utf8mb4", "utf8mb4_nopad_bin"] : [null, null];
    return [MYSQL_NAMES[id], name, TYPES[kind], TYPES[kind], ...collation, "512", "3", "", "YES"];
  });
});

const INDEXES = TABLE_IDS.flatMap((id) =>
  uniquesOf(id).flatMap((columns) => columns.map((column) => [MYSQL_NAMES[id], columns.join(), "0", column]))
);

interface Failure {
  readonly at: RegExp;
  readonly error: Readonly<Record<string, unknown>>;
}

/** A pool that fails at some statements. `said` lists the statements, and when connections were taken and released. */
function failing(failures: readonly Failure[]) {
  const left = [...failures];
  const said: string[] = [];
  const answer = (sql: string): Promise<readonly unknown[]> => {
    if (sql.includes("@@autocommit")) return Promise.resolve([[["1", "utf8mb4", "0", "tests"]]]);
    if (sql.includes("information_schema.columns")) return Promise.resolve([COLUMNS]);
    if (sql.includes("information_schema.statistics")) return Promise.resolve([INDEXES]);
    if (sql.includes("information_schema")) return Promise.resolve([[]]);
    said.push(sql.split(" ")[0] ?? "");
    const [next] = left;
    if (!next?.at.test(sql)) return Promise.resolve([sql.startsWith("select") ? [] : { affectedRows: 1 }]);
    left.shift();
    return Promise.reject(Object.assign(new Error("failed"), next.error));
  };
  const execute = ({ sql }: { readonly sql: string }) => answer(sql);
  const pool: MysqlPool = {
    execute,
    getConnection: () => {
      said.push("<");
      const connection: MysqlConnection = {
        execute,
        query: answer,
        release: () => void said.push(">"),
        destroy: () => void said.push("broken>"),
      };
      return Promise.resolve(connection);
    },
  };
  return { pool, said };
}

function open(pool: MysqlPool) {
  const timer = (_seconds: number, run: () => void) => {
    run();
    return () => {};
  };
  const runtime = { random: systemRuntime.random, timer };
  const naming = { names: MYSQL_NAMES, ids: TABLE_IDS };
  return mysqlDatabase(poolOf(pool), { naming, runtime, now: () => 0, makeId: () => "id" });
}

const TRY = "< set start insert";

/** An error of the driver that Prisma uses, in an error of Prisma. */
function ofPrisma(originalCode: string): Failure["error"] {
  return { code: "P2010", meta: { driverAdapterError: { cause: { originalCode, kind: "mysql" } } } };
}

const COLLISIONS: readonly Failure["error"][] = [
  ...[1213, 1205, 1020, 3101].map((errno) => ({ errno })),
  ofPrisma("1213"),
  { code: "P2010", meta: { code: "1213" } },
  { code: "P2034" },
];

for (const error of COLLISIONS) {
  const what = JSON.stringify(error);
  test(`mysqlDatabase() rolls back and starts again after error ${what}, at whichever statement`, async () => {
    const { pool, said } = failing([{ at: /^insert/, error }, { at: /^commit/, error }]);
    const created = await open(pool).execute("once", ["key", new Date(1)]);
    assert.equal(created, true);
    const tried = "< set start select insert";
    assert.deepEqual(said.join(" "), `${tried} rollback > ${tried} commit rollback > ${tried} commit >`);
  });
}

test("mysqlDatabase() gives up after the twelfth deadlock, and after waiting for a lock four times", async () => {
  for (const [errno, times] of [[1213, 13], [1205, 4]] as const) {
    const { pool, said } = failing(Array.from({ length: 20 }, () => ({ at: /^insert/, error: { errno } })));
    await assert.rejects(() => open(pool).execute("createSession", [SESSION]), /failed/);
    assert.equal(said.filter((word) => word === "insert").length, times);
  }
});

const LOSSES: readonly Readonly<Record<string, unknown>>[] = [
  { code: "PROTOCOL_CONNECTION_LOST" },
  { code: "ECONNRESET" },
  { code: "EPIPE" },
  { errno: 1053 },
  { errno: 1927 },
  { errno: 4031 },
  { message: "Can't add new command when connection is in closed state" },
  { code: "ERR_MYSQL_CONNECTION_CLOSED" },
  { code: "P1017" },
  ofPrisma("45009"),
  { name: "DriverAdapterError", cause: { originalCode: "45013" } },
];

for (const error of LOSSES) {
  const what = JSON.stringify(error);
  test(`mysqlDatabase() repeats a transaction after a lost connection, but not once it commits: ${what}`, async () => {
    const lost = failing([{ at: /^insert/, error }, { at: /^rollback/, error }]);
    await open(lost.pool).execute("once", ["key", new Date(1)]);
    const tried = "< set start select insert";
    assert.deepEqual(lost.said.join(" "), `${tried} rollback broken> ${tried} commit >`);
    const unknown = failing([{ at: /^commit/, error }, { at: /^rollback/, error }]);
    await assert.rejects(() => open(unknown.pool).execute("once", ["key", new Date(1)]), {
      name: "CommitUnknown",
      message: /may have happened or not/,
    });
    assert.deepEqual(unknown.said.join(" "), `${tried} commit rollback broken>`);
  });

  test(`mysqlDatabase() repeats a read after a lost connection: ${what}`, async () => {
    const { pool, said } = failing([{ at: /^select/, error }, { at: /^select/, error }]);
    assert.equal(await open(pool).execute("getUser", ["ada"]), null);
    assert.deepEqual(said, ["select", "select", "select"]);
  });
}

test("mysqlDatabase() does not retry after any other error, and gives it as it is", async () => {
  const { pool, said } = failing([{ at: /^insert/, error: { errno: 1064 } }]);
  await assert.rejects(() => open(pool).execute("createSession", [SESSION]), { errno: 1064 });
  assert.deepEqual(said.join(" "), `${TRY} rollback >`);
});

test("mysqlDatabase() takes a duplicate for an answer where one was asked for, and nowhere else", async () => {
  const { pool, said } = failing([{ at: /^insert/, error: { errno: 1062 } }]);
  await assert.rejects(() => open(pool).execute("createSession", [SESSION]), /there is one of the same id/);
  assert.deepEqual(said.join(" "), `${TRY} rollback >`);
  const other = failing([{ at: /^delete/, error: { errno: 1062 } }]);
  await assert.rejects(() => open(other.pool).execute("deleteOtherSessions", [SESSION]), { errno: 1062 });
});

test("mysqlDatabase() states the isolation of a transaction on its connection, before it begins", async () => {
  const { pool } = failing([]);
  const texts: string[] = [];
  const getConnection = async () => {
    const connection = await pool.getConnection();
    return { ...connection, query: (text: string) => connection.query(texts[texts.push(text) - 1] ?? "") };
  };
  await open({ ...pool, getConnection }).execute("once", ["key", new Date(1)]);
  assert.deepEqual(texts, ["set transaction isolation level read committed", "start transaction", "commit"]);
});

test("mysqlDatabase() says that a unique index takes two keys for the same, instead of trying for ever", async () => {
  const duplicate = { at: /^insert/, error: { errno: 1062 } };
  const { pool } = failing(Array.from({ length: 9 }, () => duplicate));
  const again = failing([duplicate]);
  await assert.rejects(() => open(pool).execute("once", ["key", new Date(1)]), /takes two keys for the same/);
  assert.equal(await open(again.pool).execute("once", ["key", new Date(1)]), true);
});

test("constraintOf() knows which constraint a statement would have broken", () => {
  const database = open(failing([]).pool);
  const of = (errno: number) => database.constraintOf(Object.assign(new Error(), { errno }));
  assert.deepEqual([1062, 1452, 1216, 1048].map(of), ["unique", "foreign key", "foreign key", null]);
  assert.equal(database.constraintOf("1062"), null);
});

test("bound() repeats a parameter, writes the number of a limit, and leaves quoted names", () => {
  const found = bound("select `a?` where (`b` = ? and c = ?^) and d = ? limit ?", ["x", 7, 20]);
  assert.deepEqual(found, {
    text: "select `a?` where (`b` = ? and c = ?) and d = ? limit 20",
    values: ["x", "x", "7"],
  });
  assert.deepEqual(bound("limit ?", ["1; drop table user"]).text, "limit NaN");
});

test("mysqlDatabase() reads text as text, because drivers may take that of a binary collation for bytes", async () => {
  const { pool } = failing([]);
  const texts: string[] = [];
  const execute = (statement: Parameters<typeof pool.execute>[0]) => {
    texts.push(statement.sql);
    return pool.execute(statement);
  };
  await open({ ...pool, execute }).execute("getUser", ["ada"]);
  assert.equal(texts.length, 5);
  for (const text of texts) {
    const [list = ""] = text.slice("select ".length).split(" from ");
    const columns = list.split(/ as "\d+",?/).map((column) => column.trim()).filter(Boolean);
    assert.deepEqual(columns.filter((column) => !/^cast\(.+ as char\)$/.test(column)), []);
  }
});
