import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import {
  connectionOf,
  poolOf,
  type PostgresConnection,
  type PostgresDriver,
} from "../../../../adapters/sql/postgres_driver.ts";

class Client extends EventEmitter {
  release(): void {}

  query(text: string): Promise<{ rows: unknown[] }> {
    if (text.startsWith("begin")) return Promise.resolve({ rows: [] });
    // Like a connection that the network reset: it emits "error", and its statements fail.
    this.emit("error", new Error("nobody listened"));
    return Promise.reject(new Error("the statement failed"));
  }
}

test("poolOf() listens to a connection of pg for as long as it is out of the pool", async () => {
  const client = new Client();
  const pool = poolOf({ query: (text) => client.query(text), connect: () => Promise.resolve(client) });
  await assert.rejects(() => pool.transaction((query) => query("select", [])), /the statement failed/);
  assert.equal(client.listenerCount("error"), 0);
});

test("poolOf() begins transactions that are read committed, whatever the default", async () => {
  const begun: string[] = [];
  const query = (text: string) => Promise.resolve({ rows: [begun.push(text)] });
  await poolOf({ query, connect: () => Promise.resolve({ query, release: () => {} }) }).transaction(() =>
    Promise.resolve()
  );
  const unsafe = () => Promise.resolve([]);
  const begin = async (options: string, run: (sql: { unsafe: typeof unsafe }) => Promise<unknown>) => {
    begun.push(options);
    return await run({ unsafe });
  };
  await poolOf({ unsafe, begin }).transaction(() => Promise.resolve());
  assert.deepEqual(begun, ["begin isolation level read committed", "commit", "isolation level read committed"]);
});

test("poolOf() returns the result of a transaction of postgres, even an array", async () => {
  const unsafe = () => Promise.resolve([]);
  const sql = {
    unsafe,
    begin: async (_: string, run: (sql: { unsafe: typeof unsafe }) => Promise<unknown>) => await run({ unsafe }),
  };
  assert.deepEqual(await poolOf(sql).transaction(() => Promise.resolve([1, 2])), [1, 2]);
});

test("poolOf() refuses a Client of pg, which two requests cannot share, and names the Pool", () => {
  const client = { connectionParameters: {}, query: () => Promise.reject(), connect: () => Promise.reject() };
  const refusal = { name: "InvalidConfig", logCode: "driver-unusable", message: /`Client`.+Pass a `Pool`/ };
  assert.throws(() => poolOf(client), refusal);
});

const nothing = () => Promise.resolve({ rows: [] });

/** A Kysely instance whose dialect writes a parameter and a name so. `said` lists what it runs. */
function kysely(writes: string, said: unknown[] = []) {
  const instance = {
    executeQuery: ({ sql, parameters }: { sql: string; parameters: unknown }) => {
      said.push([sql, parameters]);
      return nothing();
    },
    getExecutor: () => ({ compileQuery: () => ({ sql: writes }) }),
    transaction: () => ({
      setIsolationLevel: (level: string) => ({
        execute: (run: (transaction: unknown) => Promise<unknown>) => {
          said.push(level);
          return run(instance);
        },
      }),
    }),
    withoutPlugins: () => instance,
  };
  return instance;
}

/** A Drizzle database of a dialect. */
function drizzle(kind: string, client?: unknown) {
  const dialect = { constructor: { [Symbol.for("drizzle:entityKind")]: kind } };
  return { _: {}, dialect, $client: client, query: {}, execute: nothing, transaction: nothing };
}

function prisma(provider?: string, said: unknown[] = []) {
  const client = {
    _activeProvider: provider,
    $queryRawUnsafe: (...given: unknown[]) => Promise.resolve([said.push(given)]),
    $transaction: (run: (transaction: unknown) => Promise<unknown>, options: unknown) => {
      said.push(options);
      return run(client);
    },
  };
  return client;
}

function bun(adapter: string) {
  return Object.assign(() => {}, { unsafe: nothing, begin: nothing, options: { adapter } });
}

const pgPool = { query: nothing, connect: () => Promise.reject(new Error("no connection")) };
const pglite = { query: nothing, exec: nothing, transaction: nothing };

test("connectionOf() recognizes each connection by its shape, and gives the same one again", () => {
  const drivers: Readonly<Record<PostgresConnection["kind"], object>> = {
    pg: pgPool,
    postgres: Object.assign(() => {}, { unsafe: nothing, begin: nothing, options: { host: ["db.test"] } }),
    pglite,
    neon: { ...pgPool, hasFetchUnsupportedListeners: false },
    bun: bun("postgres"),
    kysely: kysely('$1 "a"'),
    drizzle: drizzle("PgDialect", { ...pgPool }),
    prisma: prisma("postgresql"),
  };
  for (const [kind, driver] of Object.entries(drivers)) {
    const connection = connectionOf(driver as PostgresDriver);
    assert.deepEqual([connection.kind, connection.client === driver], [kind, true]);
    assert.equal(connectionOf(driver as PostgresDriver), connection);
  }
});

