/** Drizzle on libsql, on PostgreSQL, and on PostgreSQL in this process. */
import { PGlite } from "@electric-sql/pglite";
import { DrizzleAdapter } from "@auth/drizzle-adapter";
import { createClient } from "@libsql/client";
import { drizzle as onLibsql } from "drizzle-orm/libsql";
import { drizzle as onPostgres } from "drizzle-orm/node-postgres";
import { drizzle as onPglite } from "drizzle-orm/pglite";
import pg from "pg";
import { type Opened, SQLITE_PASSKEYS, SQLITE_TABLES } from "../_support/foreign_adapters.ts";
import { temporaryFile } from "./temporary.ts";
import { EMPTY_SCHEMA } from "../_support/postgres.ts";

/** Opens it on libsql, in a file. */
export async function openLibsql(): Promise<Opened> {
  const { path, remove } = await temporaryFile("auth.db");
  const client = createClient({ url: `file:${path}` });
  await client.executeMultiple(SQLITE_TABLES + SQLITE_PASSKEYS);
  return {
    adapter: DrizzleAdapter(onLibsql(client)),
    close: async () => {
      client.close();
      await remove();
    },
  };
}

/** Opens it on a server. */
export async function openServer(url: string): Promise<Opened> {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  await pool.query(`${EMPTY_SCHEMA}; ${POSTGRES_TABLES}`);
  return { adapter: DrizzleAdapter(onPostgres(pool)), close: () => pool.end() };
}

let shared: PGlite | null = null;

/** Opens it in this process. Starting takes a second, so that one database serves all tests. */
export async function openPglite(): Promise<Opened> {
  shared ??= new PGlite();
  await shared.exec(`${EMPTY_SCHEMA}; ${POSTGRES_TABLES}`);
  return { adapter: DrizzleAdapter(onPglite(shared)), close: () => {} };
}

export const POSTGRES_TABLES = `
  create table "user" (id text primary key, name text, email text unique, "emailVerified" timestamp, image text);
  create table account (
    "userId" text not null references "user"(id) on delete cascade, type text not null, provider text not null,
    "providerAccountId" text not null, refresh_token text, access_token text, expires_at integer, token_type text,
    scope text, id_token text, session_state text, primary key (provider, "providerAccountId"));
  create table session (
    "sessionToken" text primary key, "userId" text not null references "user"(id) on delete cascade,
    expires timestamp not null);
  create table "verificationToken" (
    identifier text not null, token text not null, expires timestamp not null, primary key (identifier, token));
  create table authenticator (
    "credentialID" text not null unique, "userId" text not null references "user"(id) on delete cascade,
    "providerAccountId" text not null, "credentialPublicKey" text not null, counter integer not null,
    "credentialDeviceType" text not null, "credentialBackedUp" boolean not null, transports text,
    primary key ("userId", "credentialID"));
`;
