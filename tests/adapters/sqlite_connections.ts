/** Connections to SQLite over empty storage. */
import { DatabaseSync } from "node:sqlite";
import type { OpenedAdapter } from "@x/auth/adapters/conformance";
import { sqliteAdapter, type SqliteConnection } from "@x/auth/adapters/sqlite";
import { createClient } from "@libsql/client";
import { drizzle as onLibsql } from "drizzle-orm/libsql";
import { Kysely, SqliteDialect } from "kysely";
import { PrismaLibSQL } from "@prisma/adapter-libsql";
import { PrismaClient } from "./generated/sqlite/client.ts";
import { startHrana } from "./hrana_server.ts";
import { startPrimary } from "./replica.ts";
import { temporaryFile } from "./temporary.ts";

type Open = () => Promise<OpenedAdapter>;

/** Opens an adapter of a connection, with a clock that can be set. */
function adapterOf(connection: SqliteConnection, close: () => unknown): OpenedAdapter {
  let clock = Date.UTC(2031, 0, 1);
  const adapter = sqliteAdapter(connection, { now: () => clock });
  return {
    adapter,
    now: { set: (milliseconds) => void (clock = milliseconds) },
    close: async () => {
      adapter.close();
      await close();
    },
  };
}

/** How each connection is opened. */
export const CONNECTIONS: Readonly<Record<string, Open>> = {
  "libsql in memory": () => {
    const client = createClient({ url: ":memory:" });
    return Promise.resolve(adapterOf(client, () => client.close()));
  },
  "a file of libsql": async () => {
    const { path, remove } = await temporaryFile("auth.db");
    const client = createClient({ url: `file:${path}` });
    // Tests need not survive a power failure.
    await client.execute("pragma synchronous = off");
    return adapterOf(client, async () => {
      client.close();
      await remove();
    });
  },
  "a server of libsql": async () => {
    const { path, remove } = await temporaryFile("auth.db");
    const server = await startHrana(path);
    const client = createClient({ url: server.url });
    return adapterOf(client, async () => {
      client.close();
      await server.close();
      await remove();
    });
  },
  "a replica of libsql": async () => {
    const primary = await startPrimary();
    return adapterOf(primary.replica(), primary.close);
  },
  "Drizzle on libsql": () => {
    const client = createClient({ url: ":memory:" });
    return Promise.resolve(adapterOf(onLibsql(client), () => client.close()));
  },
  "Kysely": () => {
    const handle = new DatabaseSync(":memory:");
    const kysely = new Kysely<unknown>({ dialect: new SqliteDialect({ database: asBetterSqlite(handle) }) });
    return Promise.resolve(adapterOf(kysely, () => kysely.destroy()));
  },
  "Prisma": async () => {
    const { client, close } = await openPrisma();
    return adapterOf(client, close);
  },
};

/** Those that take long to open. */
export const SLOW: ReadonlySet<string> = new Set([
  "a server of libsql",
  "a replica of libsql",
  "Drizzle on libsql",
  "libsql in memory",
  "Prisma",
]);

/** Opens a client of Prisma over the tables of its models. */
export async function openPrisma(): Promise<{ client: PrismaClient; close: () => Promise<void> }> {
  const { path, remove } = await temporaryFile("auth.db");
  const handle = new DatabaseSync(path);
  handle.exec(PRISMA_TABLES);
  handle.close();
  const server = await startHrana(path);
  const client = new PrismaClient({ adapter: new PrismaLibSQL({ url: server.url }) });
  return {
    client,
    close: async () => {
      await client.$disconnect();
      await server.close();
      await remove();
    },
  };
}

// What `prisma migrate` makes of the models: its engine is no package of npm.
const PRISMA_TABLES = `
  create table "User" (
    "id" TEXT NOT NULL PRIMARY KEY, "name" TEXT, "email" TEXT, "emailVerified" DATETIME, "image" TEXT);
  create unique index "User_email_key" on "User"("email");
  create table "Account" (
    "userId" TEXT NOT NULL, "type" TEXT NOT NULL, "provider" TEXT NOT NULL, "providerAccountId" TEXT NOT NULL,
    "refresh_token" TEXT, "access_token" TEXT, "expires_at" INTEGER, "token_type" TEXT, "scope" TEXT, "id_token" TEXT,
    "session_state" TEXT, PRIMARY KEY ("provider", "providerAccountId"),
    FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE);
  create table "Session" (
    "sessionToken" TEXT NOT NULL, "userId" TEXT NOT NULL, "expires" DATETIME NOT NULL,
    FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE);
  create unique index "Session_sessionToken_key" on "Session"("sessionToken");
  create table "VerificationToken" (
    "identifier" TEXT NOT NULL, "token" TEXT NOT NULL, "expires" DATETIME NOT NULL, PRIMARY KEY ("identifier", "token"));
  create table "Authenticator" (
    "credentialID" TEXT NOT NULL, "userId" TEXT NOT NULL, "providerAccountId" TEXT NOT NULL,
    "credentialPublicKey" TEXT NOT NULL, "counter" INTEGER NOT NULL, "credentialDeviceType" TEXT NOT NULL,
    "credentialBackedUp" BOOLEAN NOT NULL, "transports" TEXT, PRIMARY KEY ("userId", "credentialID"),
    FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE);
  create unique index "Authenticator_credentialID_key" on "Authenticator"("credentialID");
`;

type BetterSqlite = Extract<ConstructorParameters<typeof SqliteDialect>[0]["database"], object>;

/** What `better-sqlite3` has that Kysely asks for. */
function asBetterSqlite(handle: DatabaseSync): BetterSqlite {
  return {
    close: () => handle.close(),
    prepare(sql) {
      const statement = handle.prepare(sql);
      return {
        reader: /^\s*(?:select|pragma \w+$)|\breturning\b/i.test(sql),
        all: (params) => statement.all(...params as string[]),
        run: (params) => statement.run(...params as string[]),
        iterate: (params) => statement.iterate(...params as string[]) as IterableIterator<unknown>,
      };
    },
  };
}
