/** Applications on MySQL with an adapter of Auth.js that change one line, on a database with their own tables. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { DrizzleAdapter } from "@auth/drizzle-adapter";
import { KyselyAdapter } from "@auth/kysely-adapter";
import { asc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/mysql2";
import { datetime, int, mysqlSchema, mysqlTableCreator, primaryKey, timestamp, varchar } from "drizzle-orm/mysql-core";
import { Kysely, MysqlDialect } from "kysely";
import callbackMysql from "mysql2";
import mysql from "mysql2/promise";
import { mysqlAdapter } from "@x/auth/adapters/mysql";
import { findMariadb, type MariadbServer, skipsWithoutMariadb, startMariadb } from "../_support/mariadb.ts";
import { type Person, switchStorage } from "../_support/switched_storage.ts";

/** A function that makes tables: `mysqlTable`, one with a prefix, or one of another database. */
type MakeTable = ReturnType<typeof mysqlTableCreator>;

// As templates have it: names in snake case, and columns that Drizzle fills.
function templateTables(table: MakeTable) {
  const users = table("user", {
    id: varchar("id", { length: 255 }).primaryKey().$defaultFn(() => crypto.randomUUID()),
    name: varchar("name", { length: 255 }),
    email: varchar("email", { length: 255 }).notNull().unique(),
    emailVerified: timestamp("email_verified", { mode: "date", fsp: 3 }),
    image: varchar("image", { length: 255 }),
    createdAt: datetime("created_at").notNull().$defaultFn(() => new Date()),
    updatedAt: datetime("updated_at").notNull().$onUpdateFn(() => new Date()),
  });
  const userId = () => varchar("user_id", { length: 255 }).notNull();
  const accounts = table("account", {
    userId: userId(),
    type: varchar("type", { length: 255 }).notNull(),
    provider: varchar("provider", { length: 255 }).notNull(),
    providerAccountId: varchar("provider_account_id", { length: 255 }).notNull(),
    refresh_token: varchar("refresh_token", { length: 255 }),
    access_token: varchar("access_token", { length: 255 }),
    expires_at: int("expires_at"),
    token_type: varchar("token_type", { length: 255 }),
    scope: varchar("scope", { length: 255 }),
    id_token: varchar("id_token", { length: 2048 }),
    session_state: varchar("session_state", { length: 255 }),
  }, (columns) => [primaryKey({ columns: [columns.provider, columns.providerAccountId] })]);
  const sessions = table("session", {
    sessionToken: varchar("session_token", { length: 255 }).primaryKey(),
    userId: userId(),
    expires: timestamp("expires", { mode: "date" }).notNull(),
  });
  const verificationTokens = table("verification_token", {
    identifier: varchar("identifier", { length: 255 }).notNull(),
    token: varchar("token", { length: 255 }).notNull(),
    expires: timestamp("expires", { mode: "date" }).notNull(),
  }, (columns) => [primaryKey({ columns: [columns.identifier, columns.token] })]);
  return { users, accounts, sessions, verificationTokens };
}

/** What Drizzle makes of these tables. `name` writes the name of each. */
function templateStatements(name: (table: string) => string): string {
  return `
    create table ${name("user")} (id varchar(255) primary key, name varchar(255), email varchar(255) not null,
      email_verified timestamp(3) null, image varchar(255), created_at datetime not null, updated_at datetime not null,
      unique (email));
    create table ${name("account")} (user_id varchar(255) not null, type varchar(255) not null,
      provider varchar(255) not null, provider_account_id varchar(255) not null, refresh_token varchar(255),
      access_token varchar(255), expires_at int, token_type varchar(255), scope varchar(255), id_token varchar(2048),
      session_state varchar(255), primary key (provider, provider_account_id),
      foreign key (user_id) references ${name("user")} (id));
    create table ${name("session")} (session_token varchar(255) primary key, user_id varchar(255) not null,
      expires timestamp not null, foreign key (user_id) references ${name("user")} (id));
    create table ${name("verification_token")} (identifier varchar(255) not null, token varchar(255) not null,
      expires timestamp not null, primary key (identifier, token));
  `;
}

const AUTHJS_TABLES = `
  create table user (id varchar(255) primary key not null, name varchar(255), email varchar(255),
    emailVerified timestamp(3) null, image varchar(255), constraint user_email_unique unique (email));
  create table account (userId varchar(255) not null, type varchar(255) not null, provider varchar(255) not null,
    providerAccountId varchar(255) not null, refresh_token varchar(255), access_token varchar(255), expires_at int,
    token_type varchar(255), scope varchar(255), id_token varchar(2048), session_state varchar(255),
    primary key (provider, providerAccountId), foreign key (userId) references user (id) on delete cascade);
  create table session (sessionToken varchar(255) primary key not null, userId varchar(255) not null,
    expires timestamp not null, foreign key (userId) references user (id) on delete cascade);
  create table verificationToken (identifier varchar(255) not null, token varchar(255) not null,
    expires timestamp not null, primary key (identifier, token));
`;

