/** Transactions on Cloudflare D1, which are decided before they begin: whatever others do in between. */
import assert from "node:assert/strict";
import type { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { AdapterUser, Plan } from "../../../src/contract/adapter.ts";
import { conformanceCases } from "../../../adapters/conformance.ts";
import { account, authenticator, LATER } from "../../../adapters/conformance/records.ts";
import { BOB, expectation, fullPlan, populate, readWorld } from "../../../adapters/conformance/world.ts";
import { sqliteAdapter } from "../../../adapters/sqlite.ts";
import { contend, oneEach, prepare } from "../../_support/contest.ts";
import { type Incidents, openD1 } from "../../_support/d1_double.ts";

function opened(incidents: Incidents = {}) {
  const { d1, database } = openD1(incidents);
  let clock = Date.UTC(2031, 0, 1);
  const adapter = sqliteAdapter(d1, { now: () => clock });
  return {
    adapter,
    database,
    now: { set: (milliseconds: number) => void (clock = milliseconds) },
    close: () => database.close(),
  };
}

for (const { name, run } of conformanceCases(opened)) test(`sqliteAdapter() of D1: ${name}`, run);

test("Of 64 callers on D1 one wins, 3 times of 3", async () => {
  const { adapter, close } = opened();
  await prepare(adapter, 3);
  assert.deepEqual(await contend(adapter, { rounds: 3, callers: 64 }), oneEach(3));
  close();
});

const RECORD = { kind: "k", id: "1", userId: BOB, version: 0, expires: null, data: {} } as const;

async function populated(incidents: Incidents = {}) {
  const all = opened(incidents);
  await populate(all.adapter);
  const version = await all.adapter.putRecord(RECORD);
  assert.ok(version);
  const plan: Plan = {
    ...fullPlan(),
    expect: { ...expectation(), records: [{ kind: "k", id: "1", version }] },
    updateUser: { id: "id-of-ada", emailVerified: LATER, team: "a" } as { id: string },
    records: { put: [{ ...RECORD, version }, { ...RECORD, id: "2" }], remove: [{ kind: "k", id: "3" }] },
  };
  return { ...all, plan };
}

/** What somebody else does after everything was read, and what the plan says then. */
const CHANGES: Readonly<Record<string, readonly [sql: string, result: "conflict" | "consumed"]>> = {
  "the user's address is not verified any more": [
    `update user set emailVerified = null where id = '${BOB}'`,
    "conflict",
  ],
  "the user has another address": [`update user set email = 'BOB@example.com' where id = '${BOB}'`, "conflict"],
  "the user is gone": [`delete from user where id = '${BOB}'`, "conflict"],
  "the account has another token": [
    "update account set access_token = 'x' where providerAccountId = 'bob-1'",
    "conflict",
  ],
  "the account is gone": ["delete from account where providerAccountId = 'bob-1'", "conflict"],
  "the credential was used": ["update authenticator set counter = 9 where credentialID = 'bob-1'", "conflict"],
  "the user has another credential": [
    "insert into authenticator (credentialID, userId, providerAccountId, credentialPublicKey, counter," +
    ` credentialDeviceType, credentialBackedUp) values ('new', '${BOB}', 'new', 'k', 0, 'singleDevice', 0)`,
    "conflict",
  ],
  "the session is gone": ["delete from session where sessionToken = 'bob-1'", "conflict"],
  "the record has another version": ["update authRecord set version = version + 1 where id = '1'", "conflict"],
  "the record is gone": ["delete from authRecord where id = '1'", "conflict"],
  "the record that is made is there": [
    "insert into authRecord (kind, id, version, data) values ('k', '2', 1, '{}')",
    "conflict",
  ],
  "the token is used": ["delete from verificationToken where identifier = 'ada@example.com'", "consumed"],
  "the token has ended": ["update verificationToken set expires = 1 where identifier = 'ada@example.com'", "consumed"],
  "the user that is changed is gone": ["delete from user where id = 'id-of-ada'", "conflict"],
  "the user that is made is there": ["insert into user (id) values ('id-of-eve')", "conflict"],
  "the address of the user that is made is taken": [
    "insert into user (id, email) values ('x', 'eve@example.com')",
    "conflict",
  ],
  "the account that is made is there": [
    `insert into account (userId, type, provider, providerAccountId) values ('${BOB}', 'oidc', 'idp', 'eve-1')`,
    "conflict",
  ],
  "the credential that is made is there": [
    "insert into user (id) values ('sam'); insert into authenticator (credentialID, userId, providerAccountId, credentialPublicKey, counter," +
    " credentialDeviceType, credentialBackedUp) values ('eve-1', 'sam', 'new', 'k', 0, 'singleDevice', 0)",
    "conflict",
  ],
  "the session that is made is there": [
    `insert into session (sessionToken, userId, expires) values ('eve-1', '${BOB}', 9000000000000)`,
    "conflict",
  ],
};

for (const [what, [sql, expected]] of Object.entries(CHANGES)) {
  test(`a plan on D1 is not done if, after it was decided, ${what}`, async () => {
    let changed: ReturnType<typeof dump> | null = null;
    let isOn = false;
    const { adapter, database, plan, close } = await populated({
      beforeBatch: (database) => {
        if (!isOn || changed) return;
        database.exec(sql);
        changed = dump(database);
      },
    });
    isOn = true;
    assert.equal(await adapter.commit(plan), expected);
    assert.ok(changed);
    assert.deepEqual(dump(database), changed);
    close();
  });
}

/** All rows. */
function dump(database: DatabaseSync): unknown {
  const tables = ["user", "account", "session", "verificationToken", "authenticator", "authRecord"];
  return tables.map((table) => database.prepare(`select * from ${table} order by rowid`).all());
}

test("a plan on D1 is decided again if something else of what it read has changed, and keeps the change", async () => {
  let times = 3;
  const { adapter, plan, close } = await populated({
    beforeBatch: (database) => {
      if (times < 3) database.exec(`update user set image = '${times += 1}' where id = '${BOB}'`);
    },
  });
  times = 0;
  assert.equal(await adapter.commit(plan), "done");
  assert.equal((await adapter.getUser(BOB))?.image, "3");
  assert.equal((await adapter.getUser("id-of-ada") as AdapterUser & { team?: string }).team, "a");
  close();
});

test("a plan on D1 is a conflict if others never stop to change what it read", async () => {
  let times = -1;
  const { adapter, database, plan, close } = await populated({
    beforeBatch: (database) => {
      if (times >= 0) database.exec(`update user set image = '${times += 1}' where id = '${BOB}'`);
    },
  });
  times = 0;
  assert.equal(await adapter.commit(plan), "conflict");
  assert.ok(times > 8, `${times} decisions`);
  assert.equal(database.prepare("select count(*) as n from user").get()?.n, 2);
  close();
});

test("a statement that fails on D1 undoes the whole plan, whichever it is", async () => {
  let failing = -1;
  const { adapter, plan, close } = await populated({
    beforeStatement: (place) => {
      if (place === failing) throw new Error("D1_ERROR: out of memory: SQLITE_NOMEM");
    },
  });
  const before = await readWorld(adapter);
  const fails = async (place: number): Promise<boolean> => {
    failing = place;
    try {
      await adapter.commit(plan);
      return false;
    } catch (error) {
      assert.match(String(error), /out of memory/);
      assert.deepEqual(await readWorld(adapter), before);
      return true;
    }
  };
  let place = 0;
  while (await fails(place)) place += 1;
  assert.ok(place > 25, `${place} statements`);
  assert.notDeepEqual(await readWorld(adapter), before);
  close();
});

test("64 changes of one user at once on D1 keep what each of them wrote", async () => {
  const { adapter, close } = opened();
  await adapter.createUser({ id: "ada", email: "ada@example.com", emailVerified: null });
  const names = Array.from({ length: 64 }, (_, index) => `member${index}`);
  await Promise.all(names.map((name) => adapter.updateUser({ id: "ada", [name]: name } as { id: string })));
  const stored = await adapter.getUser("ada") as unknown as Record<string, unknown>;
  assert.deepEqual(names.filter((name) => stored[name] !== name), []);
  close();
});

/** Somebody else changes a user with a picture and an address that folds case, before the first batch of a plan. */
async function changedBy(sql: string) {
  let batches = -1;
  const { adapter, database, close } = opened({
    beforeBatch: (database) => {
      if (batches >= 0 && (batches += 1) === 1) database.exec(sql);
    },
  });
  database.exec('create table user ("id" text primary key, "email" text unique collate nocase, "picture" blob)');
  await adapter.createUser({ id: "ada", email: "ada@example.com", emailVerified: null });
  database.exec("update user set picture = x'0a0b'");
  const user = { id: "ada", email: "ada@example.com", emailVerified: null, securityStamp: null };
  batches = 0;
  const result = await adapter.commit({ expect: { user }, linkAccount: account("ada", "1") });
  close();
  return { result, batches };
}

test("a plan on D1 is decided once if nothing has changed, also where rows hold bytes", async () => {
  assert.deepEqual(await changedBy("select 1"), { result: "done", batches: 1 });
});

test("a plan on D1 is decided again if bytes have changed", async () => {
  assert.deepEqual(await changedBy("update user set picture = x'0a0c'"), { result: "done", batches: 2 });
});

test("a plan on D1 sees a change that the column folds", async () => {
  assert.deepEqual(await changedBy("update user set email = 'ADA@example.com'"), { result: "conflict", batches: 1 });
});

test("an eviction on D1 removes more accounts than a statement has parameters", async () => {
  const { adapter, close } = opened();
  await adapter.createUser({ id: "ada", email: "ada@example.com", emailVerified: null });
  for (let index = 0; index < 120; index += 1) {
    await adapter.linkAccount(account("ada", `${index}`, { email_verified: false }));
  }
  await adapter.createAuthenticator(authenticator("ada", "1"));
  assert.equal(await adapter.commit({ evict: { userId: "ada", email: "ada@example.com" } }), "done");
  assert.deepEqual(await adapter.listAccountsByUserId("ada"), []);
  assert.deepEqual(await adapter.listAuthenticatorsByUserId("ada"), []);
  close();
});

test("two isolates make the tables of D1 at the same time", async () => {
  const { d1, database } = openD1();
  const isolates = Array.from(
    { length: 4 },
    () => sqliteAdapter({ prepare: (sql) => d1.prepare(sql), batch: (all: never[]) => d1.batch(all) }),
  );
  await Promise.all(isolates.map((adapter, index) => {
    return adapter.createUser({ id: `${index}`, email: `${index}@example.com`, emailVerified: null });
  }));
  assert.equal(database.prepare("select count(*) as n from user").get()?.n, 4);
  database.close();
});
