/** Connections that are not for SQLite, and clients whose transactions share a connection with everything else. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { test } from "node:test";
import { drizzle as onPostgres } from "drizzle-orm/node-postgres";
import { drizzle as onProxy } from "drizzle-orm/sqlite-proxy";
import { Kysely, PostgresDialect, SqliteDialect } from "kysely";
import { sqliteAdapter, type SqliteConnection } from "../../../adapters/sqlite.ts";
import { InvalidConfig } from "../../../src/kernel/errors.ts";

const nothing = () => {};
const prisma = (provider: string, adapterName?: string) => ({
  $queryRawUnsafe: nothing,
  $transaction: nothing,
  _activeProvider: provider,
  _engineConfig: { adapter: { adapterName } },
});

const REFUSED: Readonly<Record<string, readonly [source: unknown, says: RegExp]>> = {
  "a client of Prisma for PostgreSQL": [prisma("postgresql"), /PostgreSQL: pass it to `postgresAdapter\(\)`/],
  "a client of Prisma for MySQL": [prisma("mysql"), /MySQL: pass it to `mysqlAdapter\(\)`/],
  "a client of Prisma for MongoDB": [prisma("mongodb"), /use the adapter of Auth\.js/],
  "a client of Prisma on D1": [prisma("sqlite", "@prisma/adapter-d1"), /transactions undo nothing/],
  "a database of Drizzle for PostgreSQL": [onPostgres({ query: nothing } as never), /postgresAdapter/],
  "a database of Drizzle without a client": [onProxy(() => Promise.resolve({ rows: [] })), /without a `\$client`/],
  "a Kysely instance for PostgreSQL": [
    new Kysely({ dialect: new PostgresDialect({ pool: {} as never }) }),
    /postgresAdapter/,
  ],
  "a pool of PostgreSQL": [{ query: nothing, connect: nothing }, /postgresAdapter/],
  "a pool of MySQL": [{ query: nothing, getConnection: nothing }, /mysqlAdapter/],
  "something else": [{ query: nothing }, /pass the path of a file.*libsql.*D1.*Kysely.*Drizzle.*Prisma/],
};

for (const [what, [source, says]] of Object.entries(REFUSED)) {
  test(`sqliteAdapter() refuses ${what}, and says what to do`, () => {
    assert.throws(() => sqliteAdapter(source as SqliteConnection), (error: Error) => {
      assert.ok(error instanceof InvalidConfig);
      assert.match(error.message, says);
      return true;
    });
  });
}

test("sqliteAdapter() accepts a Kysely instance for SQLite", async () => {
  const kysely = new Kysely({ dialect: new SqliteDialect({ database: {} as never }) });
  assert.ok(sqliteAdapter(kysely));
  await kysely.destroy().catch(nothing);
});

/** What Prisma does with one connection: statements beside a transaction are part of it. */
function onePrisma(database: DatabaseSync) {
  const all = async (sql: string, ...params: readonly unknown[]) => {
    await setImmediate();
    return database.prepare(sql).all(
      ...params.map((param) => param instanceof Date ? param.getTime() : param) as string[],
    );
  };
  const client = { $queryRawUnsafe: all, $executeRawUnsafe: all };
  return {
    ...client,
    $transaction: async (run: (transaction: typeof client) => Promise<unknown>) => {
      database.exec("begin");
      try {
        const result = await run(client);
        database.exec("commit");
        return result;
      } catch (error) {
        database.exec("rollback");
        throw error;
      }
    },
  };
}

test("what is written beside a transaction of Prisma is not undone with it", async () => {
  const database = new DatabaseSync(":memory:");
  const adapter = sqliteAdapter(onePrisma(database));
  const expires = new Date(Date.UTC(2100, 0, 1));
  await adapter.createUser({ id: "ada", email: "ada@example.com", emailVerified: null });
  const [result, ...sessions] = await Promise.all([
    adapter.commit({ createUser: { id: "eve", email: "ada@example.com", emailVerified: null } }),
    ...["1", "2", "3"].map((sessionToken) => adapter.createSession({ sessionToken, userId: "ada", expires })),
  ]);
  assert.equal(result, "conflict");
  for (const { sessionToken } of sessions) assert.ok(await adapter.getSessionAndUser(sessionToken), sessionToken);
  database.close();
});

test("what a transaction of Prisma has not committed is read by nobody beside it", async () => {
  const database = new DatabaseSync(":memory:");
  const adapter = sqliteAdapter(onePrisma(database));
  const session = { sessionToken: "1", userId: "ada", expires: new Date(Date.UTC(2100, 0, 1)) };
  await adapter.createUser({ id: "ada", email: "ada@example.com", emailVerified: null });
  await adapter.createSession(session);
  let hasEnded = false;
  const write = async () => {
    const eve = { id: "eve", email: "eve@example.com", emailVerified: null };
    // There is a session of this key, which is found only once the user is written.
    try {
      return await adapter.commit({ createUser: eve, createSession: { ...session, userId: eve.id } });
    } catch {
      return "failed";
    } finally {
      hasEnded = true;
    }
  };
  const read = async () => await adapter.getUser("eve");
  const writing = write();
  const reads = [];
  while (!hasEnded) {
    reads.push(read());
    await setImmediate();
  }
  assert.notEqual(await writing, "done");
  assert.deepEqual(new Set(await Promise.all(reads)), new Set([null]));
  database.close();
});