const KYSELY_TABLES = `
  create table User (id varchar(36) primary key default (uuid()), name varchar(255), email varchar(255) unique,
    emailVerified datetime(3), image text);
  create table Account (id varchar(36) primary key default (uuid()), userId varchar(36) not null,
    type varchar(255) not null, provider varchar(255) not null, providerAccountId varchar(255) not null,
    refresh_token text, access_token text, expires_at bigint, token_type varchar(255), scope text, id_token text,
    session_state text, foreign key (userId) references User (id) on delete cascade);
  create table Session (id varchar(36) primary key default (uuid()), userId varchar(36) not null,
    sessionToken varchar(255) not null unique, expires datetime(3) not null,
    foreign key (userId) references User (id) on delete cascade);
  create table VerificationToken (identifier varchar(255) not null, token varchar(255) not null unique,
    expires datetime(3) not null);
`;

const command = findMariadb();
const skip = skipsWithoutMariadb(command, "The tests of applications on MySQL that switch their storage");

describe("an application on MySQL switches by one line, and nobody is signed out", { skip }, () => {
  let server: MariadbServer;
  // Sessions whose clock is not that of UTC.
  before(async () => void (server = await startMariadb(command, { zone: "America/New_York" })));
  after(() => server.stop());

  async function onTables(tables: string, use: (pool: mysql.Pool, uri: string) => Promise<void>): Promise<void> {
    const uri = server.url;
    const admin = mysql.createPool({ uri, connectionLimit: 1, multipleStatements: true });
    const pool = mysql.createPool({ uri, connectionLimit: 4 });
    try {
      await admin.query(`drop database tests; create database tests; use tests; ${tables}`);
      await use(pool, uri);
    } finally {
      await Promise.all([pool.end(), admin.end()]);
    }
  }

  /** Takes tables of the application's, which it has given to Drizzle and to the adapter of Auth.js. */
  async function onTemplate(tables: ReturnType<typeof templateTables>, statements: string): Promise<void> {
    const { users, accounts, sessions, verificationTokens } = tables;
    await onTables(statements, async (pool) => {
      const db = drizzle(pool, { schema: tables, mode: "default" });
      const theirs = {
        usersTable: users,
        accountsTable: accounts,
        sessionsTable: sessions,
        verificationTokensTable: verificationTokens,
      };
      await switchStorage({
        theirs: DrizzleAdapter(db, theirs as never),
        ours: mysqlAdapter(db),
        people: () => db.query.users.findMany({ orderBy: asc(users.name) }),
      });
      const [ada, bob] = await db.query.users.findMany({ orderBy: asc(users.name) });
      assert.ok(ada && bob && bob.createdAt >= ada.createdAt, "Drizzle's own columns are filled");
      const [session] = await db.select().from(sessions).where(eq(sessions.userId, bob.id));
      assert.ok((session?.expires.getTime() ?? 0) > Date.now() + 29 * 86_400_000, "dates are UTC");
    });
  }

  test("from @auth/drizzle-adapter, with the tables of its documentation", async () => {
    await onTables(AUTHJS_TABLES, async (pool) => {
      const db = drizzle(pool);
      const people = async () => {
        const [rows] = await pool.query("select id, name, email from user order by name");
        return rows as Person[];
      };
      await switchStorage({ theirs: DrizzleAdapter(db), ours: mysqlAdapter(db), people });
    });
  });

  test("from @auth/drizzle-adapter, with tables of the application's that Drizzle fills", async () => {
    const table = mysqlTableCreator((name) => `app-${name}`);
    await onTemplate(templateTables(table), templateStatements((name) => `\`app-${name}\``));
  });

  test("from @auth/drizzle-adapter, with tables in another database", async () => {
    const { table } = mysqlSchema("people");
    await onTemplate(
      templateTables(table as unknown as MakeTable),
      `drop database if exists people; create database people; ${templateStatements((name) => `people.${name}`)}`,
    );
  });

  test("from @auth/kysely-adapter", async () => {
    await onTables(KYSELY_TABLES, async (_, uri) => {
      const db = new Kysely<{ User: Person }>({
        dialect: new MysqlDialect({ pool: callbackMysql.createPool({ uri, connectionLimit: 4 }) }),
      });
      await switchStorage({
        theirs: KyselyAdapter(db as never),
        ours: mysqlAdapter(db),
        people: () => db.selectFrom("User").select(["id", "name", "email"]).orderBy("name").execute(),
      });
      await db.destroy();
    });
  });
});
