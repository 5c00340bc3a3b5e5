/** What is specific to MySQL and MariaDB, on a real server whose sessions have a clock that is set forward and back. */
import assert from "node:assert/strict";
import { type AddressInfo, connect, createServer } from "node:net";
import { after, before, beforeEach, describe, test } from "node:test";
import { DrizzleAdapter } from "@auth/drizzle-adapter";
import { drizzle } from "drizzle-orm/mysql2";
import { mysqlSchema as inSchema, varchar } from "drizzle-orm/mysql-core";
import mysql from "mysql2/promise";
import type { CompleteAdapter } from "../../../src/contract/adapter.ts";
import { conformanceCases } from "../../../adapters/conformance.ts";
import { mysqlAdapter, mysqlRecords, mysqlSchema } from "../../../adapters/mysql.ts";
import { AdapterError } from "../../../src/kernel/errors.ts";
import { findMariadb, type MariadbServer, skipsWithoutMariadb, startMariadb } from "../../_support/mariadb.ts";

const command = findMariadb();
const skip = skipsWithoutMariadb(command, "The tests of MariaDB in particular");

const ADA = { id: "ada", name: "Ada", email: "ada@example.com", emailVerified: new Date(1700000000123), image: null };
const LATER = new Date(2102444800123);
const DAY = 24 * 60 * 60 * 1000;
const SESSION = { sessionToken: "s", userId: "ada", expires: LATER };
const ACCOUNT = { userId: "ada", provider: "mock", providerAccountId: "1", type: "oidc" } as const;

/** Milliseconds that a test with a wait for a lock may take. */
const LIMIT = 20_000;

/** The tables that Drizzle makes of the schema in the documentation of its adapter. */
const DRIZZLE_TABLES = `
  create table user (id varchar(255) primary key not null, name varchar(255), email varchar(255),
    emailVerified timestamp(3) null, image varchar(255), constraint user_email_unique unique(email));
  create table account (userId varchar(255) not null, type varchar(255) not null, provider varchar(255) not null,
    providerAccountId varchar(255) not null, refresh_token varchar(255), access_token varchar(255), expires_at int,
    token_type varchar(255), scope varchar(255), id_token varchar(2048), session_state varchar(255),
    primary key(provider, providerAccountId));
  create table session (sessionToken varchar(255) primary key not null, userId varchar(255) not null,
    expires timestamp not null);
  create table verificationToken (identifier varchar(255) not null, token varchar(255) not null,
    expires timestamp not null, primary key(identifier, token));
  create table authenticator (credentialID varchar(255) not null, userId varchar(255) not null,
    providerAccountId varchar(255) not null, credentialPublicKey varchar(255) not null, counter int not null,
    credentialDeviceType varchar(255) not null, credentialBackedUp boolean not null, transports varchar(255),
    primary key(userId, credentialID), constraint authenticator_credentialID_unique unique(credentialID));
  alter table account add constraint a foreign key (userId) references user(id) on delete cascade;
  alter table session add constraint s foreign key (userId) references user(id) on delete cascade;
  alter table authenticator add constraint w foreign key (userId) references user(id) on delete cascade;
`;

/** The tables that Prisma makes of the models in the documentation of its adapter. */
const PRISMA_TABLES = `
  create table User (id varchar(191) not null, name varchar(191), email varchar(191) not null, emailVerified datetime(3),
    image varchar(191), createdAt datetime(3) not null default current_timestamp(3), unique index User_email_key(email),
    primary key (id)) default character set utf8mb4 collate utf8mb4_unicode_ci;
  create table Account (userId varchar(191) not null, type varchar(191) not null, provider varchar(191) not null,
    providerAccountId varchar(191) not null, refresh_token text, access_token text, expires_at integer,
    token_type varchar(191), scope varchar(191), id_token text, session_state varchar(191),
    primary key (provider, providerAccountId)) default character set utf8mb4 collate utf8mb4_unicode_ci;
  create table Session (sessionToken varchar(191) not null, userId varchar(191) not null, expires datetime(3) not null,
    unique index Session_sessionToken_key(sessionToken)) default character set utf8mb4 collate utf8mb4_unicode_ci;
  create table VerificationToken (identifier varchar(191) not null, token varchar(191) not null,
    expires datetime(3) not null, primary key (identifier, token)) default character set utf8mb4 collate utf8mb4_unicode_ci;
  create table Authenticator (credentialID varchar(191) not null, userId varchar(191) not null,
    providerAccountId varchar(191) not null, credentialPublicKey varchar(191) not null, counter integer not null,
    credentialDeviceType varchar(191) not null, credentialBackedUp boolean not null, transports varchar(191),
    unique index Authenticator_credentialID_key(credentialID), primary key (userId, credentialID))
    default character set utf8mb4 collate utf8mb4_unicode_ci;
  alter table Account add foreign key (userId) references User(id) on delete cascade on update cascade;
  alter table Session add foreign key (userId) references User(id) on delete cascade on update cascade;
  alter table Authenticator add foreign key (userId) references User(id) on delete cascade on update cascade;
`;

