/** Adapters of Auth.js, as they come from npm, over storage that is gone when a test is over. */
import { DatabaseSync } from "node:sqlite";
import { DrizzleAdapter } from "@auth/drizzle-adapter";
import { type Database, KyselyAdapter } from "@auth/kysely-adapter";
import PostgresAdapter from "@auth/pg-adapter";
import { UnstorageAdapter } from "@auth/unstorage-adapter";
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import { Kysely, SqliteDialect } from "kysely";
import pg from "pg";
import { createStorage } from "unstorage";
import type { AuthConfig } from "@x/auth";
import type { ConformancePromises } from "@x/auth/adapters/conformance";
import { ADAPTER_FACTS, type AdapterFacts } from "./adapter_facts.ts";
import { EMPTY_SCHEMA } from "./postgres.ts";

/** An adapter as a developer writes it into the configuration. */
export type ConfiguredAdapter = NonNullable<AuthConfig["adapter"]>;

/** An adapter over empty storage. */
export interface Opened {
  readonly adapter: ConfiguredAdapter;
  readonly close: () => Promise<void> | void;
}

/** An adapter from elsewhere. */
export interface ForeignAdapter {
  readonly name: string;
  /** What the documentation says of it. */
  readonly facts: AdapterFacts;
  /** What it promises of the contract. */
  readonly promises: ConformancePromises;
  /** Cases of conformance that it does not pass, promised or not. */
  readonly fails: readonly string[];
  open(options?: OpenOptions): Opened | Promise<Opened>;
}

export interface OpenOptions {
  /** Whether there is a table for passkeys; most developers have none. @default {false} */
  readonly passkeys?: boolean;
}

/** Adapters over SQL with the tables of their documentation: columns for what the family knows, and a guard for each. */
const SQL: ConformancePromises = { keepsIds: false, keepsMembers: false };

/** The adapters that need nothing but this process. */
export const FOREIGN_ADAPTERS: readonly ForeignAdapter[] = [
  { name: "@auth/kysely-adapter", facts: ADAPTER_FACTS.kysely, promises: SQL, fails: [], open: openKysely },
  {
    name: "@auth/drizzle-adapter with its own tables",
    facts: ADAPTER_FACTS.drizzleSqlite,
    promises: SQL,
    fails: [],
    open: (options) => openDrizzle((client) => DrizzleAdapter(client), options),
  },
  {
    name: "@auth/drizzle-adapter with tables of the developer's",
    // Auth.js gives users with passkeys no id, and these tables make none.
    facts: { ...ADAPTER_FACTS.drizzleSqlite, brokenThere: ["Passkeys"] },
    promises: { ...SQL, keepsIds: true },
    fails: ["createUser() creates an id for a user without one"],
    open: (options) => {
      return openDrizzle((client) => DrizzleAdapter(client, { usersTable, accountsTable, sessionsTable }), options);
    },
  },
  {
    name: "@auth/unstorage-adapter",
    facts: ADAPTER_FACTS.unstorage,
    promises: { keepsIds: false, guardsRelations: false, survivesRaces: false },
    fails: [
      "updateUser() changes the given members and keeps the others",
      "updateUser() changes the address under which a user is found",
      "updateUser() fails for an unknown id, and creates no user",
      "deleteUser() removes the user and frees the address",
      "linkAccount() rejects an account that exists, and changes nothing",
      "Accounts are distinct even if provider and id look alike when joined",
      "getSessionAndUser() returns null for a session of a deleted user",
      "createSession() rejects a token that exists, and changes nothing",
      "createAuthenticator() rejects a credential that exists, and changes nothing",
    ],
    open: openUnstorage,
  },
];

// The tables of a developer who lets no database make the ids of users.
const usersTable = sqliteTable("user", {
  id: text("id").primaryKey(),
  name: text("name"),
  email: text("email").unique(),
  emailVerified: integer("emailVerified", { mode: "timestamp_ms" }),
  image: text("image"),
});
const accountsTable = sqliteTable("account", {
  userId: text("userId").notNull(),
  type: text("type").$type<"oauth" | "oidc" | "email" | "webauthn">().notNull(),
  provider: text("provider").notNull(),
  providerAccountId: text("providerAccountId").notNull(),
  refresh_token: text("refresh_token"),
  access_token: text("access_token"),
  expires_at: integer("expires_at"),
  token_type: text("token_type"),
  scope: text("scope"),
  id_token: text("id_token"),
  session_state: text("session_state"),
}, ({ provider, providerAccountId }) => [primaryKey({ columns: [provider, providerAccountId] })]);
const sessionsTable = sqliteTable("session", {
  sessionToken: text("sessionToken").primaryKey(),
  userId: text("userId").notNull(),
  expires: integer("expires", { mode: "timestamp_ms" }).notNull(),
});

