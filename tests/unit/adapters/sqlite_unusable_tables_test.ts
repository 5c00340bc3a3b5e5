/** Tables of other software that cannot be used as they are. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { sqliteAdapter, type SqliteHandle } from "../../../adapters/sqlite.ts";
import { AdapterError } from "../../../src/kernel/errors.ts";

const ADA = { id: "ada", email: "ada@example.com", emailVerified: null };
const LATER = new Date(Date.UTC(2100, 0, 1));

interface Case {
  readonly sql: string;
  /** What the error says. */
  readonly says: readonly RegExp[];
}

const MISFITS: Readonly<Record<string, Case>> = {
  "ids that are numbers": {
    sql: "create table user (id integer primary key autoincrement, email text, emailVerified integer)",
    says: [/column "id" of table "user" holds numbers \(INTEGER\)/, /as TEXT/],
  },
  "users named by numbers": {
    sql: "create table session (sessionToken text primary key, userId int not null, expires integer)",
    says: [/column "userId" of table "session" holds numbers \(INT\)/],
  },
  "dates of text": {
    sql: "create table session (sessionToken text primary key, userId text not null, expires text)",
    says: [/column "expires" of table "session" holds text \(TEXT\)/, /unixepoch/],
  },
  "dates that are text in fact": {
    sql: "create table user (id text primary key, email text unique, emailVerified datetime);" +
      "insert into user values ('ada', 'ada@example.com', '2026-01-01 10:00:00')",
    says: [/column "emailVerified" of table "user" holds text \(datetime\)/i],
  },
  "counters of text": {
    sql: "create table authenticator (credentialID text primary key, userId text, counter varchar(9))",
    says: [/column "counter" of table "authenticator" holds text \(varchar\(9\)\)/i],
  },
  "the same address twice": {
    sql: "create table user (id text primary key, email text);" +
      "insert into user values ('ada', 'ada@example.com'), ('eve', 'ada@example.com'), ('bob', null), ('sam', null)",
    says: [/table "user" has duplicates in "email"/, /group by "email" having count\(\*\) > 1/],
  },
  "the same account twice": {
    sql: "create table account (id integer primary key, userId text, provider text, providerAccountId text);" +
      "insert into account values (1, 'ada', 'idp', '1'), (2, 'eve', 'idp', '1'), (3, 'eve', 'idp', '2')",
    says: [/table "account" has duplicates in "provider", "providerAccountId"/],
  },
  "two things at once": {
    sql: "create table user (id integer primary key); create table session (sessionToken text, expires text)",
    says: [/column "id" of table "user"/, /column "expires" of table "session"/],
  },
};

function shape(handle: DatabaseSync): unknown {
  return handle.prepare("select sql from sqlite_schema order by name").all();
}

for (const [name, { sql, says }] of Object.entries(MISFITS)) {
  test(`sqliteAdapter() says which column of which table has ${name}, and changes nothing`, async () => {
    const handle = new DatabaseSync(":memory:");
    handle.exec(sql);
    const before = shape(handle);
    const adapter = sqliteAdapter(handle);
    for (let time = 0; time < 2; time += 1) {
      await assert.rejects(async () => await adapter.getUser("ada"), (error: Error) => {
        assert.ok(error instanceof AdapterError);
        for (const text of says) assert.match(error.message, text);
        assert.match(error.message, /option `tables`/);
        assert.doesNotMatch(error.message, /example\.com/);
        return true;
      });
    }
    assert.deepEqual(shape(handle), before);
    handle.close();
  });
}

const FITS: Readonly<Record<string, string>> = {
  "dates that Prisma keeps as numbers":
    "create table user (id text not null primary key, email text, emailVerified datetime);" +
    'create unique index "User_email_key" on user(email);' +
    "insert into user values ('old', 'old@example.com', 1767261600000)",
  "accounts with a number of their own":
    "create table account (id integer primary key, userId text not null, type text not null, provider text not null," +
    " providerAccountId text not null);" +
    "insert into account values (1, 'old', 'oidc', 'idp', '0')",
  "ids of another type of text": "create table user (id varchar(36) primary key, email nvarchar(255) unique)",
  "columns without a type": "create table user (id primary key, email, emailVerified)",
};

for (const [name, sql] of Object.entries(FITS)) {
  test(`sqliteAdapter() uses tables with ${name}, and keeps rows unique`, async () => {
    const handle = new DatabaseSync(":memory:");
    handle.exec(sql);
    const adapter = sqliteAdapter(handle);
    await adapter.createUser(ADA);
    await assert.rejects(async () => await adapter.createUser({ ...ADA, id: "eve" }), AdapterError);
    const account = { userId: "ada", provider: "idp", providerAccountId: "1", type: "oidc" } as const;
    await adapter.linkAccount(account);
    await assert.rejects(async () => await adapter.linkAccount(account), AdapterError);
    assert.equal(await adapter.once("k", LATER), true);
    const unique = handle.prepare(
      "select i.name from pragma_index_list('user') i, pragma_index_info(i.name) c where i.\"unique\" and c.name = 'email'",
    );
    assert.equal(unique.all().length, 1);
    handle.close();
  });
}

test("sqliteAdapter() reads a date that Prisma stores as a number", async () => {
  const handle = new DatabaseSync(":memory:");
  handle.exec(FITS["dates that Prisma keeps as numbers"] ?? "");
  assert.deepEqual((await sqliteAdapter(handle).getUser("old"))?.emailVerified, new Date(1767261600000));
});

/** A handle that counts reads of its schema. */
function watched() {
  const database = new DatabaseSync(":memory:");
  let asked = 0;
  const handle: SqliteHandle = {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => {
      if (sql.includes("pragma_table_info")) asked += 1;
      return database.prepare(sql);
    },
  };
  return { handle, asked: () => asked };
}

test("sqliteAdapter() reads the schema of a handle once for all adapters", async () => {
  const { handle, asked } = watched();
  await sqliteAdapter(handle).createUser(ADA);
  const once = asked();
  assert.ok(once > 0);
  for (let request = 0; request < 5; request += 1) {
    assert.equal((await sqliteAdapter(handle).getUser("ada"))?.id, "ada");
  }
  assert.equal(asked(), once);
  const tables = { users: "people" };
  assert.equal(await sqliteAdapter(handle, { tables }).getUser("ada"), null);
  assert.ok(asked() > once);
});