const PRISMA_NAMES = {
  users: "User",
  accounts: "Account",
  sessions: "Session",
  verificationTokens: "VerificationToken",
  authenticators: "Authenticator",
};

/** Cases of ids that a unique index takes for the same if it folds case, or that are too long for these tables. */
const FOLDED = /differ by (?:case|a space at the end|composition|folding|the 256th character|the second half)/;

describe("mysqlAdapter()", { skip }, () => {
  let server: MariadbServer;
  let pool: mysql.Pool;
  const options = { sql_mode: "", "collation-server": "utf8mb4_general_ci" };
  before(async () => {
    server = await startMariadb(command, { options, zone: "America/New_York" });
    pool = open();
  });
  after(async () => {
    await pool.end();
    await server.stop();
  });
  beforeEach(async () => void await pool.query("drop database tests; create database tests; use tests"));

  function open(more: mysql.PoolOptions = {}): mysql.Pool {
    return mysql.createPool({ uri: server.url, connectionLimit: 1, multipleStatements: true, ...more });
  }

  async function withPool<Result>(
    more: mysql.PoolOptions,
    run: (pool: mysql.Pool) => Promise<Result>,
  ): Promise<Result> {
    const other = open(more);
    try {
      return await run(other);
    } finally {
      await other.end();
    }
  }

  async function rowsOf(sql: string): Promise<Readonly<Record<string, unknown>>[]> {
    const [rows] = await pool.query(sql);
    return rows as Readonly<Record<string, unknown>>[];
  }

  test("says that the tables are missing, and finds them as soon as they exist", async () => {
    const adapter = mysqlAdapter(pool);
    await assert.rejects(async () => await adapter.getUser("ada"), /"user" is missing: call migrate\(\)/);
    await pool.query(mysqlSchema());
    await pool.query(mysqlSchema());
    assert.equal(await adapter.getUser("ada"), null);
  });

  test("migrates from eight adapters at once, and again without changes", async () => {
    const shape = async () => {
      const columns = "table_name, column_name, column_type, collation_name, is_nullable";
      return [
        ...await rowsOf(`select ${columns} from information_schema.columns where table_schema = 'tests' order by 1, 2`),
        ...await rowsOf(
          "select table_name, index_name, column_name from information_schema.statistics where table_schema = 'tests' order by 1, 2, 3",
        ),
      ];
    };
    await withPool({ connectionLimit: 8 }, async (many) => {
      await Promise.all(Array.from({ length: 8 }, () => mysqlAdapter(many).migrate()));
      const before = await shape();
      await mysqlAdapter(many).migrate();
      await pool.query(mysqlSchema());
      assert.deepEqual(await shape(), before);
      assert.equal(new Set(before.map((row) => row.table_name)).size, 8);
    });
  });

  test("stores records and buckets alone, in two tables", async () => {
    const records = mysqlRecords(pool);
    await records.migrate();
    await records.putRecord({ kind: "key", id: "k", userId: "nobody", version: 0, data: { z: 1, a: 2 } });
    assert.deepEqual((await records.getRecord({ kind: "key", id: "k" }))?.data, { z: 1, a: 2 });
    assert.equal((await rowsOf("show tables")).length, 2);
  });

  test("works in migrated tables of Drizzle beside its adapter, whatever the time zone of the session", async () => {
    await pool.query(DRIZZLE_TABLES);
    const theirs = DrizzleAdapter(drizzle(pool)) as unknown as CompleteAdapter;
    const { id } = await theirs.createUser(ADA);
    const expires = new Date(2102444800000);
    await theirs.createSession({ sessionToken: "theirs", userId: id, expires });
    await theirs.linkAccount({ userId: id, provider: "mock", providerAccountId: "1", type: "oidc", expires_at: 17 });
    const ours = mysqlAdapter(drizzle(pool));
    await ours.migrate();
    const found = await ours.getSessionAndUser("theirs");
    assert.deepEqual(found, { session: { sessionToken: "theirs", userId: id, expires }, user: { ...ADA, id } });
    assert.equal((await ours.getUserByAccount({ provider: "mock", providerAccountId: "1" }))?.id, id);
    await ours.createSession({ sessionToken: "ours", userId: id, expires });
    assert.deepEqual((await theirs.getSessionAndUser("ours"))?.session.expires, expires);
    await ours.createVerificationToken({ identifier: "i", token: "t", expires });
    const used = await theirs.useVerificationToken({ identifier: "i", token: "t" });
    assert.deepEqual(used?.expires, expires);
    await ours.putRecord({ kind: "key", id: "k", userId: id, version: 0, data: {} });
    await ours.deleteUser(id);
    assert.equal(await theirs.getUser(id), null);
    assert.equal(await ours.getRecord({ kind: "key", id: "k" }), null);
  });

  /** A Drizzle database whose tables are in another database. */
  function inDatabase(name: string) {
    const { table } = inSchema(name);
    const schema = {
      users: table("user", { id: varchar({ length: 99 }).primaryKey(), email: varchar({ length: 99 }) }),
      accounts: table("account", {
        userId: varchar({ length: 99 }),
        provider: varchar({ length: 99 }),
        providerAccountId: varchar({ length: 99 }),
      }),
    };
    return drizzle(pool, { schema, mode: "default" });
  }

  test("uses tables in the database that Drizzle knows them in, and no other ones of these names", async () => {
    await pool.query("drop database if exists people; create database people; drop database if exists other");
    await pool.query("create database other");
    await mysqlAdapter(pool).migrate();
    const [people, other] = ["people", "other"].map((name) => mysqlAdapter(inDatabase(name)));
    assert.ok(people && other);
    await Promise.all([people.migrate(), other.migrate()]);
    await people.migrate();
    await people.createUser(ADA);
    await people.putRecord({ kind: "key", id: "k", userId: "ada", version: 0, data: {} });
    assert.equal(await people.commit({ createSession: SESSION, linkAccount: ACCOUNT }), "done");
    assert.equal((await people.getUserByAccount(ACCOUNT))?.id, "ada");
    assert.deepEqual(await other.getUser("ada"), null);
    const counts = async () => {
      const tables = ["user", "account", "session", "authRecord"];
      return await Promise.all(
        ["people", "other", "tests"].map(async (name) => {
          const counted = tables.map((table) => `(select count(*) from ${name}.${table})`).join(" + ");
          return (await rowsOf(`select ${counted} as n`))[0]?.n;
        }),
      );
    };
    assert.deepEqual(await counts(), [4, 0, 0]);
    await people.deleteUser("ada");
    assert.deepEqual(await counts(), [0, 0, 0]);
    await pool.query("alter table people.user drop index user_email_unique");
    await pool.query("insert into people.user (id, email) values ('a', 'x@y.z'), ('b', 'x@y.z')");
    await assert.rejects(() => people.migrate(), /from `people`\.`user` where `email` is not null/);
  });

  test("keeps its promises in the tables of Prisma, which fold case", { timeout: 60_000 }, async () => {
    await pool.query(PRISMA_TABLES);
    await mysqlAdapter(pool, { tables: PRISMA_NAMES }).migrate();
    const names = (await rowsOf("show tables")).map((row) => Object.values(row)[0]);
    const emptied = `set foreign_key_checks = 0; ${names.map((name) => `delete from \`${name}\``).join(";")};
      set foreign_key_checks = 1`;
    const failed: string[] = [];
    const openIt = async () => {
      await pool.query(emptied);
      let clock = Date.UTC(2031, 0, 1);
      const now = { set: (milliseconds: number) => void (clock = milliseconds) };
      return { adapter: mysqlAdapter(pool, { tables: PRISMA_NAMES, now: () => clock }), now };
    };
    for (const { name, run } of conformanceCases(openIt)) {
      await run().catch((error: Error) => failed.push(`${name}: ${error.message}`));
    }
    assert.deepEqual(failed.filter((text) => !FOLDED.test(text)), [
      "Several users can have no address: Column 'email' cannot be null",
      'linkAccount() stores an account with its tokens: Cannot store number: column "expires_at" of type int(11) does not hold it',
      'createAuthenticator() stores a credential exactly: Cannot store number: column "counter" of type int(11) does not hold it',
      "commit() moves an address from one user to a new one: Cannot write to storage: column `email` of table `User` is required",
    ]);
  });

  test("compares ids and tokens byte by byte where the collation folds case, and finds them by the index", async () => {
    await pool.query(PRISMA_TABLES);
    const said: string[] = [];
    const noting = {
      getConnection: () => pool.getConnection(),
      execute: (statement: Parameters<typeof pool.execute>[0] & { sql: string }) => {
        said.push(statement.sql);
        return pool.execute(statement);
      },
    };
    const adapter = mysqlAdapter(noting as never, { tables: PRISMA_NAMES });
    await adapter.migrate();
    await adapter.createUser(ADA);
    await adapter.createSession({ ...SESSION, sessionToken: "Token" });
    await adapter.linkAccount({ userId: "ada", provider: "idp", providerAccountId: "aBc", type: "oidc" });
    await adapter.createVerificationToken({ identifier: "i", token: "Token", expires: LATER });
    for (const token of ["token", "Token ", "Tóken"]) {
      assert.equal(await adapter.getSessionAndUser(token), null);
      assert.equal(await adapter.deleteSession(token), null);
      assert.equal(await adapter.useVerificationToken({ identifier: "i", token }), null);
      const consume = { identifier: "i", tokens: [token], now: new Date() };
      assert.equal(await adapter.commit({ consume }), "consumed");
    }
    assert.equal(await adapter.getUserByAccount({ provider: "idp", providerAccountId: "abc" }), null);
    assert.equal(await adapter.getUser("ADA"), null);
    assert.ok(await adapter.getSessionAndUser("Token"));
    const read = said.find((sql) => sql.includes("join")) ?? "";
    const [rows] = await pool.query(`explain ${read}`, ["Token", "Token"]);
    assert.deepEqual((rows as { type: string }[]).map(({ type }) => type), ["const", "const"]);
    // A unique index that folds case rejects what it takes for the same.
    assert.equal(
      await adapter.commit({ linkAccount: { userId: "ada", provider: "idp", providerAccountId: "ABC", type: "oidc" } }),
      "conflict",
    );
  });

  test("refuses what a column cannot hold, where the server would cut it off", async () => {
    await pool.query(
      PRISMA_TABLES + "alter table User add column note text character set latin1, add column age tinyint",
    );
    const adapter = mysqlAdapter(pool, { tables: PRISMA_NAMES });
    await adapter.migrate();
    await adapter.createUser(ADA);
    const create = (more: object) => adapter.createUser({ ...ADA, id: "eve", email: "eve@example.com", ...more });
    const token = "x".repeat(192);
    const REFUSED: readonly (readonly [() => unknown, RegExp])[] = [
      [() => adapter.createSession({ ...SESSION, sessionToken: token }), /column "sessionToken" holds at most 191/],
      [() => create({ id: token }), /column "id" holds at most 191 characters/],
      [() => create({ note: "x".repeat(65536) }), /column "note" holds at most 65535 bytes/],
      [() => create({ note: "λ" }), /column "note" of charset latin1/],
      [() => create({ age: 128 }), /column "age" of type tinyint.* does not hold it/],
      [() => create({ emailVerified: new Date(8.64e15) }), /its year is not one of 1000 to 9999/],
    ];
    for (const [act, says] of REFUSED) await assert.rejects(async () => await act(), says);
    assert.deepEqual(
      (await rowsOf("select count(*) as n from User union select count(*) from Session")).map(({ n }) => n),
      [1, 0],
    );
    const user = await create({ note: "né".repeat(9), age: -128, id: "😀".repeat(191) });
    assert.deepEqual(await adapter.getUser(user.id), user);
  });

  test("keeps a time for which the clock of the session has no name, and rounds none down", async () => {
    await pool.query(DRIZZLE_TABLES);
    // Otherwise the server chooses another time by itself.
    await withPool({}, async (strict) => {
      await strict.query("set sql_mode = 'STRICT_ALL_TABLES'");
      const adapter = mysqlAdapter(strict);
      await adapter.migrate();
      await adapter.createUser(ADA);
      const keep = async (expires: string) => {
        const sessionToken = expires;
        await adapter.createSession({ ...SESSION, sessionToken, expires: new Date(expires) });
        return (await adapter.getSessionAndUser(sessionToken))?.session.expires.toISOString();
      };
      assert.equal(await keep("2027-11-07T01:30:00.000Z"), "2027-11-07T01:30:00.000Z");
      assert.equal(await keep("2027-03-14T01:59:59.001Z"), "2027-03-14T03:00:00.000Z");
      assert.equal(await keep("2027-03-14T02:30:00.000Z"), "2027-03-14T03:00:00.000Z");
      assert.equal(await keep("2027-03-14T04:00:00.400Z"), "2027-03-14T04:00:01.000Z");
      await assert.rejects(() => keep("2038-01-19T00:00:00.000Z"), /column "expires" of type timestamp/);
    });
  });

  test("reads and writes `datetime` as UTC, whatever the time zones of session and driver", async () => {
    await mysqlAdapter(pool).migrate();
    for (const timezone of ["Z", "local", "+09:00"]) {
      await withPool({ timezone }, async (zoned) => {
        const adapter = mysqlAdapter(zoned);
        await adapter.createUser({ ...ADA, joined: LATER } as typeof ADA);
        const [row] = await rowsOf("select cast(emailVerified as char) as at from user");
        assert.equal(row?.at, "2023-11-14 22:13:20.123");
        assert.deepEqual(await adapter.getUser("ada"), { ...ADA, joined: LATER });
        const now = Date.now();
        const [soon, before] = [new Date(now + 3_600_000), new Date(now - 3_600_000)];
        await adapter.createVerificationToken({ identifier: "i", token: "t", expires: soon });
        await adapter.createVerificationToken({ identifier: "i", token: "ended", expires: before });
        const consume = (token: string) =>
          adapter.commit({ consume: { identifier: "i", tokens: [token], now: new Date(now) } });
        assert.deepEqual([await consume("t"), await consume("ended")], ["done", "consumed"]);
        await adapter.useVerificationToken({ identifier: "i", token: "ended" });
        await adapter.deleteUser("ada");
      });
    }
  });

  for (const [whose, ahead] of [["its own", true], ["the database's", false]] as const) {
    test(`removes nothing that ended within a day by ${whose} clock`, { timeout: LIMIT }, async () => {
      const years = 10 * 365 * DAY;
      const now = () => Date.now() + (ahead ? years : -years);
      const adapter = mysqlAdapter(pool, { now });
      await adapter.migrate();
      await adapter.createUser(ADA);
      const limit = ahead ? Date.now() - DAY : now() - DAY;
      await adapter.createSession({ ...SESSION, sessionToken: "before", expires: new Date(limit - 60_000) });
      await adapter.createSession({ ...SESSION, sessionToken: "within", expires: new Date(limit + 60_000) });
      for (let n = 0; n < 64; n += 1) await adapter.once(crypto.randomUUID(), LATER);
      assert.deepEqual((await adapter.listSessionsByUserId("ada")).map(({ sessionToken }) => sessionToken), ["within"]);
    });
  }

  const MISFITS: Readonly<Record<string, readonly [sql: string, says: RegExp]>> = {
    "ids that are numbers": ["create table user (id int primary key)", /column "id" of table "user" holds int/],
    "ids of bytes": ["create table user (id binary(16) primary key)", /column "id" of table "user" holds binary/],
    "users of another collation": [
      "create table user (id varchar(99) primary key); create table session (userId varchar(99) collate utf8mb4_bin)",
      /"userId" of table "session" holds text of collation utf8mb4_bin, and must hold text of collation utf8mb4_general_ci/,
    ],
    "dates of text": ["create table session (expires text)", /"expires" of table "session" holds text.*datetime/],
    "dates that change alone": [
      "create table session (userId int, expires timestamp on update current_timestamp)",
      /"expires" of table "session" holds the time of the last change of its row/,
    ],
    "flags of text": ["create table authenticator (credentialBackedUp text)", /"credentialBackedUp".*boolean/],
    "the same address twice": [
      "create table user (id varchar(9), email varchar(99)); insert into user values ('a', 'x@y.z'), ('b', 'x@y.z')",
      /table "user" has duplicates in "email".*group by `email` having count/,
    ],
  };
  for (const [name, [sql, says]] of Object.entries(MISFITS)) {
    test(`says which column of which table has ${name}, and changes nothing`, async () => {
      await pool.query(sql);
      const shape = () =>
        rowsOf(
          "select table_name, column_name from information_schema.columns where table_schema = 'tests' order by 1, 2",
        );
      const before = await shape();
      await assert.rejects(() => mysqlAdapter(pool).migrate(), (error: Error) => {
        assert.ok(error instanceof AdapterError);
        assert.match(error.message, says);
        assert.doesNotMatch(error.message, /x@y/);
        return true;
      });
      assert.deepEqual(await shape(), before);
    });
  }

  test("says at its first use that a column is not unique any more", async () => {
    await mysqlAdapter(pool).migrate();
    await pool.query("alter table user drop index user_email_unique");
    const says = /table "user" may have several rows of the same "email": call migrate\(\)/;
    await withPool({}, async (other) => {
      await assert.rejects(async () => await mysqlAdapter(other).getUser("ada"), says);
      await mysqlAdapter(other).migrate();
      assert.equal(await mysqlAdapter(other).getUser("ada"), null);
    });
  });

  test("refuses a connection that commits nothing by itself, or that cannot say every character", async () => {
    await mysqlAdapter(pool).migrate();
    await withPool({ charset: "latin1" }, async (other) => {
      await assert.rejects(async () => await mysqlAdapter(other).getUser("ada"), /sends text as latin1/);
    });
    await withPool({}, async (other) => {
      await other.query("set autocommit = 0");
      await assert.rejects(async () => await mysqlAdapter(other).getUser("ada"), /`autocommit` is off/);
    });
  });

  test("works in tables of a version that had no records, and has them as soon as they are migrated", async () => {
    const adapter = mysqlAdapter(pool, { now: () => 0 });
    await adapter.migrate();
    await pool.query("drop table authRecord");
    await adapter.createUser({ ...ADA, id: "1" });
    const evict = { userId: "1", email: ADA.email };
    assert.equal(await adapter.commit({ evict }), "done");
    await assert.rejects(async () => await adapter.getRecord({ kind: "key", id: "k" }), /authRecord/);
    await withPool({}, async (other) => {
      await mysqlAdapter(other).migrate();
      await mysqlAdapter(other).putRecord({ kind: "key", id: "k", userId: "1", version: 0, data: {} });
      assert.equal(await adapter.commit({ evict }), "done");
      assert.equal(await mysqlAdapter(other).getRecord({ kind: "key", id: "k" }), null);
    });
  });

  test("works in tables of a version that had no buckets, and has them as soon as they are migrated", async () => {
    const adapter = mysqlAdapter(pool, { now: () => 0 });
    await adapter.migrate();
    await pool.query("drop table authBucket");
    await adapter.createUser({ ...ADA, id: "1" });
    await adapter.deleteUser("1");
    const bucket = { key: "b", every: 1000, burst: 1 };
    await assert.rejects(async () => await adapter.take([bucket], LATER), (error) => {
      return error instanceof AdapterError && error.logCode === "storage-tables" &&
        /table `authBucket` is missing: call migrate\(\) once/.test(error.message);
    });
    await withPool({}, async (other) => await mysqlAdapter(other).migrate());
    assert.deepEqual(await adapter.take([bucket], LATER), [null]);
    assert.deepEqual(await adapter.take([bucket], LATER), [new Date(LATER.getTime() + 1000)]);
  });

  test("removes buckets that were full more than a day ago, by its clock and by the database's", async () => {
    await mysqlAdapter(pool).migrate();
    for (const ahead of [0, 10 * 365 * DAY, -10 * 365 * DAY]) {
      await pool.query("delete from authBucket");
      const adapter = mysqlAdapter(pool, { now: () => Date.now() + ahead });
      const limit = Date.now() + Math.min(ahead, 0) - DAY;
      const rule = { every: 1000, burst: 100 };
      await adapter.take([{ key: "within", ...rule }], new Date(limit + 60_000));
      for (let n = 0; n < 5; n += 1) await adapter.take([{ key: `before ${n}`, ...rule }], new Date(limit - 60_000));
      const many = Array.from({ length: 64 }, (_, n) => ({ key: `new ${n}`, ...rule }));
      await adapter.take(many, LATER);
      await adapter.take(many, LATER);
      const [rows] = await pool.query("select `key` from authBucket where `key` not like 'new %'");
      assert.deepEqual(JSON.parse(JSON.stringify(rows)), [{ key: "within" }]);
    }
  });

  test("takes two keys that an index counts as one for an error, and lets nobody in by it", async () => {
    const adapter = mysqlAdapter(pool);
    await adapter.migrate();
    await pool.query(`drop table authBucket; create table authBucket (\`key\` varchar(191) primary key,
      expires bigint not null) collate utf8mb4_general_ci`);
    await adapter.migrate();
    const bucket = { key: "a", every: 1000, burst: 1 };
    assert.deepEqual(await adapter.take([bucket], LATER), [null]);
    await assert.rejects(
      async () => await adapter.take([{ ...bucket, key: "A" }], LATER),
      /takes two keys for the same/,
    );
    await pool.query("drop table authBucket");
    await adapter.migrate();
  });

  test("stores a member in the column of its name by the type of the column, and all others in `extra`", async () => {
    const adapter = mysqlAdapter(pool);
    await adapter.migrate();
    await pool.query("alter table user add `is admin?` boolean, add age int, add joined datetime(3), add score double");
    const given = { "is admin?": true, age: 36, joined: LATER, score: 1.5, seen: LATER, nil: null };
    await withPool({}, async (other) => {
      const fresh = mysqlAdapter(other);
      const { id } = await fresh.createUser({ ...ADA, id: "", ...given });
      assert.deepEqual(await fresh.getUser(id), { ...ADA, id, ...given });
      await fresh.updateUser({ id, age: 37, more: LATER } as { id: string });
      const [row] = await rowsOf("select age, extra from user");
      const $date = LATER.toISOString();
      assert.deepEqual([row?.age, JSON.parse(String(row?.extra))], [37, {
        seen: { $date },
        nil: null,
        more: { $date },
      }]);
    });
  });

  test("loses none of twenty concurrent changes of one record", async () => {
    await withPool({ connectionLimit: 8 }, async (many) => {
      const adapter = mysqlAdapter(many);
      await adapter.migrate();
      await adapter.createUser(ADA);
      const names = Array.from({ length: 20 }, (_, n) => `member${n}`);
      await Promise.all(names.map((name) => adapter.updateUser({ id: "ada", [name]: 1 } as { id: string })));
      const found = Object.keys({ ...await adapter.getUser("ada") }).filter((name) => name.startsWith("member"));
      assert.equal(found.length, 20);
    });
  });

  for (const fate of ["reached", "did not reach"]) {
    test(
      `never repeats a transaction whose commit ${fate} the server and was not answered`,
      { timeout: LIMIT },
      async () => {
        const plain = mysqlAdapter(pool);
        await plain.migrate();
        await plain.createUser(ADA);
        const cut = await cutting(server.url, fate === "reached");
        await withPool({ uri: cut.url }, async (lossy) => {
          const adapter = mysqlAdapter(lossy);
          await assert.rejects(
            async () => await adapter.commit({ createSession: SESSION }),
            /may have happened or not/,
          );
          assert.equal(cut.cuts(), 1);
          assert.equal((await plain.listSessionsByUserId("ada")).length, fate === "reached" ? 1 : 0);
          // The connection is replaced.
          assert.equal((await adapter.getUser("ada"))?.id, "ada");
        });
        cut.close();
      },
    );
  }
});

/** A proxy that loses the connection once, at a commit: before it arrives, or before its response does. */
async function cutting(url: string, arrives: boolean) {
  const { hostname, port, pathname } = new URL(url);
  let cuts = 0;
  const proxy = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    let answersNobody = false;
    let recent = "";
    client.on("data", (bytes) => {
      // A packet may come in pieces.
      recent = (recent + bytes.toString("latin1")).slice(-999);
      if (cuts === 0 && recent.includes("\x03commit")) {
        cuts += 1;
        if (!arrives) return end();
        answersNobody = true;
      }
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => answersNobody ? end() : client.write(bytes));
    for (const socket of [client, upstream]) socket.on("close", end).on("error", end);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port: own } = proxy.address() as AddressInfo;
  return { url: `mysql://root@127.0.0.1:${own}${pathname}`, cuts: () => cuts, close: () => proxy.close() };
}
