/** Storage that cannot be used as it is. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import postgres from "postgres";
import { createAuth } from "@x/auth";
import { postgresAdapter } from "@x/auth/adapters/postgres";
import { type SqliteAdapter, sqliteAdapter } from "@x/auth/adapters/sqlite";
import { findPostgres, type PostgresServer, skipsWithoutPostgres, startPostgres } from "../../_support/postgres.ts";
import { type Handler, type Mistake, tellMistakes } from "./_table.ts";

type Adapter = Parameters<typeof createAuth>[0] extends infer C ? C extends { adapter?: infer A } ? A : never : never;

/** A service with storage, which is asked for a session. */
function serviceWith(adapter: Adapter, close?: () => unknown) {
  const { handler } = createAuth({ providers: [], adapter, session: { strategy: "database" } });
  return { handler, ...(close && { close }) };
}

const sessionOf = async (handler: Handler) => {
  const headers = { cookie: "authjs.session-token=0123456789abcdef" };
  return await handler(new Request("http://localhost:3000/auth/session", { headers }));
};

const UNKNOWN = { status: 503, text: /Try again later/ } as const;

const folder = mkdtempSync(join(tmpdir(), "mistakes-"));
after(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, "notes.txt"), "These are notes, and no database. ".repeat(50));

function sqlite(name: string, path: () => string, says: readonly string[]): Mistake {
  return {
    name,
    make: () => {
      const adapter: SqliteAdapter = sqliteAdapter(path());
      return serviceWith(adapter as Adapter, () => adapter.close());
    },
    ask: sessionOf,
    see: UNKNOWN,
    code: "sqlite-unopened",
    log: /Cannot open the SQLite file "/,
    says,
  };
}

tellMistakes([
  sqlite("the folder of a SQLite file does not exist", () => join(folder, "data", "auth.db"), [
    JSON.stringify(join(folder, "data", "auth.db")),
    `the folder ${JSON.stringify(join(folder, "data"))} does not exist. Create it`,
  ]),
  sqlite("the path of a SQLite file is a folder", () => folder, [
    "it is a folder. Set the path of a file in it, such as auth.db",
  ]),
  sqlite("the folder of a SQLite file is a file", () => join(folder, "notes.txt", "auth.db"), [
    `${JSON.stringify(join(folder, "notes.txt"))} is a file, not a folder`,
  ]),
  sqlite("the SQLite file is no database", () => join(folder, "notes.txt"), [
    "it is not a SQLite database, or it is encrypted",
  ]),
]);

const bin = findPostgres();

