/** What is specific to PostgreSQL, on a real server. */
import assert from "node:assert/strict";
import { type AddressInfo, connect, createServer } from "node:net";
import { after, before, beforeEach, describe, test } from "node:test";
import AuthJsPostgresAdapter from "@auth/pg-adapter";
import pg from "pg";
import postgres from "postgres";
import type { CompleteAdapter } from "../../../src/contract/adapter.ts";
import { postgresAdapter, postgresSchema } from "../../../adapters/postgres.ts";
import { AdapterError, InvalidConfig } from "../../../src/kernel/errors.ts";
import {
  EMPTY_SCHEMA,
  findPostgres,
  type PostgresServer,
  skipsWithoutPostgres,
  startPostgres,
} from "../../_support/postgres.ts";

const bin = findPostgres();
const skip = skipsWithoutPostgres(bin, "The tests of PostgreSQL in particular");

const ADA = { id: "ada", name: "Ada", email: "ada@example.com", emailVerified: new Date(1700000000123), image: null };
const LATER = new Date(4102444800123);

const DAY = 24 * 60 * 60 * 1000;

/** Milliseconds that a test with a wait for a lock may take. */
const LIMIT = 20_000;

const SESSION = { sessionToken: "s", userId: "ada", expires: LATER };

/** The tables of `@auth/pg-adapter`, with ids of text. */
const FAMILY_TABLES = `
  create table verification_token (identifier text not null, expires timestamptz not null, token text not null,
    primary key (identifier, token));
  create table accounts (id text primary key default gen_random_uuid()::text, "userId" text not null,
    type varchar(255) not null, provider varchar(255) not null, "providerAccountId" varchar(255) not null,
    refresh_token text, access_token text, expires_at bigint, id_token text, scope text, session_state text,
    token_type text);
  create table sessions (id serial primary key, "userId" text not null, expires timestamptz not null,
    "sessionToken" varchar(255) not null);
  create table users (id text primary key default gen_random_uuid()::text, name varchar(255), email varchar(255),
    "emailVerified" timestamptz, image text);
`;

test("postgresAdapter() rejects objects that are no driver, and invalid names", () => {
  assert.throws(() => postgresAdapter({} as pg.Pool), InvalidConfig);
  for (const schema of ['a"b', "", "a.b", "a;drop table users"]) {
    assert.throws(() => postgresSchema({ schema }), InvalidConfig);
    assert.throws(() => postgresSchema({ tables: { users: schema } }), InvalidConfig);
  }
});

