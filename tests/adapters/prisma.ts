/** Prisma with its client in WebAssembly, on PostgreSQL. */
import { PrismaAdapter } from "@auth/prisma-adapter";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import type { ConfiguredAdapter, Opened } from "../_support/foreign_adapters.ts";
import { PrismaClient } from "./generated/client.ts";
import { EMPTY_SCHEMA } from "../_support/postgres.ts";

/** Opens it with the models of its documentation. */
export async function openPrisma(url: string): Promise<Opened> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  await pool.query(`${EMPTY_SCHEMA}; ${PRISMA_TABLES}`);
  await pool.end();
  const client = new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) });
  return { adapter: PrismaAdapter(client as never) as ConfiguredAdapter, close: () => client.$disconnect() };
}

// What `prisma migrate` makes of the models: its engine is no package of npm.
export const PRISMA_TABLES = `
  create table "User" (id text primary key, name text, email text not null unique, "emailVerified" timestamp(3), image text);
  create table "Account" (
    "userId" text not null references "User"(id) on delete cascade, type text not null,
    provider text not null, "providerAccountId" text not null, refresh_token text, access_token text, expires_at integer,
    token_type text, scope text, id_token text, session_state text, primary key (provider, "providerAccountId"));
  create table "Session" (
    "sessionToken" text not null unique, "userId" text not null references "User"(id) on delete cascade,
    expires timestamp(3) not null);
  create table "VerificationToken" (
    identifier text not null, token text not null, expires timestamp(3) not null, primary key (identifier, token));
  create table "Authenticator" (
    "credentialID" text not null unique, "userId" text not null references "User"(id) on delete cascade,
    "providerAccountId" text not null, "credentialPublicKey" text not null, counter integer not null,
    "credentialDeviceType" text not null, "credentialBackedUp" boolean not null, transports text,
    primary key ("userId", "credentialID"));
`;
