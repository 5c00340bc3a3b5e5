/** Tables whose names and columns are other ones than those of the adapters of Auth.js. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { conformanceCases } from "../../../adapters/conformance.ts";
import { postgresAdapter } from "../../../adapters/postgres.ts";
import { sqliteAdapter, type TableNameOptions } from "../../../adapters/sqlite.ts";
import { InvalidConfig } from "../../../src/kernel/errors.ts";
import { findPostgres, type PostgresServer, skipsWithoutPostgres, startPostgres } from "../../_support/postgres.ts";

const TABLES = {
  users: { name: "app-user", columns: { emailVerified: "checked_at", role: "user_role" } },
  accounts: "app-account",
  sessions: { name: "app-session", columns: { sessionToken: "secret" } },
  verificationTokens: "app-token",
} satisfies TableNameOptions;

const NAMES = ["app-user", "app-account", "app-session", "app-token"];

/** Tables as an application writes them, with columns of its own. @param date The type of a date. */
const tables = (date: string) => `
  create table "app-user" (id text primary key not null, name text, email text unique, "checked_at" ${date}, image text,
    "user_role" text);
  create table "app-account" (user_id text not null references "app-user" (id), type text not null,
    provider text not null, provider_account_id text not null, refresh_token text, access_token text,
    expires_at bigint, token_type text, scope text, id_token text, session_state text,
    primary key (provider, provider_account_id));
  create table "app-session" (secret text primary key not null, user_id text not null references "app-user" (id),
    expires ${date} not null);
  create table "app-token" (identifier text not null, token text not null, expires ${date} not null,
    primary key (identifier, token));
`;

function openSqlite() {
  const handle = new DatabaseSync(":memory:");
  handle.exec(tables("integer"));
  let clock = Date.UTC(2031, 0, 1);
  const adapter = sqliteAdapter(handle, { tables: TABLES, now: () => clock });
  return {
    handle,
    adapter,
    now: { set: (milliseconds: number) => void (clock = milliseconds) },
    close: () => handle.close(),
  };
}

for (const { name, run } of conformanceCases(openSqlite)) test(`sqliteAdapter() with other names: ${name}`, run);

test("sqliteAdapter() writes to the columns that the tables have, and adds none for them", async () => {
  const { handle, adapter, close } = openSqlite();
  const emailVerified = new Date(1700000000123);
  await adapter.createUser({ id: "ada", email: "ada@example.com", emailVerified, ...{ role: "admin" } });
  await adapter.createSession({ sessionToken: "s", userId: "ada", expires: new Date(4102444800123) });
  const { extra: _, ...user } = handle.prepare(`select * from "app-user"`).get() ?? {};
  assert.deepEqual(user, {
    id: "ada",
    name: null,
    email: "ada@example.com",
    checked_at: 1700000000123,
    image: null,
    user_role: "admin",
  });
  const found = await adapter.getSessionAndUser("s");
  assert.deepEqual(found?.user, {
    id: "ada",
    name: null,
    email: "ada@example.com",
    emailVerified,
    image: null,
    role: "admin",
  });
  const columns = handle.prepare(`pragma table_info("app-session")`).all().map((column) => column.name);
  assert.deepEqual(columns, ["secret", "user_id", "expires", "provider", "providerSid", "extra"]);
  close();
});

test("sqliteAdapter() says which two members have one column", () => {
  const options = { tables: { users: { columns: { name: "label", image: "label" } } } };
  assert.throws(
    () => sqliteAdapter(":memory:", options),
    new InvalidConfig("Cannot use option `tables.users.columns`: two members have the same column"),
  );
});

const bin = findPostgres();
const skip = skipsWithoutPostgres(bin, "The tests of PostgreSQL with other names");

describe("postgresAdapter() with other names", { skip }, () => {
  let server: PostgresServer;
  let pool: pg.Pool;
  before(async () => {
    server = await startPostgres(bin);
    pool = new pg.Pool({ connectionString: server.url, max: 8 });
    await pool.query(tables("timestamp(3)"));
    await postgresAdapter(pool, { tables: TABLES }).migrate();
  });
  after(async () => {
    await pool.end();
    await server.stop();
  });

  async function open() {
    let clock = Date.UTC(2031, 0, 1);
    await pool.query(
      `truncate ${NAMES.map((name) => `"${name}"`).join(", ")}, authenticators, once_marks, auth_records, auth_buckets`,
    );
    const adapter = postgresAdapter(pool, { tables: TABLES, now: () => clock });
    return { adapter, now: { set: (milliseconds: number) => void (clock = milliseconds) } };
  }
  for (const { name, run } of conformanceCases(open)) test(name, run);

  test("migrate() adds no column for a member that has one, and can run again", async () => {
    await postgresAdapter(pool, { tables: TABLES }).migrate();
    const { rows } = await pool.query(
      "select column_name as name from information_schema.columns where table_name = 'app-session' order by ordinal_position",
    );
    assert.deepEqual(rows.map(({ name }: { name: string }) => name), [
      "secret",
      "user_id",
      "expires",
      "provider",
      "providerSid",
      "extra",
    ]);
  });
});
