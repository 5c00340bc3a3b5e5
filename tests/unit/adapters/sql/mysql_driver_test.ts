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

test("poolOf() refuses what is for another database, and says where it belongs", () => {
  const others: readonly (readonly [object, RegExp])[] = [
    [kysely({ supportsReturning: true }).source, /not for MySQL.*`postgresAdapter\(\)`/],
    [{ query() {}, connect() {}, totalCount: 1 }, /`pg` is for `postgresAdapter\(\)`/],
    [{ $client: { query() {}, connect() {}, totalCount: 1 } }, /`pg` is for `postgresAdapter\(\)`/],
    [{ unsafe() {}, begin() {} }, /`postgres` is for `postgresAdapter\(\)`/],
    [{ prepare() {}, exec() {} }, /SQLite database is for `sqliteAdapter\(\)`/],
    [{ $queryRawUnsafe() {}, $transaction() {} }, /`PrismaClient`.*pass a pool of the package `mysql2`/],
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
