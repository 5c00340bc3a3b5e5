/** Applications on Prisma that take this library's adapter in place of Auth.js's. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { PrismaAdapter } from "@auth/prisma-adapter";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { postgresAdapter } from "../../adapters/postgres.ts";
import {
  EMPTY_SCHEMA,
  findPostgres,
  type PostgresServer,
  skipsWithoutPostgres,
  startPostgres,
} from "../_support/postgres.ts";
import { switchStorage } from "../_support/switched_storage.ts";
import { PrismaClient } from "./generated/client.ts";
import { PrismaClient as TemplateClient } from "./generated/template/client.ts";
import { PRISMA_TABLES } from "./prisma.ts";

// What `prisma migrate` makes of the models: its engine is no package of npm.
const TEMPLATE_TABLES = `
  create table users (id text primary key, name text, email text unique, email_verified timestamp(3), image text,
    created_at timestamp(3) not null default current_timestamp, updated_at timestamp(3) not null);
  create table accounts (
    id text primary key, user_id text not null references users (id) on delete cascade, type text not null,
    provider text not null, provider_account_id text not null, refresh_token text, access_token text, expires_at integer,
    token_type text, scope text, id_token text, session_state text);
  create unique index accounts_provider_provider_account_id_key on accounts (provider, provider_account_id);
  create table sessions (
    id text primary key, session_token text not null unique, expires timestamp(3) not null,
    user_id text not null references users (id) on delete cascade, updated_at timestamp(3) not null);
  create table verification_tokens (identifier text not null, token text not null unique, expires timestamp(3) not null);
  create unique index verification_tokens_identifier_token_key on verification_tokens (identifier, token);
`;

const bin = findPostgres();
const skip = skipsWithoutPostgres(bin, "The tests of applications on Prisma that switch their storage");

describe("an application on Prisma switches by one line, and nobody is signed out", { skip }, () => {
  let server: PostgresServer;
  before(async () => void (server = await startPostgres(bin)));
  after(async () => await server?.stop());

  async function make(tables: string): Promise<void> {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query(`${EMPTY_SCHEMA}; ${tables}`);
    await client.end();
  }

  const order = { orderBy: { name: "asc" } } as const;

  test("with the models of Auth.js", async () => {
    await make(PRISMA_TABLES);
    const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: server.url }) });
    await switchStorage({
      theirs: PrismaAdapter(prisma as never),
      ours: postgresAdapter(prisma),
      people: () => prisma.user.findMany(order),
    });
    await prisma.$disconnect();
  });

  test("with mapped names, ids and times that Prisma writes", async () => {
    await make(TEMPLATE_TABLES);
    const prisma = new TemplateClient({ adapter: new PrismaPg({ connectionString: server.url }) });
    await switchStorage({
      theirs: PrismaAdapter(prisma as never),
      ours: postgresAdapter(prisma),
      people: () => prisma.user.findMany(order),
    });
    const [ada, bob] = await prisma.user.findMany({ ...order, include: { accounts: true, sessions: true } });
    assert.ok(ada && bob && bob.updatedAt >= ada.createdAt);
    assert.deepEqual([ada.accounts.length, ada.sessions.length, bob.accounts.length, bob.sessions.length], [
      1,
      1,
      1,
      1,
    ]);
    assert.ok(bob.accounts[0]?.id && bob.sessions[0]?.id, "rows have the ids that Prisma would have made");
    assert.ok((bob.sessions[0]?.expires.getTime() ?? 0) > Date.now() + 86_400_000, "dates are UTC");
    await prisma.$disconnect();
  });
});
