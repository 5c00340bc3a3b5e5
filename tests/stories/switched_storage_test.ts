/** Applications with an adapter of Auth.js that change one line, on a database with their own tables. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { DrizzleAdapter } from "@auth/drizzle-adapter";
import { KyselyAdapter } from "@auth/kysely-adapter";
import PostgresAdapter from "@auth/pg-adapter";
import { asc } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { integer, pgTableCreator, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { postgresAdapter } from "@x/auth/adapters/postgres";
import {
  EMPTY_SCHEMA,
  findPostgres,
  type PostgresServer,
  skipsWithoutPostgres,
  startPostgres,
} from "../_support/postgres.ts";
import { type Person, switchStorage } from "../_support/switched_storage.ts";

// As templates have it: a prefix, names in snake case, and columns that Drizzle fills.
const table = pgTableCreator((name) => `app-${name}`);
const users = table("user", {
  id: text("id").primaryKey().$defaultFn(() => crypto.randomUUID()),
  name: text("name"),
  email: text("email").notNull().unique(),
  emailVerified: timestamp("email_verified", { withTimezone: true }),
  image: text("image"),
  createdAt: timestamp("created_at").notNull().$defaultFn(() => new Date()),
  updatedAt: timestamp("updated_at").notNull().$onUpdateFn(() => new Date()),
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
  expires: timestamp("expires", { withTimezone: true }).notNull(),
});
const verificationTokens = table("verification_token", {
  identifier: text("identifier").notNull(),
  token: text("token").notNull(),
  expires: timestamp("expires", { withTimezone: true }).notNull(),
}, (columns) => [primaryKey({ columns: [columns.identifier, columns.token] })]);

const DRIZZLE_TABLES = `
  create table "app-user" (id text primary key, name text, email text not null unique, email_verified timestamptz,
    image text, created_at timestamp not null, updated_at timestamp not null);
  create table "app-account" (user_id text not null references "app-user" (id), type text not null,
    provider text not null, provider_account_id text not null, refresh_token text, access_token text,
    expires_at integer, token_type text, scope text, id_token text, session_state text,
    primary key (provider, provider_account_id));
  create table "app-session" (session_token text primary key, user_id text not null references "app-user" (id),
    expires timestamptz not null);
  create table "app-verification_token" (identifier text not null, token text not null, expires timestamptz not null,
    primary key (identifier, token));
`;

const KYSELY_TABLES = `
  create table "User" (id text primary key default gen_random_uuid()::text, name text, email text unique,
    "emailVerified" timestamptz, image text);
  create table "Account" (id text primary key default gen_random_uuid()::text,
    "userId" text not null references "User" (id) on delete cascade, type text not null, provider text not null,
    "providerAccountId" text not null, refresh_token text, access_token text, expires_at bigint, token_type text,
    scope text, id_token text, session_state text);
  create table "Session" (id text primary key default gen_random_uuid()::text,
    "userId" text not null references "User" (id) on delete cascade, "sessionToken" text not null unique,
    expires timestamptz not null);
  create table "VerificationToken" (identifier text not null, token text not null unique, expires timestamptz not null);
`;

const PG_TABLES = `
  create table verification_token (identifier text not null, expires timestamptz not null, token text not null,
    primary key (identifier, token));
  create table accounts (id uuid primary key default gen_random_uuid(), "userId" uuid not null, type text not null,
    provider text not null, "providerAccountId" text not null, refresh_token text, access_token text, expires_at bigint,
    id_token text, scope text, session_state text, token_type text);
  create table sessions (id uuid primary key default gen_random_uuid(), "userId" uuid not null,
    expires timestamptz not null, "sessionToken" text not null);
  create table users (id uuid primary key default gen_random_uuid(), name text, email text,
    "emailVerified" timestamptz, image text);
`;

const bin = findPostgres();
const skip = skipsWithoutPostgres(bin, "The tests of applications that switch their storage");

describe("an application switches by one line, and nobody is signed out", { skip }, () => {
  let server: PostgresServer;
  before(async () => void (server = await startPostgres(bin)));
  after(() => server.stop());

  async function onTables(tables: string, use: (pool: pg.Pool) => Promise<void>): Promise<void> {
    const pool = new pg.Pool({ connectionString: server.url, max: 4 });
    try {
      await pool.query(`${EMPTY_SCHEMA}; ${tables}`);
      await use(pool);
    } finally {
      await pool.end();
    }
  }

  const byName = async (pool: pg.Pool, name: string) => {
    const { rows } = await pool.query(`select id, name, email from "${name}" order by name`);
    return rows as Person[];
  };

  test("from @auth/pg-adapter", async () => {
    await onTables(PG_TABLES, async (pool) => {
      await switchStorage({
        theirs: PostgresAdapter(pool),
        ours: postgresAdapter(pool),
        people: () => byName(pool, "users"),
      });
    });
  });

  test("from @auth/kysely-adapter", async () => {
    await onTables(KYSELY_TABLES, async (pool) => {
      const db = new Kysely<{ User: Person }>({ dialect: new PostgresDialect({ pool }) });
      await switchStorage({
        theirs: KyselyAdapter(db as never),
        ours: postgresAdapter(db),
        people: () => db.selectFrom("User").select(["id", "name", "email"]).orderBy("name").execute(),
      });
    });
  });

  test("from @auth/drizzle-adapter, with tables of the application's that Drizzle fills", async () => {
    const schema = { users, accounts, sessions, verificationTokens };
    await onTables(DRIZZLE_TABLES, async (pool) => {
      const db = drizzle(pool, { schema });
      const tables = {
        usersTable: users,
        accountsTable: accounts,
        sessionsTable: sessions,
        verificationTokensTable: verificationTokens,
      };
      await switchStorage({
        theirs: DrizzleAdapter(db, tables as never),
        ours: postgresAdapter(db),
        people: () => db.query.users.findMany({ orderBy: asc(users.name) }),
      });
      const [ada, bob] = await db.query.users.findMany({ orderBy: asc(users.name) });
      assert.ok(ada && bob && bob.createdAt >= ada.createdAt, "Drizzle's own columns are filled");
    });
  });

  test("from @auth/drizzle-adapter, with tables that are given to the adapter", async () => {
    await onTables(DRIZZLE_TABLES, async (pool) => {
      const db = drizzle(pool);
      const tables = { users, accounts, sessions, verificationTokens };
      const theirs = {
        usersTable: users,
        accountsTable: accounts,
        sessionsTable: sessions,
        verificationTokensTable: verificationTokens,
      };
      await switchStorage({
        theirs: DrizzleAdapter(db, theirs as never),
        ours: postgresAdapter(db, { tables }),
        people: () => db.select().from(users).orderBy(asc(users.name)),
      });
    });
  });
});
