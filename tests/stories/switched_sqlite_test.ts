/** An application with Auth.js's adapter of Drizzle on `better-sqlite3` that changes one line. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DrizzleAdapter } from "@auth/drizzle-adapter";
import Database from "better-sqlite3";
import { asc } from "drizzle-orm";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { integer, primaryKey, sqliteTableCreator, text } from "drizzle-orm/sqlite-core";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { switchStorage } from "../_support/switched_storage.ts";

// As templates have it: a prefix, names in snake case, and columns that Drizzle fills.
const table = sqliteTableCreator((name) => `app_${name}`);
const users = table("user", {
  id: text("id").primaryKey().$defaultFn(() => crypto.randomUUID()),
  name: text("name"),
  email: text("email").notNull().unique(),
  emailVerified: integer("email_verified", { mode: "timestamp_ms" }),
  image: text("image"),
  createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull().$defaultFn(() => new Date()),
  updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull().$onUpdateFn(() => new Date()),
});
const accounts = table("account", {
  userId: text("user_id").notNull().references(() => users.id),
  type: text("type").notNull(),
  provider: text("provider").notNull(),
  providerAccountId: text("provider_account_id").notNull(),
  refresh_token: text("refresh_token"),
  access_token: text("access_token"),
  expires_at: integer("expires_at"),
  token_type: text("token_type"),
  scope: text("scope"),
  id_token: text("id_token"),
  session_state: text("session_state"),
}, (columns) => [primaryKey({ columns: [columns.provider, columns.providerAccountId] })]);
const sessions = table("session", {
  sessionToken: text("session_token").primaryKey(),
  userId: text("user_id").notNull().references(() => users.id),
  expires: integer("expires", { mode: "timestamp_ms" }).notNull(),
});
const verificationTokens = table("verification_token", {
  identifier: text("identifier").notNull(),
  token: text("token").notNull(),
  expires: integer("expires", { mode: "timestamp_ms" }).notNull(),
}, (columns) => [primaryKey({ columns: [columns.identifier, columns.token] })]);

const TABLES = `
  create table app_user (id text primary key not null, name text, email text not null, email_verified integer,
    image text, created_at integer not null, updated_at integer not null);
  create unique index app_user_email_unique on app_user (email);
  create table app_account (user_id text not null references app_user (id), type text not null, provider text not null,
    provider_account_id text not null, refresh_token text, access_token text, expires_at integer, token_type text,
    scope text, id_token text, session_state text, primary key (provider, provider_account_id));
  create table app_session (session_token text primary key not null, user_id text not null references app_user (id),
    expires integer not null);
  create table app_verification_token (identifier text not null, token text not null, expires integer not null,
    primary key (identifier, token));
`;

test("an application with @auth/drizzle-adapter on better-sqlite3 switches by one line, and nobody is signed out", async () => {
  const database = new Database(":memory:");
  database.exec(TABLES);
  const db = drizzle(database, { schema: { users, accounts, sessions, verificationTokens } });
  const tables = {
    usersTable: users,
    accountsTable: accounts,
    sessionsTable: sessions,
    verificationTokensTable: verificationTokens,
  };
  await switchStorage({
    theirs: DrizzleAdapter(db, tables as never),
    ours: sqliteAdapter(db),
    people: () => db.query.users.findMany({ orderBy: asc(users.name) }),
  });
  const [ada, bob] = await db.query.users.findMany({ orderBy: asc(users.name) });
  assert.ok(ada && bob && bob.createdAt >= ada.createdAt, "Drizzle's own columns are filled");
  const [session] = await db.query.sessions.findMany();
  assert.ok(session && session.expires.getTime() > Date.now() + 86_400_000, "Drizzle reads the dates");
  database.close();
});
