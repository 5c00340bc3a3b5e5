import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { type MysqlConnection, type MysqlPool, poolOf } from "../../../../adapters/sql/mysql_driver.ts";

const REFUSED = { name: "InvalidConfig", logCode: "driver-unusable" };

class Connection extends EventEmitter implements MysqlConnection {
  readonly ended: string[] = [];

  query(text: string): Promise<unknown> {
    if (text === "rollback") return Promise.reject(new Error("the connection is gone"));
    return Promise.resolve([[]]);
  }

  execute(): Promise<readonly unknown[]> {
    // Like a connection that the network reset: it emits "error", and its statements fail.
    this.emit("error", new Error("nobody listened"));
    return Promise.reject(new Error("the statement failed"));
  }

  release(): void {
    this.ended.push("released");
  }

  destroy(): void {
    this.ended.push("destroyed");
  }
}

test("poolOf() listens to a connection while it is out of the pool, and closes it if it cannot roll back", async () => {
  const connection = new Connection();
  const pool = poolOf({ execute: () => connection.execute(), getConnection: () => Promise.resolve(connection) });
  await assert.rejects(() => pool.transaction((query) => query("select", [])), /the statement failed/);
  assert.equal(connection.listenerCount("error"), 0);
  assert.deepEqual(connection.ended, ["destroyed"]);
});

test("poolOf() gives the same pool for the same connection, and for what it was made with", () => {
  const pool: MysqlPool = { execute: () => Promise.reject(), getConnection: () => Promise.reject() };
  const callbacks = { promise: () => pool, getConnection: () => {} };
  assert.equal(poolOf(pool), poolOf({ $client: pool }));
  assert.equal(poolOf(callbacks), poolOf({ $client: callbacks }));
  assert.equal(poolOf(callbacks), poolOf(pool));
});

test("poolOf() binds values, and never writes them into the text", async () => {
  const statements: unknown[] = [];
  const execute = (statement: object) => {
    statements.push({ ...statement, typeCast: null });
    return Promise.resolve([{ affectedRows: 2 }]);
  };
  const pool = poolOf({ execute, getConnection: () => Promise.reject() });
  assert.deepEqual(await pool.query("delete from t where a = ?", ["\\' or 1=1"]), [{ 0: 2 }]);
  assert.deepEqual(statements, [
    { sql: "delete from t where a = ?", values: ["\\' or 1=1"], rowsAsArray: true, typeCast: null },
  ]);
});

/** A Kysely instance that answers with an error. `said` is what it sent. */
function kysely(adapter: object) {
  const said: string[] = [];
  const executeQuery = ({ sql }: { readonly sql: string }) => {
    said.push(sql);
    return Promise.reject(Object.assign(new Error("no"), { sql }));
  };
  const execute = (run: (connection: never) => Promise<unknown>) => run({ executeQuery } as never);
  return { source: { getExecutor: () => ({ adapter }), connection: () => ({ execute }) } as never, said };
}

test("poolOf() gives Kysely values as bytes that no `sql_mode` reads as SQL, and its errors do not quote them", async () => {
  const { source, said } = kysely({ supportsReturning: false });
  const sql = "select `a?` from t where b = ? and c = ?";
  await assert.rejects(() => poolOf(source).query(sql, ["\\'λ", null]), { message: "no", sql });
  assert.deepEqual(said, ["select `a?` from t where b = _utf8mb4 x'5c27cebb' and c = null"]);
});

/** A `PrismaClient` that answers. `said` is what it was asked. */
function prisma({ provider = "mysql", failure }: { readonly provider?: string; readonly failure?: Error } = {}) {
  const said: unknown[] = [];
  const client = {
    _activeProvider: provider,
    $queryRawUnsafe: (...asked: readonly unknown[]) => Promise.resolve([{ 0: said.push(["read", ...asked]) }]),
    $executeRawUnsafe: (...asked: readonly unknown[]) =>
      Promise.resolve(Number(said.push(["write", ...asked]) > 0) * 2),
    $transaction: async (run: (client: object) => Promise<unknown>, options: object) => {
      said.push(options);
      const result = await run(client);
      if (failure) throw failure;
      return result;
    },
  };
  return { source: client as never, said };
}

test("poolOf() asks Prisma with raw queries, in transactions that are read committed, and counts what it writes", async () => {
  const { source, said } = prisma();
  const pool = poolOf(source);
  assert.deepEqual(await pool.transaction((query) => query("select 1 from t where a = ?", ["x"])), [{ 0: 2 }]);
  assert.deepEqual(await pool.query("delete from t", []), [{ 0: 2 }]);
  await pool.session((query) => query("set x = 1", []));
  const options = { isolationLevel: "ReadCommitted", maxWait: 10_000 };
  assert.deepEqual(said, [
    { ...options, timeout: 20_000 },
    ["read", "select 1 from t where a = ?", "x"],
    ["write", "delete from t"],
    { ...options, timeout: 3_600_000 },
    ["write", "set x = 1"],
  ]);
});