/** The tables that the adapters of SQL ask for; Kysely's have names of their own. */
export const SQLITE_TABLES = `
  create table user (id text primary key not null, name text, email text unique, emailVerified, image text);
  create table account (
    userId text not null references user(id) on delete cascade, type text not null, provider text not null,
    providerAccountId text not null, refresh_token text, access_token text, expires_at integer, token_type text,
    scope text, id_token text, session_state text, primary key (provider, providerAccountId));
  create table session (
    sessionToken text primary key not null, userId text not null references user(id) on delete cascade,
    expires not null);
  create table verificationToken (
    identifier text not null, token text not null, expires not null, primary key (identifier, token));
`;

/** The table that a developer makes who offers passkeys. */
export const SQLITE_PASSKEYS = `
  create table authenticator (
    credentialID text not null unique, userId text not null references user(id) on delete cascade,
    providerAccountId text not null, credentialPublicKey text not null, counter integer not null,
    credentialDeviceType text not null, credentialBackedUp integer not null, transports text,
    primary key (userId, credentialID));
`;

function openKysely(): Opened {
  const handle = openSqlite();
  const kysely = new Kysely<Database>({ dialect: new SqliteDialect({ database: asBetterSqlite(handle) }) });
  return { adapter: KyselyAdapter(kysely), close: () => kysely.destroy() };
}

type BetterSqlite = Extract<ConstructorParameters<typeof SqliteDialect>[0]["database"], object>;

// Names of tables are compared without case here, so Kysely's `User` is `user`.
function asBetterSqlite(handle: DatabaseSync): BetterSqlite {
  return {
    close: () => handle.close(),
    prepare(sql) {
      const statement = handle.prepare(sql);
      return {
        reader: /^\s*select\b|\breturning\b/i.test(sql),
        all: (params) => statement.all(...params as string[]),
        run: (params) => statement.run(...params as string[]),
        iterate: (params) => statement.iterate(...params as string[]) as IterableIterator<unknown>,
      };
    },
  };
}

type DrizzleClient = ReturnType<typeof drizzle>;

function openDrizzle(adapterOf: (client: DrizzleClient) => ConfiguredAdapter, options?: OpenOptions): Opened {
  const handle = openSqlite(options);
  const client = drizzle((sql, params, method) => {
    const rows = handle.prepare(sql).all(...params).map((row) => Object.values(row));
    return Promise.resolve({ rows: method === "get" ? rows[0] as unknown[] : rows });
  });
  return { adapter: adapterOf(client), close: () => handle.close() };
}

function openSqlite({ passkeys = false }: OpenOptions = {}): DatabaseSync {
  const handle = new DatabaseSync(":memory:");
  handle.exec(passkeys ? SQLITE_TABLES + SQLITE_PASSKEYS : SQLITE_TABLES);
  return handle;
}

function openUnstorage(): Opened {
  const storage = createStorage();
  return { adapter: UnstorageAdapter(storage), close: () => storage.dispose() };
}

/** The adapter for PostgreSQL, on a server that runs. Its users have numbers. */
export function postgresFamily(url: () => string): ForeignAdapter {
  return {
    name: "@auth/pg-adapter",
    facts: ADAPTER_FACTS.pg,
    promises: { ...SQL, guardsRelations: false, survivesRaces: false },
    fails: [
      "updateUser() changes the given members and keeps the others",
      "linkAccount() rejects an account that exists, and changes nothing",
      "createSession() rejects a token that exists, and changes nothing",
    ],
    async open() {
      const pool = new pg.Pool({ connectionString: url(), max: 1 });
      await pool.query(`${EMPTY_SCHEMA}; ${POSTGRES_TABLES}`);
      return { adapter: PostgresAdapter(pool), close: () => pool.end() };
    },
  };
}

const POSTGRES_TABLES = `
  create table verification_token (
    identifier text not null, expires timestamptz not null, token text not null, primary key (identifier, token));
  create table accounts (
    id serial primary key, "userId" integer not null, type text not null, provider text not null,
    "providerAccountId" text not null, refresh_token text, access_token text, expires_at bigint, id_token text,
    scope text, session_state text, token_type text);
  create table sessions (
    id serial primary key, "userId" integer not null, expires timestamptz not null, "sessionToken" text not null);
  create table users (id serial primary key, name text, email text, "emailVerified" timestamptz, image text);
`;
