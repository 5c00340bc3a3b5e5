/** One file, used by this adapter and Drizzle's in turn. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { DrizzleAdapter } from "@auth/drizzle-adapter";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import type { CompleteAdapter } from "../../../src/contract/adapter.ts";
import { sqliteAdapter } from "../../../adapters/sqlite.ts";

/** The tables that Drizzle creates for the schema in its adapter's documentation. */
const DRIZZLE_TABLES = `
  create table \`user\` (\`id\` text primary key not null, \`name\` text, \`email\` text, \`emailVerified\` integer,
    \`image\` text);
  create unique index \`user_email_unique\` on \`user\` (\`email\`);
  create table \`account\` (\`userId\` text not null, \`type\` text not null, \`provider\` text not null,
    \`providerAccountId\` text not null, \`refresh_token\` text, \`access_token\` text, \`expires_at\` integer,
    \`token_type\` text, \`scope\` text, \`id_token\` text, \`session_state\` text,
    primary key(\`provider\`, \`providerAccountId\`),
    foreign key (\`userId\`) references \`user\`(\`id\`) on update no action on delete cascade);
  create table \`session\` (\`sessionToken\` text primary key not null, \`userId\` text not null,
    \`expires\` integer not null,
    foreign key (\`userId\`) references \`user\`(\`id\`) on update no action on delete cascade);
  create table \`verificationToken\` (\`identifier\` text not null, \`token\` text not null,
    \`expires\` integer not null, primary key(\`identifier\`, \`token\`));
  create table \`authenticator\` (\`credentialID\` text not null, \`userId\` text not null,
    \`providerAccountId\` text not null, \`credentialPublicKey\` text not null, \`counter\` integer not null,
    \`credentialDeviceType\` text not null, \`credentialBackedUp\` integer not null, \`transports\` text,
    primary key(\`userId\`, \`credentialID\`),
    foreign key (\`userId\`) references \`user\`(\`id\`) on update no action on delete cascade);
  create unique index \`authenticator_credentialID_unique\` on \`authenticator\` (\`credentialID\`);
`;

function openDrizzle(handle: DatabaseSync): CompleteAdapter {
  const database = drizzle((sql, params, method) => {
    const statement = handle.prepare(sql);
    const rows = statement.all(...params).map((row) => Object.values(row));
    return Promise.resolve({ rows: method === "get" ? rows[0] as unknown[] : rows });
  });
  return DrizzleAdapter(database) as unknown as CompleteAdapter;
}

const USER = { name: "Ada", email: "ada@example.com", emailVerified: new Date(1700000000123), image: null };
const LATER = new Date(4102444800123);

/** Writes everything with one adapter and reads it with the other. */
async function exchange(from: CompleteAdapter, to: CompleteAdapter): Promise<void> {
  const { id } = await from.createUser({ ...USER, id: "ada" });
  const account = {
    userId: id,
    provider: "mock",
    providerAccountId: "1",
    type: "oidc",
    access_token: "a",
    expires_at: 1700000000,
  } as const;
  await from.linkAccount(account);
  await from.createSession({ sessionToken: "s", userId: id, expires: LATER });
  await from.createVerificationToken({ identifier: "ada@example.com", token: "t", expires: LATER });
  const authenticator = {
    credentialID: "c",
    userId: id,
    providerAccountId: "c",
    credentialPublicKey: "k",
    counter: 7,
    credentialDeviceType: "singleDevice",
    credentialBackedUp: true,
    transports: "usb",
  };
  await from.createAuthenticator(authenticator);

  partly(await to.getUser(id), { ...USER, id });
  partly(await to.getUserByEmail("ada@example.com"), { id });
  partly(await to.getUserByAccount({ provider: "mock", providerAccountId: "1" }), { id });
  partly(await to.getAccount("1", "mock"), account);
  const found = await to.getSessionAndUser("s");
  partly(found?.session ?? null, { sessionToken: "s", userId: id, expires: LATER });
  partly(found?.user ?? null, { id });
  partly(await to.getAuthenticator("c"), authenticator);
  partly(await to.useVerificationToken({ identifier: "ada@example.com", token: "t" }), { expires: LATER });
  partly(await to.updateUser({ id, name: "Ada L." }), { name: "Ada L.", emailVerified: USER.emailVerified });
  partly(await from.getUser(id), { name: "Ada L." });
  await to.deleteUser(id);
  assert.equal(await from.getSessionAndUser("s"), null);
  assert.equal(await from.getAccount("1", "mock"), null);
}

function partly(actual: object | null, expected: object): void {
  assert.deepEqual({ ...actual, ...expected }, { ...actual });
}

test("sqliteAdapter() and Drizzle's adapter read what the other stores in Drizzle's tables", async () => {
  const handle = new DatabaseSync(":memory:");
  handle.exec(DRIZZLE_TABLES);
  const ours = sqliteAdapter(handle);
  await exchange(openDrizzle(handle), ours);
  await exchange(ours, openDrizzle(handle));
});

test("sqliteAdapter() and Drizzle's adapter read what the other stores in our tables", async () => {
  const handle = new DatabaseSync(":memory:");
  const ours = sqliteAdapter(handle);
  await exchange(ours, openDrizzle(handle));
  await exchange(openDrizzle(handle), ours);
});

test("sqliteAdapter() adds to Drizzle's tables only columns that are its own, and no second unique index", async () => {
  const handle = new DatabaseSync(":memory:");
  handle.exec(DRIZZLE_TABLES);
  const shape = (sql: string) => handle.prepare(sql).all().map((row) => Object.values(row).join(" "));
  const columns = "select t.name || ' ' || c.name from pragma_table_list t, pragma_table_info(t.name) c " +
    "where t.schema = 'main' and t.name not like 'sqlite_%' and t.name not in ('onceMark', 'authRecord', 'authBucket') order by 1";
  const before = shape(columns);
  await sqliteAdapter(handle).getUser("nobody");
  const added = shape(columns).filter((column) => !before.includes(column));
  assert.deepEqual(
    added,
    [
      "account extra",
      "authenticator extra",
      "session extra",
      "session provider",
      "session providerSid",
      "user extra",
      "verificationToken extra",
    ],
  );
  const unique = "select name from sqlite_schema where sql like 'create unique index%' order by 1";
  assert.deepEqual(shape(unique), ["authenticator_credentialID_unique", "user_email_unique"]);
});

test("sqliteAdapter() finds sessions by the id at their provider in tables that had no column for it", async () => {
  const handle = new DatabaseSync(":memory:");
  handle.exec(DRIZZLE_TABLES);
  const adapter = sqliteAdapter(handle);
  await adapter.createUser({ id: "1", email: "ada@example.com", emailVerified: null });
  const row = { sessionToken: "s", userId: "1", expires: new Date(2e12), provider: "idp", providerSid: "p" };
  await adapter.createSession(row);
  assert.deepEqual(await adapter.listSessionsByProviderSid({ provider: "idp", sid: "p" }), [row]);
  const plan = handle.prepare(
    'explain query plan select * from "session" where "provider" = ? and "providerSid" = ?',
  ).all("idp", "p");
  assert.match(JSON.stringify(plan), /session_provider_providerSid_index/);
});
