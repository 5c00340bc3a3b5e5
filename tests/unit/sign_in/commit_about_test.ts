import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryRecords } from "../../../adapters/memory.ts";
import { withRecords } from "../../../adapters/records.ts";
import type { Adapter, Plan, StoredRecord } from "../../../src/contract/adapter.ts";
import { AdapterError } from "../../../src/kernel/errors.ts";
import { commitAbout } from "../../../src/sign_in/commit_about.ts";
import { guardAdapter } from "../../../src/storage/guard.ts";
import { PLAIN_STORE } from "../../_support/stores.ts";

const ADA = { id: "ada", email: "ada@example.com", emailVerified: null };
const KEY = { provider: "idp", providerAccountId: "1" };
const OTHER = { provider: "idp", providerAccountId: "2" };
const CREDENTIAL = {
  userId: ADA.id,
  credentialID: "key",
  providerAccountId: "1",
  credentialPublicKey: "key",
  counter: 0,
  credentialDeviceType: "singleDevice",
  credentialBackedUp: false,
};
const BOTH: Plan = {
  unlinkAccount: { ...KEY, userId: ADA.id },
  deleteAuthenticator: { credentialID: "key", userId: ADA.id },
};

function record(kind: string, others: Partial<StoredRecord> = {}): StoredRecord {
  return { kind, id: kind, userId: ADA.id, version: 0, data: {}, ...others };
}

/** Storage without transactions, in which Ada has two accounts and a passkey. */
async function open(own: (rows: Adapter) => Adapter = () => ({})) {
  const { adapter: plain, rows } = PLAIN_STORE.open(() => 0);
  await rows.createUser(ADA);
  await rows.createUser({ ...ADA, id: "bob", email: "bob@example.com" });
  for (const key of [KEY, OTHER]) await rows.linkAccount({ ...key, type: "webauthn", userId: ADA.id });
  await rows.createAuthenticator(CREDENTIAL);
  const records = memoryRecords();
  const adapter = { ...plain, deleteAuthenticator: (id: string) => rows.deleteAuthenticator(id), ...own(rows) };
  const storage = guardAdapter(withRecords(adapter, records, { logger: { warn: () => {} } }));
  const runtime = { now: () => 0 } as Parameters<typeof commitAbout>[0]["runtime"];
  const left = async () => [
    await rows.getAccount("1", "idp") !== null,
    await rows.getAuthenticator("key") !== null,
  ];
  return { rows, records, left, commit: (plan: Plan) => commitAbout({ storage, runtime }, ADA, plan) };
}

test("commitAbout() removes an account and a passkey in storage without transactions", async () => {
  const { rows, left, commit } = await open();
  assert.equal(await commit({ ...BOTH, expect: { account: { ...OTHER, userId: ADA.id } } }), "done");
  assert.deepEqual(await left(), [false, false]);
  assert.equal((await rows.getUserByAccount(OTHER))?.id, ADA.id);
  assert.equal(await commit(BOTH), "conflict");
});

test("commitAbout() removes nothing of another user, and nothing if something is not as expected", async () => {
  const { records, left, commit } = await open();
  const version = await records.putRecord(record("password")) ?? 0;
  const remove = { records: { remove: [{ kind: "password", id: "password" }] } };
  const refused: readonly Plan[] = [
    { ...BOTH, unlinkAccount: { ...KEY, userId: "bob" } },
    { ...BOTH, unlinkAccount: { ...KEY, providerAccountId: "3", userId: ADA.id } },
    { ...BOTH, deleteAuthenticator: { credentialID: "key", userId: "bob" } },
    { ...BOTH, deleteAuthenticator: { credentialID: "none", userId: ADA.id } },
    { ...BOTH, expect: { account: { ...OTHER, userId: "bob" } } },
    { ...BOTH, expect: { authenticator: { credentialID: "key", userId: ADA.id, counter: 1 } } },
  ];
  for (const plan of refused) {
    assert.equal(await commit(plan), "conflict");
    assert.equal(await commit({ ...plan, ...remove }), "conflict");
    assert.deepEqual(await left(), [true, true]);
    assert.equal((await records.getRecord({ kind: "password", id: "password" }))?.version, version);
  }
});

test("commitAbout() writes nothing where the adapter cannot remove everything", async () => {
  for (const name of ["unlinkAccount", "deleteAuthenticator"]) {
    const { records, left, commit } = await open(() => ({ [name]: undefined }));
    const version = await records.putRecord(record("password")) ?? 0;
    const remove = [{ kind: "password", id: "password" }];
    await assert.rejects(commit({ ...BOTH, records: { remove } }), (error) => {
      return error instanceof AdapterError && error.message.includes(`the adapter has no \`${name}\``);
    });
    assert.deepEqual(await left(), [true, true]);
    assert.equal((await records.getRecord({ kind: "password", id: "password" }))?.version, version);
  }
});

test("commitAbout() leaves the stricter state where storage fails in the middle", async () => {
  const fail = () => Promise.reject(new Error("it is gone"));
  const { records, left, commit } = await open(() => ({ deleteAuthenticator: fail }));
  for (const kind of ["password", "factor"]) await records.putRecord(record(kind));
  const plan: Plan = {
    ...BOTH,
    records: {
      remove: [{ kind: "password", id: "password" }, { kind: "factor", id: "factor" }],
      put: [record("ban"), record("device")],
    },
  };
  await assert.rejects(commit(plan), AdapterError);
  assert.deepEqual(await left(), [false, true], "a passkey without its account signs nobody in");
  const stored = async (kind: string) => await records.getRecord({ kind, id: kind }) !== null;
  assert.deepEqual([await stored("password"), await stored("factor")], [false, true]);
  assert.deepEqual([await stored("ban"), await stored("device")], [true, false]);
});

test("commitAbout() passes an adapter nothing but the key of an account", async () => {
  const given: string[][] = [];
  const noting = (run: (key: typeof KEY) => unknown) => (key: typeof KEY) => {
    given.push(Object.keys(key).toSorted());
    return run(key);
  };
  const { commit } = await open((rows) =>
    ({
      getUserByAccount: noting((key) => rows.getUserByAccount?.(key)),
      unlinkAccount: noting((key) => rows.unlinkAccount?.(key)),
    }) as Adapter
  );
  assert.equal(await commit({ ...BOTH, expect: { account: { ...OTHER, userId: ADA.id } } }), "done");
  assert.ok(given.length >= 3);
  for (const names of given) assert.deepEqual(names, ["provider", "providerAccountId"]);
});