test("poolOf() leaves no value to Prisma that its driver would escape, and no other one in the text", async () => {
  const { source, said } = prisma();
  const values = ["token-λ", "a'b", 'a"b', "a\\b", "a\0b", "a\nb", null];
  await poolOf(source).query("select ?, ?, ?, ?, ?, ?, ?, `?`", values);
  const literals = ["612762", "612262", "615c62", "610062", "610a62"].map((hex) => `_utf8mb4 x'${hex}'`);
  assert.deepEqual(said, [["read", `select ?, ${literals.join(", ")}, null, \`?\``, "token-λ"]]);
});

test("poolOf() says that nobody knows of a commit for which Prisma lost the connection, and gives other errors", async () => {
  const lost = Object.assign(new Error("closed"), { name: "DriverAdapterError", cause: { originalCode: "45013" } });
  const { source, said } = prisma({ failure: lost });
  await assert.rejects(() => poolOf(source).transaction((query) => query("delete from t", [])), {
    name: "CommitUnknown",
    message: /may have happened or not/,
  });
  assert.equal(said.length, 2);
  await assert.rejects(() => poolOf(source).transaction(() => Promise.reject(lost)), lost);
  const late = Object.assign(new Error("expired"), { code: "P2028" });
  await assert.rejects(() => poolOf(prisma({ failure: late }).source).transaction(() => Promise.resolve()), late);
});

/** Bun's `SQL`. `said` is what it was asked. */
function bun(adapter: string) {
  const said: string[] = [];
  const unsafe = (text: string) => {
    said.push(text);
    if (text === "fail") return Promise.reject(new Error("failed"));
    return Promise.resolve(Object.assign(text.startsWith("select") ? [{ 0: "row" }] : [], { affectedRows: 2 }));
  };
  const reserve = () => Promise.resolve({ unsafe, release: () => said.push("released") });
  const source = Object.assign(() => {}, { unsafe, reserve, begin() {}, options: { adapter } });
  return { source: source as never, said };
}

test("poolOf() keeps a connection of Bun's `SQL` for a transaction, and counts what it writes", async () => {
  const { source, said } = bun("mysql");
  const pool = poolOf(source);
  assert.deepEqual([...await pool.query("select 1", [])], [{ 0: "row" }]);
  assert.deepEqual(await pool.transaction((query) => query("delete from t", [])), [{ 0: 2 }]);
  await assert.rejects(() => pool.transaction((query) => query("fail", [])), /failed/);
  const begin = ["set transaction isolation level read committed", "start transaction"];
  assert.deepEqual(said, [
    "select 1",
    ...[...begin, "delete from t", "commit", "released"],
    ...[...begin, "fail", "rollback", "released"],
  ]);
});

test("poolOf() refuses what is for another database, and says where it belongs", () => {
  const others: readonly (readonly [object, RegExp])[] = [
    [kysely({ supportsReturning: true }).source, /not for MySQL.*`postgresAdapter\(\)`/],
    [{ ...kysely({}).source as object, isTransaction: true }, /a transaction, which ends; pass the instance/],
    [{ query() {}, connect() {}, totalCount: 1 }, /`pg` is for `postgresAdapter\(\)`/],
    [{ $client: { query() {}, connect() {}, totalCount: 1 } }, /`pg` is for `postgresAdapter\(\)`/],
    [{ unsafe() {}, begin() {} }, /`postgres` is for `postgresAdapter\(\)`/],
    [{ prepare() {}, exec() {} }, /SQLite database is for `sqliteAdapter\(\)`/],
    [prisma({ provider: "postgresql" }).source, /`PrismaClient` is connected to postgresql.+`postgresAdapter\(\)`/],
    [prisma({ provider: "sqlite" }).source, /`PrismaClient` is connected to sqlite.+`sqliteAdapter\(\)`/],
    [prisma({ provider: "mongodb" }).source, /`PrismaClient` is connected to mongodb.+adapter of Auth\.js/],
    [bun("postgres").source, /`SQL` of Bun is connected to postgres.+`postgresAdapter\(\)`/],
    [bun("sqlite").source, /`SQL` of Bun is connected to sqlite.+`bun:sqlite` to `sqliteAdapter\(\)`/],
    [{ execute() {}, getConnection() {}, batch() {} }, /package `mariadb` is not supported/],
    [{ execute() {}, query() {}, beginTransaction() {} }, /cannot be shared by two requests/],
    [{ host: "db.test", password: "hunter2" }, /pass a pool of the package `mysql2`/],
  ];
  for (const [source, message] of others) {
    assert.throws(() => poolOf(source as never), (error: Error) => {
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /hunter2/);
      assert.deepEqual({ name: error.name, logCode: Reflect.get(error, "logCode") }, REFUSED);
      return true;
    });
  }
});