describe("with PostgreSQL", { skip: skipsWithoutPostgres(bin, "The mistakes with PostgreSQL") }, () => {
  let server: PostgresServer;
  before(async () => void (server = await startPostgres(bin)));
  after(async () => await server.stop());

  let made = 0;

  /** Makes a schema of its own with the tables of other software. */
  async function schemaOf(statements: readonly string[]) {
    const pool = new pg.Pool({ connectionString: server.url, max: 2 });
    const schema = `other_${made += 1}`;
    await pool.query(`create schema ${schema}`);
    for (const statement of statements) await pool.query(statement.replaceAll("@", `${schema}.`));
    return { pool, schema, adapter: postgresAdapter(pool, { schema }), close: () => pool.end() };
  }

  // As other software makes them.
  const IDS = ["create table @users (id serial primary key, name text)"];
  const DATES = [`create table @users (id text primary key, "emailVerified" text)`];
  const OWNERS = ["create table @users (id text primary key)", `create table @sessions ("userId" integer not null)`];

  function migrated(name: string, statements: readonly string[], says: readonly string[]): Mistake {
    return {
      name,
      make: async () => {
        const { adapter, pool, schema, close } = await schemaOf(statements);
        try {
          await adapter.migrate();
        } finally {
          const tables = await pool.query(
            "select table_name from information_schema.tables where table_schema = $1",
            [schema],
          );
          await close();
          assert.equal(tables.rows.length, statements.length, "nothing was changed before the check");
        }
      },
      see: null,
      log: /Cannot use storage: column/,
      says,
    };
  }

  function used(name: string, statements: readonly string[], says: readonly string[]): Mistake {
    return {
      name,
      make: async () => {
        const { adapter, close } = await schemaOf(statements);
        return serviceWith(adapter as Adapter, close);
      },
      ask: sessionOf,
      see: UNKNOWN,
      code: "storage-tables",
      log: /Cannot use storage: /,
      says,
    };
  }

  const REMEDY = "choose other tables with the option `tables`";

  tellMistakes([
    migrated("`migrate` finds tables whose ids are numbers", IDS, [
      'column "id" of table "users" holds int4',
      "Change its type to text",
      REMEDY,
    ]),
    migrated("`migrate` finds tables whose dates are text", DATES, [
      'column "emailVerified" of table "users" holds text',
      "Change its type to timestamptz",
      REMEDY,
    ]),
    migrated("`migrate` finds tables that refer to users by number", OWNERS, [
      'column "userId" of table "sessions" holds int4',
      "Change its type to text",
    ]),
    used("the tables of other software are used without `migrate`: ids are numbers", IDS, [
      'column "id" of table "users" holds int4',
      "Change its type to text",
    ]),
    used("the tables of other software are used without `migrate`: dates are text", DATES, [
      'column "emailVerified" of table "users" holds text',
      "Change its type to timestamptz",
    ]),
    {
      name: "the tables do not exist, because nobody has called `migrate`",
      make: async () => {
        const { adapter, close } = await schemaOf([]);
        return serviceWith(adapter as Adapter, close);
      },
      ask: sessionOf,
      see: UNKNOWN,
      code: "storage-tables",
      log: /Cannot use storage: /,
      says: ['table "users" is missing', "call migrate() once"],
    },
    {
      name: "the pool was ended",
      make: async () => {
        const { adapter, pool } = await schemaOf([]);
        await adapter.migrate();
        await pool.end();
        return serviceWith(adapter as Adapter);
      },
      ask: sessionOf,
      see: UNKNOWN,
      log: /Cannot read the session: .*Cannot use a pool after calling end on the pool/,
      says: ["Cannot use a pool after calling end"],
    },
  ]);
});

const CLIENT = {
  see: null,
  log: /Cannot use driver: a `Client` of the package `pg` is one connection/,
  says: ["which two requests cannot share", "Pass a `Pool` instead", "new pg.Pool({ connectionString })"],
} as const;

tellMistakes([
  {
    name: "a `pg.Client` is the driver",
    make: () => serviceWith(postgresAdapter(new pg.Client("postgres://127.0.0.1:1/app") as never) as Adapter),
    ...CLIENT,
  },
  {
    name: "a `pg.Client` that was closed is the driver",
    make: async () => {
      const client = new pg.Client("postgres://127.0.0.1:1/app");
      await client.end();
      return serviceWith(postgresAdapter(client as never) as Adapter);
    },
    ...CLIENT,
  },
  {
    name: "nothing listens where PostgreSQL is said to be",
    make: () => {
      const pool = new pg.Pool({ connectionString: "postgres://app@127.0.0.1:1/app" });
      return serviceWith(postgresAdapter(pool) as Adapter, () => pool.end());
    },
    ask: sessionOf,
    see: UNKNOWN,
    log: /Cannot read the session: .*ECONNREFUSED/,
    says: ["127.0.0.1:1"],
  },
]);

test("a Pool, and what `postgres()` returns, are drivers", async () => {
  const pool = new pg.Pool({ connectionString: "postgres://127.0.0.1:1/app" });
  const sql = postgres("postgres://127.0.0.1:1/app");
  assert.ok(postgresAdapter(pool).migrate);
  assert.ok(postgresAdapter(sql as never).migrate);
  await pool.end();
  await sql.end();
});
