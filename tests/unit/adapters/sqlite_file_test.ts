import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { CompleteAdapter } from "../../../src/contract/adapter.ts";
import { sqliteAdapter, type SqliteHandle, type SqliteStatement } from "../../../adapters/sqlite.ts";
import { AdapterError, InvalidConfig } from "../../../src/kernel/errors.ts";

const ADA = { id: "ada", email: "ada@example.com", emailVerified: null };
const LATER = new Date(Date.UTC(2100, 0, 1));

async function inFolder(use: (path: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "sqlite-"));
  try {
    await use(join(folder, "auth.db"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A database that records which statements are prepared, and how often each runs. */
function watched() {
  const database = new DatabaseSync(":memory:");
  const prepared: string[] = [];
  const runs: string[] = [];
  const handle: SqliteHandle = {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => {
      prepared.push(sql);
      const statement = database.prepare(sql);
      return {
        all: (...params) => {
          runs.push(sql);
          return statement.all(...params);
        },
      };
    },
  };
  return { handle, prepared, runs };
}

function one(database: DatabaseSync, sql: string): unknown {
  return Object.values(database.prepare(sql).get() ?? {})[0];
}

test("sqliteAdapter() opens no file before its first operation", async () => {
  await inFolder(async (path) => {
    const adapter = sqliteAdapter(join(path, "nowhere", "auth.db"));
    await assert.rejects(
      async () => await adapter.getUser("ada"),
      /Cannot open the SQLite file ".+auth\.db": the folder ".+nowhere" does not exist\. Create it/,
    );
    adapter.close();
  });
});

test("sqliteAdapter() tries again to open a file that could not be opened", async () => {
  await inFolder(async (path) => {
    const other = new DatabaseSync(path);
    other.exec("pragma journal_mode = wal; begin immediate");
    const adapter = sqliteAdapter(path, { busyTimeout: 10 });
    await assert.rejects(async () => await adapter.createUser(ADA), /database is locked/);
    other.exec("commit");
    await adapter.createUser(ADA);
    assert.equal((await adapter.getUser("ada"))?.id, "ada");
    other.close();
    adapter.close();
  });
});

test("sqliteAdapter() throws if the file stays locked, and has stored nothing", async () => {
  await inFolder(async (path) => {
    const adapter = sqliteAdapter(path, { busyTimeout: 10 });
    await adapter.createUser(ADA);
    const other = new DatabaseSync(path);
    other.exec("begin immediate");
    const session = { sessionToken: "s", userId: "ada", expires: LATER };
    await assert.rejects(async () => await adapter.createSession(session), /database is locked/);
    await assert.rejects(async () => await adapter.commit({ createSession: session }), /database is locked/);
    other.exec("rollback");
    assert.equal(await adapter.getSessionAndUser("s"), null);
    assert.equal(await adapter.commit({ createSession: session }), "done");
    other.close();
    adapter.close();
  });
});

test("sqliteAdapter() lets nobody write between a read and the write that depends on it", async () => {
  await inFolder(async (path) => {
    const file = new DatabaseSync(path);
    const other = new DatabaseSync(path, { timeout: 0 });
    const intrude = () => other.exec("update user set extra = '{}'");
    const handle: SqliteHandle = {
      exec: (sql) => file.exec(sql),
      prepare: (sql) => {
        const statement = file.prepare(sql);
        const all: SqliteStatement["all"] = (...params) => {
          const rows = statement.all(...params);
          if (sql.startsWith('select "extra"')) assert.throws(intrude, /database is locked/);
          return rows;
        };
        return { all };
      },
    };
    const adapter = sqliteAdapter(handle);
    await adapter.createUser({ ...ADA, role: "reader" } as typeof ADA);
    await adapter.updateUser({ id: "ada", team: "a" } as { id: string });
    const { role, team } = { ...await adapter.getUser("ada") } as Record<string, unknown>;
    assert.deepEqual({ role, team }, { role: "reader", team: "a" });
    file.close();
    other.close();
  });
});

test("sqliteAdapter() uses WAL mode and creates strict tables with foreign keys", async () => {
  await inFolder(async (path) => {
    const handle = new DatabaseSync(path);
    const adapter = sqliteAdapter(handle);
    await adapter.createUser(ADA);
    const settings = ["journal_mode", "synchronous", "foreign_keys", "busy_timeout"];
    assert.deepEqual(settings.map((name) => one(handle, `pragma ${name}`)), ["wal", 2, 1, 0]);
    assert.equal(
      one(
        handle,
        "select count(*) from pragma_table_list where strict and schema = 'main' and name in " +
          "('user', 'account', 'session', 'verificationToken', 'authenticator', 'onceMark', 'authRecord', 'authBucket')",
      ),
      8,
    );
    const orphan = handle.prepare("insert into session (sessionToken, userId, expires) values ('s', 'nobody', 1)");
    assert.throws(() => orphan.run(), /FOREIGN KEY/);
    handle.close();
  });
});

test("sqliteAdapter() reads a session and its user with one statement, prepared once, by primary keys", async () => {
  const { handle, prepared, runs } = watched();
  const adapter = sqliteAdapter(handle);
  await adapter.createUser(ADA);
  await adapter.createSession({ sessionToken: "s", userId: "ada", expires: LATER });
  await adapter.getSessionAndUser("s");
  prepared.length = runs.length = 0;
  for (let time = 0; time < 3; time += 1) await adapter.getSessionAndUser("s");
  const [sql = ""] = runs;
  assert.deepEqual({ prepared, runs }, { prepared: [], runs: [sql, sql, sql] });
  const plan = handle.prepare(`explain query plan ${sql}`).all("s").map((row) => (row as { detail: string }).detail);
  assert.equal(plan.length, 2);
  for (const step of plan) assert.match(step, /^SEARCH [tu] USING INDEX sqlite_autoindex_/);
});

test("sqliteAdapter() adds missing columns to an older table, and keeps its data", async () => {
  const handle = new DatabaseSync(":memory:");
  handle.exec(`create table user (id text primary key, email text, emailVerified integer, role text default 'reader');
    insert into user (id, email, emailVerified, role) values ('ada', 'ada@example.com', 1234, 'admin')`);
  const adapter = sqliteAdapter(handle);
  const ada = {
    id: "ada",
    name: null,
    email: "ada@example.com",
    emailVerified: new Date(1234),
    image: null,
    role: "admin",
  };
  assert.deepEqual(await adapter.getUser("ada"), ada);
  await adapter.createUser({ id: "bob", email: "bob@example.com", emailVerified: null });
  assert.equal(one(handle, "select role from user where id = 'bob'"), "reader");
  await assert.rejects(async () => await adapter.createUser({ ...ADA, id: "eve" }), AdapterError);
});

test("sqliteAdapter() stores a member in the column of its name, and all others in `extra`", async () => {
  const handle = new DatabaseSync(":memory:");
  handle.exec("create table user (id text primary key, role text, joined integer, active integer, email text)");
  const adapter = sqliteAdapter(handle);
  const at = new Date(5);
  const eve = { ...ADA, role: "admin", joined: at, active: true, seen: at, tags: ["a"], id2: undefined };
  await adapter.createUser(eve);
  const row = handle.prepare("select role, joined, active, extra from user").get();
  assert.deepEqual({ ...row }, {
    role: "admin",
    joined: 5,
    active: 1,
    extra: '{"seen":{"$date":"1970-01-01T00:00:00.005Z"},"tags":["a"]}',
  });
  await adapter.updateUser({ id: "ada", tags: null, image: undefined, more: 1 } as { id: string });
  const { seen, tags, more } = { ...await adapter.getUser("ada") } as Record<string, unknown>;
  assert.deepEqual({ seen, tags, more }, { seen: at, tags: null, more: 1 });
});

test("sqliteAdapter() prefers a column that was added later to the older value in `extra`", async () => {
  const handle = new DatabaseSync(":memory:");
  await sqliteAdapter(handle).createUser({ ...ADA, role: "reader", team: "a" } as typeof ADA);
  handle.exec("alter table user add column role text");
  const adapter = sqliteAdapter(handle);
  const roleOf = async () => ({ ...await adapter.getUser("ada") } as Record<string, unknown>).role;
  assert.equal(await roleOf(), "reader");
  await adapter.updateUser({ id: "ada", role: "admin" } as { id: string });
  assert.equal(await roleOf(), "admin");
  await adapter.updateUser({ id: "ada", role: null } as { id: string });
  assert.equal(await roleOf(), null);
  assert.equal(one(handle, "select extra from user"), '{"team":"a"}');
});

test("sqliteAdapter() uses the given names of tables, and rejects invalid ones", async () => {
  const handle = new DatabaseSync(":memory:");
  const adapter = sqliteAdapter(handle, { tables: { users: "people", onceMarks: "marks" } });
  await adapter.createUser(ADA);
  await adapter.once("k", LATER);
  assert.deepEqual([one(handle, "select count(*) from people"), one(handle, "select count(*) from marks")], [1, 1]);
  for (const users of ['a"b', "", "a b", "1st", "x".repeat(46), "session", "SESSION"]) {
    assert.throws(() => sqliteAdapter(handle, { tables: { users } }), InvalidConfig, users);
  }
});

test("sqliteAdapter() finds nothing for text that cannot be stored", async () => {
  const adapter = sqliteAdapter(":memory:");
  await adapter.createUser(ADA);
  for (const odd of ["a\0da", "\ud800", "\udfff"]) {
    const account = { userId: "ada", provider: "mock", providerAccountId: odd, type: "oidc" } as const;
    await assert.rejects(async () => await adapter.linkAccount(account), TypeError);
    assert.equal(await adapter.getUserByAccount(account), null);
    assert.equal(await adapter.getSessionAndUser(odd), null);
    assert.equal(await adapter.commit({ consume: { identifier: odd, tokens: [odd], now: LATER } }), "consumed");
  }
  adapter.close();
});

const DAY = 24 * 60 * 60 * 1000;

/** Stores a session, a token, a replay guard and a record that ended less than a day before `now`, and four that ended earlier. */
async function storeEnded(adapter: CompleteAdapter, limit: number): Promise<void> {
  await adapter.createUser(ADA);
  for (const [name, expires] of [["within", limit + 60_000], ["before", limit - 60_000]] as const) {
    const ends = new Date(expires);
    await adapter.createSession({ sessionToken: name, userId: "ada", expires: ends });
    await adapter.createVerificationToken({ identifier: name, token: "t", expires: ends });
    await adapter.once(name, ends);
    await adapter.putRecord({ kind: "pending", id: name, version: 0, expires: ends, data: {} });
  }
}

function left(handle: DatabaseSync): unknown[] {
  const names = ["select sessionToken as name from session", "select identifier from verificationToken"];
  const marks = `select "key" from onceMark where "key" not like 'new %'`;
  return [...names, marks, "select id from authRecord"].map((sql) =>
    handle.prepare(sql).all().map((row) => Object.values(row).join()).sort()
  );
}

const CLOCKS: Readonly<Record<string, number>> = {
  "as the database's does": 0,
  "ten years ahead of the database's": 10 * 365 * DAY,
  "ten years behind the database's": -10 * 365 * DAY,
};

for (const [name, ahead] of Object.entries(CLOCKS)) {
  test(`sqliteAdapter() removes rows that ended more than a day ago if its clock runs ${name}`, async () => {
    const handle = new DatabaseSync(":memory:");
    const now = () => Date.now() + ahead;
    const adapter = sqliteAdapter(handle, { now });
    await storeEnded(adapter, Date.now() + Math.min(ahead, 0) - DAY);
    for (let n = 0; n < 64; n += 1) await adapter.once(`new ${n}`, LATER);
    assert.deepEqual(left(handle), [["within"], ["within"], ["within"], ["within"]]);
  });
}

for (const [name, ahead] of Object.entries(CLOCKS)) {
  test(`sqliteAdapter() removes buckets that were full more than a day ago if its clock runs ${name}`, async () => {
    const handle = new DatabaseSync(":memory:");
    const adapter = sqliteAdapter(handle, { now: () => Date.now() + ahead });
    const limit = Date.now() + Math.min(ahead, 0) - DAY;
    const rule = { every: 1000, burst: 100 };
    await adapter.take([{ key: "within", ...rule }], new Date(limit + 60_000));
    for (let n = 0; n < 50; n += 1) await adapter.take([{ key: `before ${n}`, ...rule }], new Date(limit - 60_000));
    // A call about many buckets counts as many.
    const many = Array.from({ length: 64 }, (_, n) => ({ key: `new ${n}`, ...rule }));
    await adapter.take(many, LATER);
    await adapter.take(many, LATER);
    const kept = handle.prepare("select key from authBucket where key not like 'new %'").all();
    assert.deepEqual(kept.map(({ key }) => key), ["within"]);
  });
}

test("sqliteAdapter() removes rows that ended even if no adapter lives long", async () => {
  const handle = new DatabaseSync(":memory:");
  await storeEnded(sqliteAdapter(handle), Date.now() - DAY);
  for (let n = 0; n < 2000 && left(handle).flat().length > 4; n += 1) {
    await sqliteAdapter(handle).once(`new ${n}`, LATER);
  }
  assert.deepEqual(left(handle), [["within"], ["within"], ["within"], ["within"]]);
});

test("sqliteAdapter() can be closed, and operations say so afterwards", async () => {
  const adapter = sqliteAdapter(":memory:");
  await adapter.createUser(ADA);
  adapter.close();
  await assert.rejects(async () => await adapter.getUser("ada"), /it is closed/);
});