test("connectionOf() gives a Drizzle database the pool of its client", () => {
  for (const client of [pgPool, pglite]) {
    assert.equal(connectionOf(drizzle("PgDialect", client)).pool, connectionOf(client as PostgresDriver).pool);
  }
});

test("connectionOf() takes what speaks like PostgreSQL, and clients of Prisma that do not tell", () => {
  for (const provider of ["postgresql", "cockroachdb", undefined]) {
    assert.equal(connectionOf(prisma(provider)).kind, "prisma");
  }
});

const REFUSED: Readonly<Record<string, readonly [driver: object, says: RegExp]>> = {
  "Bun's SQL on MySQL": [bun("mysql"), /`SQL` of Bun is connected to mysql.+`mysqlAdapter\(\)`/],
  "Bun's SQL on SQLite": [bun("sqlite"), /connected to sqlite.+`sqliteAdapter\(\)`/],
  "Kysely on SQLite": [kysely('? "a"'), /Kysely instance is connected to sqlite.+`sqliteAdapter\(\)`/],
  "Kysely on MySQL": [kysely("? `a`"), /connected to mysql.+`mysqlAdapter\(\)`/],
  "Kysely on SQL Server": [kysely('@1 "a"'), /connected to sqlserver.+adapter of Auth\.js/],
  "a transaction of Kysely": [{ ...kysely('$1 "a"'), isTransaction: true }, /transaction of Kysely, which ends/],
  "Drizzle on SQLite": [
    drizzle("SQLiteSyncDialect", {}),
    /Drizzle database is connected to sqlite.+`sqliteAdapter\(\)`/,
  ],
  "Drizzle on MySQL": [drizzle("MySqlDialect", {}), /connected to mysql.+`mysqlAdapter\(\)`/],
  "Drizzle without a client": [drizzle("PgDialect"), /`\$client` of this Drizzle database is undefined.+node-postgres/],
  "Drizzle with another client": [drizzle("PgDialect", { send: nothing }), /pass a `Pool` of the package `pg`/],
  "Drizzle with a Client of pg": [drizzle("PgDialect", { ...pgPool, connectionParameters: {} }), /two requests cannot/],
  "Prisma on SQLite": [prisma("sqlite"), /`PrismaClient` is connected to sqlite.+`sqliteAdapter\(\)`/],
  "Prisma on MongoDB": [prisma("mongodb"), /connected to mongodb.+adapter of Auth\.js/],
  "Neon over HTTP": [Object.assign(() => {}, { query: nothing, transaction: nothing }), /over HTTP.+Pass a `Pool`/],
  "a pool of MySQL": [{ query: nothing, getConnection: nothing }, /connected to mysql.+`mysqlAdapter\(\)`/],
  "a database of Bun's SQLite": [
    { query: nothing, exec: nothing, transaction: nothing, prepare: nothing },
    /connected to sqlite.+`sqliteAdapter\(\)`/,
  ],
  "a client of libsql": [{ execute: nothing, executeMultiple: nothing }, /connected to sqlite.+`sqliteAdapter\(\)`/],
  "a Sequelize": [{ query: nothing, transaction: nothing, define: nothing }, /pass a `Pool`.+`PrismaClient`/],
};

for (const [name, [driver, message]] of Object.entries(REFUSED)) {
  test(`connectionOf() refuses ${name}, and says what to do`, () => {
    const refusal = { name: "InvalidConfig", logCode: "driver-unusable", message };
    assert.throws(() => connectionOf(driver as PostgresDriver), refusal);
  });
}

test("connectionOf() asks Kysely without its plugins, and begins transactions that are read committed", async () => {
  const said: unknown[] = [];
  const plain = kysely('$1 "a"', said);
  const { pool } = connectionOf({ ...kysely('$1 "a"'), withoutPlugins: () => plain });
  await pool.query("select $1", ["x"]);
  await pool.transaction((query) => query("select 2", []));
  assert.deepEqual(said, [["select $1", ["x"]], "read committed", ["select 2", []]]);
});

test("connectionOf() asks Prisma with raw queries, in transactions that are read committed", async () => {
  const said: unknown[] = [];
  const { pool } = connectionOf(prisma("postgresql", said));
  await pool.query("select $1", ["x"]);
  await pool.transaction((query) => query("select 2", []));
  const [asked, options, inside] = said;
  assert.deepEqual([asked, inside], [["select $1", "x"], ["select 2"]]);
  assert.equal((options as { isolationLevel: string }).isolationLevel, "ReadCommitted");
});

test("connectionOf() begins transactions of PGlite that are read committed, and returns a result of any kind", async () => {
  const said: string[] = [];
  const query = (sql: string) => {
    said.push(sql);
    return nothing();
  };
  const inside = { query, exec: nothing };
  const driver = { ...pglite, transaction: <T>(run: (given: typeof inside) => Promise<T>) => run(inside) };
  assert.equal(await connectionOf(driver).pool.transaction(() => Promise.resolve(undefined)), undefined);
  assert.deepEqual(said, ["set transaction isolation level read committed"]);
});
