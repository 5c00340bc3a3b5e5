import { drizzle as onPostgres } from "drizzle-orm/pg-proxy";
import { drizzle as onMySql } from "drizzle-orm/mysql-proxy";
import { mysqlTable, varchar } from "drizzle-orm/mysql-core";
import { boolean, pgSchema, pgTable, pgTableCreator, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { drizzle as onSqlite } from "drizzle-orm/sqlite-proxy";
import { integer, sqliteTable, text as sqliteText } from "drizzle-orm/sqlite-core";
import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { drizzleNames, isDrizzleTable } from "../../../../adapters/sql/drizzle_names.ts";
import { SQLITE_NAMES } from "../../../../adapters/sql/sqlite_schema.ts";
import { InvalidConfig } from "../../../../src/kernel/errors.ts";

const nothing = () => Promise.resolve({ rows: [] });

const mine = pgTableCreator((name) => `shop_${name}`);

const users = mine("user", {
  id: text("id").primaryKey().$defaultFn(() => crypto.randomUUID()),
  email: text("email").unique(),
  emailVerified: timestamp("email_verified"),
  role: text("role").notNull().$defaultFn(() => "member"),
  slug: text("public_slug").unique().$defaultFn(() => crypto.randomUUID()),
  madeAt: timestamp("made_at").notNull().$defaultFn(() => new Date()),
  updatedAt: timestamp("updated_at").$onUpdateFn(() => new Date()),
});
const accounts = mine("account", {
  userId: text("user_id").notNull(),
  provider: text("provider").notNull(),
  providerAccountId: text("provider_account_id").notNull(),
});
const sessions = mine("session", {
  id: uuid("session_id").primaryKey().$defaultFn(() => crypto.randomUUID()),
  sessionToken: text("session_token").notNull(),
  userId: text("user_id").notNull(),
  expires: timestamp("expires").notNull(),
});

describe("drizzleNames()", () => {
  test("gives the names of @auth/drizzle-adapter where no schema was passed", () => {
    for (const [db, dialect] of [[onPostgres(nothing), "postgres"], [onSqlite(nothing), "sqlite"]] as const) {
      const found = drizzleNames(db);
      assert.equal(found?.dialect, dialect);
      assert.deepEqual(
        Object.entries(found.tables).map(([id, { name, schema, columns, fills }]) => {
          return [id, name, schema, columns.size, fills.length];
        }),
        Object.entries(SQLITE_NAMES).map(([id, name]) => [id, name, undefined, 0, 0]),
      );
    }
    assert.equal(drizzleNames(onMySql(nothing))?.dialect, "mysql");
  });

  test("reads tables and columns from the schema, and gives the others the same prefix", () => {
    const tables = drizzleNames(onPostgres(nothing, { schema: { users, accounts, sessions } }))?.tables;
    assert.equal(tables?.users?.name, "shop_user");
    assert.equal(tables?.users?.columns.get("emailVerified"), "email_verified");
    assert.equal(tables?.accounts?.columns.get("providerAccountId"), "provider_account_id");
    assert.equal(tables?.sessions?.columns.get("sessionToken"), "session_token");
    assert.equal(tables?.records?.name, "shop_authRecord");
    assert.equal(tables?.onceMarks?.name, "shop_onceMark");
  });

  test("lists the columns that Drizzle fills, but not those of which only the application knows the value", () => {
    const tables = drizzleNames(onPostgres(nothing, { schema: { users, accounts, sessions } }))?.tables;
    assert.deepEqual(tables?.users?.fills, [
      { column: "public_slug", with: "id", onUpdate: false },
      { column: "made_at", with: "now", onUpdate: false },
      { column: "updated_at", with: "now", onUpdate: true },
    ]);
    assert.deepEqual(tables?.sessions?.fills, [{ column: "session_id", with: "id", onUpdate: false }]);
  });

  test("spells columns without a name as `casing` says", () => {
    const members = pgTable("members", { id: text().primaryKey(), email: text(), emailVerified: timestamp() });
    const links = pgTable("account", { provider: text(), providerAccountId: text(), access_token: text("token") });
    const schema = { usersTable: members, accountsTable: links };
    const snake = drizzleNames(onPostgres(nothing, { schema, casing: "snake_case" }))?.tables;
    assert.equal(snake?.users?.name, "members");
    assert.equal(snake?.users?.columns.get("emailVerified"), "email_verified");
    assert.equal(snake?.accounts?.columns.get("providerAccountId"), "provider_account_id");
    assert.equal(snake?.accounts?.columns.get("access_token"), "token");
    const plain = drizzleNames(onPostgres(nothing, { schema }))?.tables;
    assert.equal(plain?.users?.columns.get("emailVerified"), "emailVerified");
  });

  test("reads the schema of a table, where the tables that it does not know are made, too", () => {
    const auth = pgSchema("auth");
    const own = auth.table("user", { id: text("id"), email: text("email") });
    const linked = auth.table("account", { provider: text("provider"), providerAccountId: text("providerAccountId") });
    const found = drizzleNames(onPostgres(nothing, { schema: { user: own, account: linked } }));
    assert.equal(found?.tables.users?.schema, "auth");
    assert.equal(found?.tables.records?.schema, "auth");
  });

  test("leaves the application its own tables of the same name", () => {
    const cashier = pgTable("accounts", { id: text("id"), open: boolean("open") });
    const found = drizzleNames(onPostgres(nothing, { schema: { users, accounts: cashier, account: accounts } }));
    assert.equal(found?.tables.accounts?.name, "shop_account");
  });

  test("takes tables of Drizzle, keys of the schema and names as `tables`", () => {
    const db = onPostgres(nothing, { schema: { people: users, links: accounts } });
    const byKey = drizzleNames(db, { users: "people", accounts: "shop_account", sessions: "my_sessions" });
    assert.deepEqual(
      [byKey?.tables.users?.name, byKey?.tables.accounts?.name, byKey?.tables.sessions?.name],
      ["shop_user", "shop_account", "my_sessions"],
    );
    assert.equal(byKey?.tables.accounts?.columns.get("userId"), "user_id");
    const given = drizzleNames(onPostgres(nothing), { users, accounts });
    assert.equal(given?.tables.users?.columns.get("emailVerified"), "email_verified");
    const varchars = mysqlTable("people", { id: varchar("id", { length: 40 }) });
    assert.ok(isDrizzleTable(varchars));
    assert.throws(() => drizzleNames(db, { users: { name: "people" } }), InvalidConfig);
  });

  test("refuses users without accounts: accounts in an empty table would let nobody in", () => {
    assert.throws(() => drizzleNames(onPostgres(nothing, { schema: { users } })), /`tables\.accounts`/);
    assert.equal(
      drizzleNames(onPostgres(nothing, { schema: { users } }), { accounts: "x" })?.tables.accounts?.name,
      "x",
    );
  });

  test("refuses dates in seconds, which would be written as milliseconds", () => {
    const inSeconds = sqliteTable("session", {
      sessionToken: sqliteText("sessionToken").primaryKey(),
      seenAt: integer("seen_at", { mode: "timestamp" }),
      expires: integer("expires", { mode: "timestamp" }).notNull(),
    });
    const db = onSqlite(nothing, { schema: { sessions: inSeconds } });
    assert.throws(() => drizzleNames(db), /column "expires" of table "session": it holds seconds/);
    const own = sqliteTable("session", {
      sessionToken: sqliteText("sessionToken").primaryKey(),
      expires: integer("expires", { mode: "timestamp_ms" }).notNull(),
      seenAt: integer("seen_at", { mode: "timestamp" }).$defaultFn(() => new Date()),
    });
    const found = drizzleNames(onSqlite(nothing, { schema: { sessions: own } }));
    assert.equal(found?.tables.sessions?.columns.get("seenAt"), "seen_at");
    assert.deepEqual(found.tables.sessions.fills, []);
  });

  test("answers null for anything else, whatever that does when it is read", () => {
    const throwing = new Proxy({}, {
      get: () => {
        throw new Error("not connected");
      },
    });
    const answering: object = new Proxy(() => answering, { get: () => answering });
    for (const other of [null, undefined, "postgres://", {}, throwing, answering, () => {}]) {
      assert.equal(drizzleNames(other), null);
      assert.equal(isDrizzleTable(other), false);
    }
  });
});
