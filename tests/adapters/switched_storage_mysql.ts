/** Applications on Prisma and MySQL that take this library's adapter in place of Auth.js's. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { PrismaAdapter } from "@auth/prisma-adapter";
import { PrismaMariaDb } from "@prisma/adapter-mariadb";
import mysql from "mysql2/promise";
import { mysqlAdapter } from "../../adapters/mysql.ts";
import { findMariadb, type MariadbServer, skipsWithoutMariadb, startMariadb } from "../_support/mariadb.ts";
import { switchStorage } from "../_support/switched_storage.ts";
import { PrismaClient } from "./generated/mysql/client.ts";
import { PrismaClient as TemplateClient } from "./generated/template_mysql/client.ts";

// What `prisma migrate` makes of the models: its engine is no package of npm.
const AUTHJS_TABLES = [
  `create table User (id varchar(191) not null, name varchar(191), email varchar(191) not null,
    emailVerified datetime(3), image varchar(191), unique index User_email_key (email), primary key (id))`,
  `create table Account (userId varchar(191) not null, type varchar(191) not null, provider varchar(191) not null,
    providerAccountId varchar(191) not null, refresh_token text, access_token text, expires_at integer,
    token_type varchar(191), scope varchar(191), id_token text, session_state varchar(191),
    primary key (provider, providerAccountId),
    foreign key (userId) references User (id) on delete cascade on update cascade)`,
  `create table Session (sessionToken varchar(191) not null, userId varchar(191) not null, expires datetime(3) not null,
    unique index Session_sessionToken_key (sessionToken),
    foreign key (userId) references User (id) on delete cascade on update cascade)`,
  `create table VerificationToken (identifier varchar(191) not null, token varchar(191) not null,
    expires datetime(3) not null, primary key (identifier, token))`,
];

const TEMPLATE_TABLES = [
  `create table users (id varchar(191) not null, name varchar(191), email varchar(191), email_verified datetime(3),
    image varchar(191), created_at datetime(3) not null default current_timestamp(3), updated_at datetime(3) not null,
    unique index users_email_key (email), primary key (id))`,
  `create table accounts (id varchar(191) not null, user_id varchar(191) not null, type varchar(191) not null,
    provider varchar(191) not null, provider_account_id varchar(191) not null, refresh_token text,
    access_token text, expires_at integer, token_type varchar(191), scope varchar(191), id_token text,
    session_state varchar(191), primary key (id),
    unique index accounts_provider_provider_account_id_key (provider, provider_account_id),
    foreign key (user_id) references users (id) on delete cascade on update cascade)`,
  `create table sessions (id varchar(191) not null, session_token varchar(191) not null, user_id varchar(191) not null,
    expires datetime(3) not null, updated_at datetime(3) not null, primary key (id),
    unique index sessions_session_token_key (session_token),
    foreign key (user_id) references users (id) on delete cascade on update cascade)`,
  `create table verification_tokens (identifier varchar(191) not null, token varchar(191) not null,
    expires datetime(3) not null, unique index verification_tokens_token_key (token),
    unique index verification_tokens_identifier_token_key (identifier, token))`,
];

const command = findMariadb();
const skip = skipsWithoutMariadb(command, "The tests of applications on Prisma and MySQL that switch their storage");

describe("an application on Prisma and MySQL switches by one line, and nobody is signed out", { skip }, () => {
  let server: MariadbServer;
  before(async () => void (server = await startMariadb(command, { zone: "America/New_York" })));
  after(() => server.stop());

  /** Makes tables in an empty database, and the adapter of a driver that connects to it. */
  async function make(tables: readonly string[]): Promise<PrismaMariaDb> {
    const admin = await mysql.createConnection(server.url);
    for (const statement of ["drop database tests", "create database tests", "use tests"]) await admin.query(statement);
    for (const table of tables) {
      await admin.query(`${table} default character set utf8mb4 collate utf8mb4_unicode_ci`);
    }
    await admin.end();
    return new PrismaMariaDb(server.url);
  }

  const order = { orderBy: { name: "asc" } } as const;

  test("with the models of Auth.js", async () => {
    const prisma = new PrismaClient({ adapter: await make(AUTHJS_TABLES) });
    await switchStorage({
      theirs: PrismaAdapter(prisma as never),
      ours: mysqlAdapter(prisma),
      people: () => prisma.user.findMany(order),
    });
    await prisma.$disconnect();
  });

  test("with mapped names, ids and times that Prisma writes", async () => {
    const prisma = new TemplateClient({ adapter: await make(TEMPLATE_TABLES) });
    await switchStorage({
      theirs: PrismaAdapter(prisma as never),
      ours: mysqlAdapter(prisma),
      people: () => prisma.user.findMany(order),
    });
    const [ada, bob] = await prisma.user.findMany({ ...order, include: { accounts: true, sessions: true } });
    assert.ok(ada && bob && bob.updatedAt >= ada.createdAt);
    for (const { createdAt } of [ada, bob]) assert.ok(Math.abs(createdAt.getTime() - Date.now()) < 60_000, "it is UTC");
    assert.deepEqual([ada, bob].flatMap(({ accounts, sessions }) => [accounts.length, sessions.length]), [1, 1, 1, 1]);
    assert.ok(bob.accounts[0]?.id && bob.sessions[0]?.id, "rows have the ids that Prisma would have made");
    assert.ok((bob.sessions[0]?.expires.getTime() ?? 0) > Date.now() + 29 * 86_400_000, "dates are UTC");
    await prisma.$disconnect();
  });

  test("with the tables that `migrate()` makes, whose text Prisma takes for bytes in raw queries", async () => {
    const prisma = new PrismaClient({ adapter: await make([]) });
    const adapter = mysqlAdapter(prisma);
    await adapter.migrate();
    const { id } = await adapter.createUser({ id: "Ada λ", email: "ada@example.com", emailVerified: new Date(123) });
    assert.equal((await adapter.getUser(id))?.email, "ada@example.com");
    const account = { provider: "idp", providerAccountId: "1" };
    await adapter.linkAccount({ ...account, userId: id, type: "oidc" });
    assert.deepEqual((await adapter.getUserByAccount(account))?.id, id);
    const found = await prisma.user.findUnique({ where: { id } });
    assert.deepEqual([found?.id, found?.emailVerified], [id, new Date(123)]);
    await prisma.$disconnect();
  });
});