describe("postgresAdapter()", { skip }, () => {
  let server: PostgresServer;
  let pool: pg.Pool;
  before(async () => {
    server = await startPostgres(bin);
    pool = new pg.Pool({ connectionString: server.url, max: 4 });
  });
  after(async () => {
    await pool.end();
    await server.stop();
  });
  beforeEach(async () => void await pool.query(EMPTY_SCHEMA));

  test("says that the tables are missing, and finds them as soon as they exist", async () => {
    const adapter = postgresAdapter(pool);
    await assert.rejects(async () => await adapter.getUser("ada"), /"users" is missing: call migrate\(\)/);
    await pool.query(postgresSchema());
    assert.equal(await adapter.getUser("ada"), null);
  });

  test("says that tables were not migrated", async () => {
    await pool.query(FAMILY_TABLES);
    const adapter = postgresAdapter(pool);
    await assert.rejects(async () => await adapter.getUser("ada"), AdapterError);
  });

  test("migrates from eight adapters at once, and again without changes", async () => {
    await Promise.all(Array.from({ length: 8 }, () => postgresAdapter(pool, { schema: "auth" }).migrate()));
    const shape = async () =>
      (await pool.query("select * from information_schema.columns where table_schema = 'auth'")).rows;
    const before = await shape();
    await postgresAdapter(pool, { schema: "auth" }).migrate();
    await pool.query(postgresSchema({ schema: "auth" }));
    assert.deepEqual(await shape(), before);
    assert.equal(new Set(before.map((column: { table_name: string }) => column.table_name)).size, 8);
  });

  test("works in tables of a version that did not know where a session began, until they are migrated", async () => {
    await postgresAdapter(pool).migrate();
    await pool.query('alter table sessions drop column provider, drop column "providerSid"');
    const key = { provider: "idp", sid: "p" };
    const older = postgresAdapter(pool);
    await older.createUser({ ...ADA, id: "1" });
    const row = { sessionToken: "s", userId: "1", expires: LATER, provider: "idp", providerSid: "p" };
    await older.createSession(row);
    assert.deepEqual((await older.getSessionAndUser("s"))?.session, row);
    await assert.rejects(async () => await older.listSessionsByProviderSid(key), /call migrate\(\) once/);
    await postgresAdapter(pool).migrate();
    const newer = postgresAdapter(pool);
    assert.deepEqual((await newer.getSessionAndUser("s"))?.session, row);
    await newer.createSession({ ...row, sessionToken: "t" });
    assert.deepEqual((await newer.listSessionsByProviderSid(key)).map(({ sessionToken }) => sessionToken), ["t"]);
  });

  test("works in migrated tables of Auth.js, and keeps their data", async () => {
    await pool.query(FAMILY_TABLES);
    const authJs = AuthJsPostgresAdapter(pool) as unknown as CompleteAdapter;
    const { id } = await authJs.createUser(ADA);
    await authJs.createSession({ sessionToken: "s", userId: id, expires: LATER });
    await authJs.linkAccount({ userId: id, provider: "mock", providerAccountId: "1", type: "oidc", expires_at: 17 });
    await pool.query(`insert into sessions ("userId", expires, "sessionToken") values ('gone', now(), 'orphan')`);
    const ours = postgresAdapter(pool);
    await ours.migrate();
    const session = { sessionToken: "s", userId: id, expires: LATER };
    assert.deepEqual(await ours.getSessionAndUser("s"), { session, user: { ...ADA, id } });
    const account = { userId: id, provider: "mock", providerAccountId: "1", type: "oidc", expires_at: 17 };
    assert.deepEqual(await ours.getAccount("1", "mock"), account);
    await assert.rejects(async () => await ours.createUser({ ...ADA, id: "eve" }), AdapterError);
    assert.equal(await ours.commit({ createSession: { ...session, userId: "nobody", sessionToken: "t" } }), "conflict");
    await ours.deleteUser(id);
    assert.equal(await authJs.getUser(id), null);
  });

  test("creates tables in which the adapter of Auth.js works", async () => {
    const ours = postgresAdapter(pool);
    await ours.migrate();
    const authJs = AuthJsPostgresAdapter(pool) as unknown as CompleteAdapter;
    const { id } = await authJs.createUser(ADA);
    await authJs.linkAccount({ userId: id, provider: "mock", providerAccountId: "1", type: "oidc", expires_at: 17 });
    await authJs.createSession({ sessionToken: "s", userId: id, expires: LATER });
    await authJs.createVerificationToken({ identifier: "i", token: "t", expires: LATER });
    assert.deepEqual((await ours.getSessionAndUser("s"))?.user, { ...ADA, id });
    assert.deepEqual(await ours.useVerificationToken({ identifier: "i", token: "t" }), {
      identifier: "i",
      token: "t",
      expires: LATER,
    });
    await ours.updateUser({ id, name: "Ada L." });
    assert.equal((await authJs.getUserByAccount({ provider: "mock", providerAccountId: "1" }))?.name, "Ada L.");
  });

  test("stores a member in the column of its name by the type of the column, and all others in `extra`", async () => {
    const adapter = postgresAdapter(pool);
    await adapter.migrate();
    await pool.query(`alter table users add "is admin?" boolean, add tags jsonb, add age int, add joined timestamptz,
      add score numeric, add note json, add "key" uuid default gen_random_uuid()`);
    const given = {
      "is admin?": true,
      tags: ["a", { b: null }],
      age: 36,
      joined: LATER,
      score: 1.5,
      note: { z: 1, a: 2 },
      seen: LATER,
      nil: null,
    };
    for (const driver of [pool, postgres(server.url, { transform: postgres.camel })]) {
      const fresh = postgresAdapter(driver);
      const { id } = await fresh.createUser({ ...ADA, id: "", ...given });
      const { key, ...user } = { ...await fresh.getUser(id) } as Record<string, unknown>;
      assert.match(String(key), /^[0-9a-f-]{36}$/);
      assert.deepEqual(user, { ...ADA, id, ...given });
      // The type jsonb would sort them.
      assert.deepEqual(Object.keys(user.note as object), ["z", "a"]);
      await fresh.updateUser({ id, age: 37, more: LATER } as { id: string });
      const { rows: [row] } = await pool.query("select age, extra from users");
      const $date = LATER.toISOString();
      assert.deepEqual({ ...row }, { age: 37, extra: { seen: { $date }, nil: null, more: { $date } } });
      await fresh.deleteUser(id);
      if (driver !== pool) await (driver as postgres.Sql).end();
    }
  });

  test("works however the application makes the driver convert values", async () => {
    const types = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig;
    const raw = new pg.Pool({ connectionString: server.url, max: 1, types });
    const adapter = postgresAdapter(raw);
    await adapter.migrate();
    await adapter.createUser({ ...ADA, seen: LATER } as typeof ADA);
    await adapter.createSession(SESSION);
    assert.deepEqual(await adapter.getSessionAndUser("s"), { session: SESSION, user: { ...ADA, seen: LATER } });
    const account = { userId: "ada", provider: "mock", providerAccountId: "1", type: "oidc", expires_at: 17 } as const;
    await adapter.linkAccount(account);
    assert.deepEqual(await adapter.getAccount("1", "mock"), account);
    await raw.end();
  });

  for (const name of ["pg", "postgres"]) {
    // Outside Deno this driver sometimes writes to a lost connection, where nobody can catch the error.
    const skip = name === "postgres" && !("Deno" in globalThis);
    test(
      `starts a transaction again whose connection ${name} loses in the middle of it`,
      // On a busy machine this driver sometimes never settles a statement whose connection was lost.
      { skip: name === "postgres", timeout: LIMIT },
      async () => {
        const plain = postgresAdapter(pool);
        await plain.migrate();
        await plain.createUser(ADA);
        const driver = name === "pg"
          ? new pg.Pool({ connectionString: server.url, max: 1 })
          : postgres(server.url, { max: 1 });
        const adapter = postgresAdapter(driver);
        await adapter.getUser("ada");
        const blocker = new pg.Client({ connectionString: server.url });
        await blocker.connect();
        await blocker.query("begin; lock table sessions in exclusive mode");
        const written = adapter.commit({ createSession: SESSION });
        await terminateWaiting(pool);
        await blocker.end();
        assert.equal(await written, "done");
        assert.equal((await plain.listSessionsByUserId("ada")).length, 1);
        await driver.end();
      },
    );

    for (const fate of ["reached", "did not reach"]) {
      test(`commits once with ${name} when the answer is lost to a commit that ${fate} the server`, {
        skip,
        timeout: LIMIT,
      }, async () => {
        const plain = postgresAdapter(pool);
        await plain.migrate();
        await plain.createUser(ADA);
        await plain.createVerificationToken({ identifier: "ada", token: "t", expires: LATER });
        const cut = await cutting(server.url, fate === "reached");
        const driver = name === "pg"
          ? new pg.Pool({ connectionString: cut.url, max: 2 }).on("error", () => {})
          : postgres(cut.url, { max: 2 });
        const adapter = postgresAdapter(driver);
        const consume = { identifier: "ada", tokens: ["t"], now: new Date() };
        assert.equal(await adapter.commit({ consume, createSession: SESSION }), "done");
        assert.equal(cut.cuts(), 1);
        assert.equal((await plain.listSessionsByUserId("ada")).length, 1);
        // This driver waits forever for the connection that it lost.
        await ("query" in driver ? driver.end() : driver.end({ timeout: 1 }));
        cut.close();
      });
    }
  }

  test("repeats a read when its connection is closed", { timeout: LIMIT }, async () => {
    const plain = postgresAdapter(pool);
    await plain.migrate();
    await plain.createUser(ADA);
    const driver = new pg.Pool({ connectionString: server.url, max: 1 }).on("error", () => {});
    const adapter = postgresAdapter(driver);
    await adapter.getUser("ada");
    const blocker = new pg.Client({ connectionString: server.url });
    await blocker.connect();
    await blocker.query("begin; lock table users in access exclusive mode");
    const read = adapter.getUser("ada");
    await terminateWaiting(pool);
    await blocker.end();
    assert.equal((await read)?.id, "ada");
    await driver.end();
  });

  test("loses none of twenty concurrent changes of one record", async () => {
    const adapter = postgresAdapter(pool);
    await adapter.migrate();
    await adapter.createUser(ADA);
    const names = Array.from({ length: 20 }, (_, n) => `member${n}`);
    await Promise.all(names.map((name) => adapter.updateUser({ id: "ada", [name]: 1 } as { id: string })));
    const found = Object.keys({ ...await adapter.getUser("ada") }).filter((name) => name.startsWith("member"));
    assert.equal(found.length, 20);
  });

  for (const level of ["repeatable read", "serializable"]) {
    test(`lets forty tabs write at once if ${level} is the default`, { timeout: 60_000 }, async () => {
      await postgresAdapter(pool).migrate();
      const options = `-c default_transaction_isolation=${level.replace(" ", "\\ ")}`;
      const strict = new pg.Pool({ connectionString: server.url, max: 20, options });
      const adapter = postgresAdapter(strict);
      await adapter.createUser(ADA);
      await adapter.createSession(SESSION);
      const failures: unknown[] = [];
      const tab = async (n: number) => {
        const account = { userId: "ada", provider: "idp", providerAccountId: `${n}`, type: "oidc" } as const;
        const createSession = { ...SESSION, sessionToken: `s${n}` };
        const results = await Promise.allSettled([
          adapter.updateSession({ sessionToken: "s", expires: new Date(LATER.valueOf() + n) }),
          adapter.updateUser({ id: "ada", [`member${n}`]: n } as { id: string }),
          adapter.commit({ linkAccount: account, createSession }),
          adapter.once(`mark ${n % 4}`, LATER),
          adapter.deleteSession(`s${n - 1}`),
          adapter.getSessionAndUser("s"),
        ]);
        for (const result of results) if (result.status === "rejected") failures.push(result.reason);
      };
      await Promise.all(Array.from({ length: 40 }, (_, n) => tab(n)));
      assert.deepEqual(failures, []);
      assert.equal((await adapter.listAccountsByUserId("ada")).length, 40);
      const members = Object.keys({ ...await adapter.getUser("ada") }).filter((name) => name.startsWith("member"));
      assert.equal(members.length, 40);
      await strict.end();
    });
  }

  test("reads and writes Prisma's timestamps without time zone as UTC, whatever the time zone of the connection", {
    timeout: LIMIT,
  }, async () => {
    await pool.query(
      `create table users (id text primary key, name text, email text unique, "emailVerified" timestamp(3),
        image text, joined timestamp(3));
      create table sessions (id text primary key, "sessionToken" text unique not null, "userId" text not null,
        expires timestamp(3) not null);
      create table verification_token (identifier text not null, token text not null, expires timestamp(3) not null);
      create table once_marks ("key" text primary key, expires timestamp(3) not null)`,
    );
    for (const zone of ["America/New_York", "Asia/Tokyo", "UTC"]) {
      const zoned = new pg.Pool({ connectionString: server.url, max: 1, options: `-c timezone=${zone}` });
      const adapter = postgresAdapter(zoned);
      await adapter.migrate();
      await zoned.query("truncate users cascade");
      await zoned.query(`insert into users (id, "emailVerified") values ('old', '2026-01-01 10:00:00')`);
      assert.deepEqual((await adapter.getUser("old"))?.emailVerified, new Date(Date.UTC(2026, 0, 1, 10)));
      const joined = new Date(1700000000123);
      await adapter.createUser({ ...ADA, joined } as typeof ADA);
      const stored = `select "emailVerified"::text as at, joined::text as joined from users where id = 'ada'`;
      const { rows: [row] } = await zoned.query(stored);
      assert.deepEqual({ ...row }, { at: "2023-11-14 22:13:20.123", joined: "2023-11-14 22:13:20.123" });
      assert.deepEqual(await adapter.getUser("ada"), { ...ADA, joined });
      await adapter.createSession(SESSION);
      assert.deepEqual((await adapter.getSessionAndUser("s"))?.session, SESSION);
      // An hour is less than these zones are away from UTC.
      const now = Date.now();
      const [soon, before] = [new Date(now + 3_600_000), new Date(now - 3_600_000)];
      await adapter.createVerificationToken({ identifier: "i", token: "t", expires: soon });
      await adapter.createVerificationToken({ identifier: "i", token: "ended", expires: before });
      const consume = (token: string) =>
        adapter.commit({ consume: { identifier: "i", tokens: [token], now: new Date(now) } });
      assert.deepEqual([await consume("t"), await consume("ended")], ["done", "consumed"]);
      const once = postgresAdapter(zoned, { now: () => now });
      const key = `mark of ${zone}`;
      assert.deepEqual([await once.once(key, soon), await once.once(key, soon)], [true, false]);
      const later = postgresAdapter(zoned, { now: () => now + 3_600_001 });
      assert.equal(await later.once(key, soon), true);
      await adapter.useVerificationToken({ identifier: "i", token: "ended" });
      await zoned.end();
    }
  });

  const MISFITS: Readonly<Record<string, readonly [sql: string, says: RegExp]>> = {
    "ids that are numbers": ["create table users (id serial primary key)", /column "id" of table "users" holds int4/],
    "users named by numbers": [
      `create table sessions ("userId" integer not null)`,
      /column "userId" of table "sessions" holds int4/,
    ],
    "users named by another type": [
      `create table users (id uuid primary key); create table sessions ("userId" text)`,
      /column "userId" of table "sessions" holds text, and must hold uuid as "id" of "users" does/,
    ],
    "dates of text": ["create table sessions (expires text)", /"expires" of table "sessions" holds text.*timestamptz/],
    "dates of numbers": [`create table users ("emailVerified" bigint)`, /"emailVerified" of table "users" holds int8/],
    "flags of text": [`create table authenticators ("credentialBackedUp" text)`, /"credentialBackedUp".*boolean/],
    "the same address twice": [
      "create table users (id text, email text); insert into users values ('a', 'x@y.z'), ('b', 'x@y.z')",
      /table "users" has duplicates in "email".*group by "email" having count/,
    ],
    "the same account twice": [
      `create table accounts (provider text, "providerAccountId" text); insert into accounts values ('i', '1'), ('i', '1')`,
      /table "accounts" has duplicates in "provider", "providerAccountId"/,
    ],
  };

  for (const [name, [sql, says]] of Object.entries(MISFITS)) {
    test(`says which column of which table has ${name}, and changes nothing`, { timeout: LIMIT }, async () => {
      await pool.query(sql);
      const shape = async () => {
        const columns = "select table_name, column_name from information_schema.columns where table_schema = 'public'";
        return (await pool.query(`${columns} order by 1, 2`)).rows;
      };
      const before = await shape();
      await assert.rejects(() => postgresAdapter(pool).migrate(), (error: Error) => {
        assert.ok(error instanceof AdapterError);
        assert.match(error.message, says);
        assert.doesNotMatch(error.message, /x@y/);
        return true;
      });
      assert.deepEqual(await shape(), before);
    });
  }

  test(
    "says at its first use which column does not fit, and which columns are not unique",
    { timeout: LIMIT },
    async () => {
      await postgresAdapter(pool).migrate();
      await pool.query("alter table users alter column email type text; drop index users_email_unique");
      const other = new pg.Pool({ connectionString: server.url, max: 1 });
      await assert.rejects(
        async () => await postgresAdapter(other).getUser("ada"),
        /table "users" may have several rows of the same "email": call migrate\(\)/,
      );
      await pool.query("alter table sessions alter column expires type text");
      await assert.rejects(async () => await postgresAdapter(other).getUser("ada"), /"expires" of table "sessions"/);
      await other.end();
    },
  );

  const indexesOfUsers = async () => {
    const where = "schemaname = 'public' and tablename = 'users'";
    const { rows } = await pool.query(`select indexname as name from pg_indexes where ${where} order by 1`);
    return rows.map(({ name }: { name: string }) => name);
  };

  test("makes ids of users unique once: by the primary key, or by an index where the table has none", async () => {
    const adapter = postgresAdapter(pool);
    await adapter.migrate();
    await pool.query(postgresSchema());
    assert.deepEqual(await indexesOfUsers(), ["users_email_unique", "users_pkey"]);
    await pool.query("create unique index users_key_unique on users (id)");
    await adapter.migrate();
    assert.equal((await adapter.createUser(ADA)).id, "ada");
    assert.deepEqual(await indexesOfUsers(), ["users_email_unique", "users_key_unique", "users_pkey"]);
    await pool.query("alter table users drop constraint users_pkey cascade; drop index users_key_unique");
    await assert.rejects(async () => await postgresAdapter(pool, { schema: "public" }).getUser("ada"), /same "id"/);
    await adapter.migrate();
    assert.deepEqual(await indexesOfUsers(), ["users_email_unique", "users_key_unique"]);
    assert.equal((await adapter.getUser("ada"))?.id, "ada");
  });

  test("does not take an index of an expression for one that makes a column unique", async () => {
    const adapter = postgresAdapter(pool);
    await adapter.migrate();
    await pool.query("drop index users_email_unique; create unique index on users (lower(email))");
    await assert.rejects(async () => await postgresAdapter(pool, { schema: "public" }).getUser("ada"), /same "email"/);
    await adapter.migrate();
    assert.ok((await indexesOfUsers()).includes("users_email_unique"));
  });

  test("works in tables with ids of type uuid", { timeout: LIMIT }, async () => {
    await pool.query(
      `create table users (id uuid primary key); create table sessions (id uuid primary key, "userId" uuid);
      create table accounts (id uuid primary key, "userId" uuid); create table authenticators ("userId" uuid)`,
    );
    const adapter = postgresAdapter(pool);
    await adapter.migrate();
    const { id } = await adapter.createUser({ ...ADA, id: "" });
    await adapter.createSession({ ...SESSION, userId: id });
    await adapter.linkAccount({ userId: id, provider: "mock", providerAccountId: "1", type: "oidc" });
    assert.equal((await adapter.getSessionAndUser("s"))?.user.id, id);
    assert.equal((await adapter.getUserByAccount({ provider: "mock", providerAccountId: "1" }))?.id, id);
    await adapter.putRecord({ kind: "key", id: "k", userId: id, version: 0, data: {} });
    assert.deepEqual((await adapter.listRecords({ kind: "key", userId: id })).map((row) => row.userId), [id]);
    await adapter.migrate();
    await adapter.deleteUser(id);
    assert.equal(await adapter.getRecord({ kind: "key", id: "k" }), null);
  });

  test("works in tables of a version that had no records, and has them as soon as they are migrated", async () => {
    const adapter = postgresAdapter(pool);
    await adapter.migrate();
    await pool.query("drop table auth_records");
    const older = postgresAdapter(pool, { now: () => 0 });
    await postgresAdapter(pool).migrate();
    await pool.query("drop table auth_records");
    await older.createUser({ ...ADA, id: "1" });
    await older.createUser({ ...ADA, id: "2", email: "bob@example.com" });
    await older.deleteUser("2");
    const evict = { userId: "1", email: ADA.email };
    assert.equal(await older.commit({ evict }), "done");
    await assert.rejects(async () => await older.getRecord({ kind: "key", id: "k" }), /auth_records/);
    // Another process migrates the tables and stores a record, of which this process must know when it evicts.
    const other = new pg.Pool({ connectionString: server.url, max: 1 });
    await postgresAdapter(other).migrate();
    await postgresAdapter(other).putRecord({ kind: "key", id: "k", userId: "1", version: 0, data: {} });
    assert.equal(await older.commit({ evict }), "done");
    assert.equal(await postgresAdapter(other).getRecord({ kind: "key", id: "k" }), null);
    await other.end();
  });

  test("works in tables of a version that had no buckets, and has them as soon as they are migrated", async () => {
    const adapter = postgresAdapter(pool);
    await adapter.migrate();
    await pool.query("drop table auth_buckets");
    const older = postgresAdapter(pool, { now: () => 0 });
    await postgresAdapter(pool).migrate();
    await pool.query("drop table auth_buckets");
    await older.createUser(ADA);
    await older.deleteUser(ADA.id);
    const bucket = { key: "b", every: 1000, burst: 1 };
    for (let times = 0; times < 2; times += 1) {
      await assert.rejects(async () => await older.take([bucket], LATER), (error) => {
        return error instanceof AdapterError && error.logCode === "storage-tables" &&
          /table "auth_buckets" is missing: call migrate\(\) once/.test(error.message);
      });
    }
    const other = new pg.Pool({ connectionString: server.url, max: 1 });
    await postgresAdapter(other).migrate();
    await other.end();
    assert.deepEqual(await older.take([bucket], LATER), [null]);
    assert.deepEqual(await older.take([bucket], LATER), [new Date(LATER.getTime() + 1000)]);
  });

  test("removes buckets that were full more than a day ago, by its clock and by the database's", async () => {
    await postgresAdapter(pool).migrate();
    for (const ahead of [0, 10 * 365 * DAY, -10 * 365 * DAY]) {
      await pool.query("delete from auth_buckets");
      const adapter = postgresAdapter(pool, { now: () => Date.now() + ahead });
      const limit = Date.now() + Math.min(ahead, 0) - DAY;
      const rule = { every: 1000, burst: 100 };
      await adapter.take([{ key: "within", ...rule }], new Date(limit + 60_000));
      for (let n = 0; n < 5; n += 1) await adapter.take([{ key: `before ${n}`, ...rule }], new Date(limit - 60_000));
      const many = Array.from({ length: 64 }, (_, n) => ({ key: `new ${n}`, ...rule }));
      await adapter.take(many, LATER);
      await adapter.take(many, LATER);
      const { rows } = await pool.query("select key from auth_buckets where key not like 'new %'");
      assert.deepEqual(rows, [{ key: "within" }]);
    }
  });

  test("lets 64 callers take from the same buckets in opposite orders without a deadlock", async () => {
    const adapter = postgresAdapter(pool);
    await adapter.migrate();
    const deadlocks = async () =>
      (await pool.query("select deadlocks from pg_stat_database where datname = current_database()")).rows;
    const before = await deadlocks();
    const buckets = Array.from({ length: 8 }, (_, n) => ({ key: `b-${n}`, every: 1000, burst: 100 }));
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(Array.from({ length: 64 }, async (_, n) => {
        await adapter.take(n % 2 === 0 ? buckets : buckets.toReversed(), LATER);
      }));
    }
    assert.deepEqual(await deadlocks(), before);
  });

  test("takes from buckets in one statement, and in another one only if one refuses", async () => {
    await postgresAdapter(pool).migrate();
    await pool.query("delete from auth_buckets");
    const said: string[] = [];
    const driver = {
      query: (text: string, values?: (string | null)[]) => {
        said.push(text);
        return pool.query(text, values);
      },
      connect: () => Promise.reject(new Error("A transaction was begun")),
    } as unknown as pg.Pool;
    const adapter = postgresAdapter(driver, { now: () => 0 });
    await adapter.getUser("nobody");
    const buckets = ["a", "b", "c", "d"].map((key) => ({ key, every: 1000, burst: 1 }));
    said.length = 0;
    await adapter.take(buckets, LATER);
    assert.equal(said.filter((text) => text.includes("auth_buckets") && !text.startsWith("delete")).length, 1);
    said.length = 0;
    await adapter.take(buckets, LATER);
    assert.equal(said.filter((text) => text.includes("auth_buckets") && !text.startsWith("delete")).length, 2);
  });

  test(
    "keeps a member in a column that was added while it was used, once it is migrated",
    { timeout: LIMIT },
    async () => {
      const adapter = postgresAdapter(pool, { schema: "used" });
      await assert.rejects(async () => await adapter.getUser("ada"), /is missing: call migrate\(\)/);
      await adapter.migrate();
      await adapter.createUser({ ...ADA, age: 36 } as typeof ADA);
      await pool.query("alter table used.users add column age int");
      await adapter.migrate();
      await adapter.updateUser({ id: "ada", age: 37 } as { id: string });
      const { rows: [row] } = await pool.query("select age, extra from used.users");
      assert.deepEqual({ ...row }, { age: 37, extra: null });
      await pool.query("drop schema used cascade");
    },
  );

  for (const [whose, ahead] of [["its own", true], ["the database's", false]] as const) {
    test(`removes nothing that ended within a day by ${whose} clock`, { timeout: LIMIT }, async () => {
      const years = 10 * 365 * DAY;
      const now = () => Date.now() + (ahead ? years : -years);
      const adapter = postgresAdapter(pool, { now });
      await adapter.migrate();
      await adapter.createUser(ADA);
      const left = async () => {
        for (let n = 0; n < 64; n += 1) await adapter.once(crypto.randomUUID(), LATER);
        return (await adapter.listSessionsByUserId("ada")).map(({ sessionToken }) => sessionToken).sort();
      };
      const limit = ahead ? Date.now() - DAY : now() - DAY;
      await adapter.createSession({ ...SESSION, sessionToken: "before", expires: new Date(limit - 60_000) });
      await adapter.createSession({ ...SESSION, sessionToken: "within", expires: new Date(limit + 60_000) });
      assert.deepEqual(await left(), ["within"]);
    });
  }

  test("retries a transaction that collided with another", async () => {
    const adapter = postgresAdapter(pool);
    await adapter.migrate();
    await adapter.createUser(ADA);
    const strict = new pg.Pool({
      connectionString: server.url,
      max: 2,
      options: "-c default_transaction_isolation=serializable",
    });
    const others = Array.from(
      { length: 2 },
      (_, n) => postgresAdapter(strict).updateUser({ id: "ada", n } as { id: string }),
    );
    const users = await Promise.all(others);
    assert.deepEqual(users.map(({ id }) => id), ["ada", "ada"]);
    await strict.end();
  });
});

/** Closes the connection that waits for a lock, as soon as there is one. */
async function terminateWaiting(pool: pg.Pool): Promise<void> {
  const waiting = "select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock'";
  for (let tries = 0; tries < 1000; tries += 1) {
    const { rowCount } = await pool.query(waiting);
    if (rowCount) return;
  }
  throw new Error("No connection waits for a lock");
}

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
    client.on("data", (bytes) => {
      if (cuts === 0 && bytes.includes("commit\0")) {
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
  return {
    url: `postgres://tests@127.0.0.1:${own}${pathname}`,
    cuts: () => cuts,
    close: () => proxy.close(),
  };
}
