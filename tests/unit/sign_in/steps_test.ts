import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter, AdapterAccount, AdapterAuthenticator } from "../../../src/contract/adapter.ts";
import { AdapterError } from "../../../src/kernel/errors.ts";
import { applyInSteps } from "../../../src/sign_in/steps.ts";
import { guardAdapter } from "../../../src/config/storage.ts";
import { MEMORY, NUMBERING_STORE, PLAIN_STORE, type StoreKind } from "../../_support/stores.ts";

const ADA = { id: "u1", email: "ada@example.com", emailVerified: null };
const ACCOUNT: AdapterAccount = { provider: "idp", providerAccountId: "a1", type: "oauth", userId: ADA.id };
const PLAN = { createUser: ADA, linkAccount: ACCOUNT };
const KEY: AdapterAuthenticator = {
  userId: ADA.id,
  credentialID: "key",
  providerAccountId: "key",
  credentialPublicKey: "",
  counter: 0,
  credentialDeviceType: "singleDevice",
  credentialBackedUp: false,
};
const CONFLICT = { user: null, done: false };

function open(kind: StoreKind, change: (adapter: Adapter) => Adapter = (adapter) => adapter) {
  const { adapter, rows, dump } = kind.open(() => 0);
  return { storage: guardAdapter({ ...adapter, ...change(adapter) }), rows, dump };
}

function fail(): never {
  throw new Error("gone");
}

/** An operation that does its work, and whose answer is lost. */
function unheard(operation: ((...args: never[]) => unknown) | undefined) {
  return (...args: unknown[]) => {
    operation?.(...args as never[]);
    return fail();
  };
}

test("carryOut() gives an account to the user whom storage has made, whatever id it chose", async () => {
  for (const [kind, id] of [[PLAIN_STORE, "u1"], [NUMBERING_STORE, "number-1"]] as const) {
    const { storage, rows } = open(kind);
    const { user, done } = await applyInSteps(storage, PLAN);
    assert.deepEqual([user?.id, done], [id, true]);
    assert.equal((await rows.getUserByAccount(ACCOUNT))?.id, id);
  }
});

test("carryOut() leaves a user without an account where the next sign-in finds them by their id", async () => {
  const { storage, rows } = open(PLAIN_STORE, () => ({ linkAccount: fail }));
  await assert.rejects(() => applyInSteps(storage, PLAN), AdapterError);
  // Somebody else who signs in at this moment may have found the user already.
  assert.equal((await rows.getUser(ADA.id))?.id, ADA.id);
});

test("carryOut() removes a user without an account whom nobody would find again", async () => {
  const { storage, rows } = open(NUMBERING_STORE, () => ({ linkAccount: fail }));
  await assert.rejects(() => applyInSteps(storage, PLAN), AdapterError);
  assert.equal(await rows.getUserByEmail(ADA.email), null);
});

test("carryOut() removes the user it made if the account has become somebody else's", async () => {
  for (const kind of [PLAIN_STORE, NUMBERING_STORE]) {
    const { storage, rows } = open(kind);
    await rows.createUser({ id: "u2", email: "bob@example.com", emailVerified: null });
    await rows.linkAccount({ ...ACCOUNT, userId: "u2" });
    assert.deepEqual(await applyInSteps(storage, PLAN), CONFLICT);
    assert.equal(await rows.getUserByEmail(ADA.email), null);
  }
});

test("carryOut() reports a user who exists as a conflict, whoever made them", async () => {
  const lost = open(PLAIN_STORE, ({ createUser }) => ({ createUser: unheard(createUser) }));
  assert.deepEqual(await applyInSteps(lost.storage, PLAN), CONFLICT);
  const taken = open(PLAIN_STORE);
  await taken.rows.createUser(ADA);
  assert.deepEqual(await applyInSteps(taken.storage, PLAN), CONFLICT);
});

test("carryOut() never takes a user with the same address for the one it was to make", async () => {
  for (const kind of [PLAIN_STORE, NUMBERING_STORE]) {
    const { storage, rows } = open(kind);
    await rows.createUser({ ...ADA, id: "u2" });
    assert.deepEqual(await applyInSteps(storage, PLAN), CONFLICT);
    assert.equal(await rows.getUserByAccount(ACCOUNT), null);
  }
});

test("carryOut() passes on a failure that no row explains", async () => {
  const { storage } = open(PLAIN_STORE, () => ({ createUser: fail }));
  await assert.rejects(() => applyInSteps(storage, PLAN), AdapterError);
  await assert.rejects(() => applyInSteps(storage, { ...PLAN, createUser: { ...ADA, email: "" } }), AdapterError);
});

test("carryOut() looks again whether an account was written when it is not told", async () => {
  for (const kind of [PLAIN_STORE, NUMBERING_STORE]) {
    const { storage } = open(kind, ({ linkAccount }) => ({ linkAccount: unheard(linkAccount) }));
    assert.equal((await applyInSteps(storage, PLAN)).done, true);
  }
});

test("carryOut() proves an address only after everything unproven is gone", async () => {
  const { storage, rows } = open(MEMORY, () => ({ unlinkAccount: fail }));
  await rows.createUser(ADA);
  await rows.linkAccount({ ...ACCOUNT, email_verified: false });
  const plan = {
    updateUser: { id: ADA.id, emailVerified: new Date(0) },
    evict: { userId: ADA.id, email: ADA.email },
  };
  await assert.rejects(() => applyInSteps(storage, plan), AdapterError);
  assert.equal((await rows.getUser(ADA.id))?.emailVerified, null, "so that the next link tries again");
});

test("carryOut() removes what was added while the address was being proven", async () => {
  const { storage, rows } = open(MEMORY, ({ updateUser }) => ({
    updateUser: async (changes) => {
      await rows.linkAccount({ ...ACCOUNT, email_verified: false });
      return await updateUser?.(changes) as typeof ADA;
    },
  }));
  await rows.createUser(ADA);
  const updateUser = { id: ADA.id, emailVerified: new Date(0) };
  await applyInSteps(storage, { updateUser, evict: { userId: ADA.id, email: ADA.email } });
  assert.deepEqual(await rows.listAccountsByUserId(ADA.id), []);
});

test("carryOut() evicts what an adapter of the family can list: credentials, their accounts, no others", async () => {
  const { storage, rows } = open(PLAIN_STORE);
  await rows.createUser(ADA);
  await rows.linkAccount(ACCOUNT);
  await rows.linkAccount({ provider: "passkey", providerAccountId: "key", type: "webauthn", userId: ADA.id });
  await rows.createAuthenticator(KEY);
  const updateUser = { id: ADA.id, emailVerified: new Date(0) };
  await applyInSteps(storage, { updateUser, evict: { userId: ADA.id, email: ADA.email } }, ["passkey", "other"]);
  assert.equal(await rows.getUserByAccount({ provider: "passkey", providerAccountId: "key" }), null);
  assert.equal((await rows.getUserByAccount(ACCOUNT))?.id, ADA.id);
});

test("carryOut() leaves an account to another user whose credential has the same id", async () => {
  const { storage, rows } = open(PLAIN_STORE);
  await rows.createUser(ADA);
  await rows.createUser({ id: "u2", email: "bob@example.com", emailVerified: null });
  await rows.linkAccount({ provider: "passkey", providerAccountId: "key", type: "webauthn", userId: "u2" });
  await rows.createAuthenticator(KEY);
  await applyInSteps(storage, { evict: { userId: ADA.id, email: ADA.email } }, ["passkey"]);
  assert.equal((await rows.getUserByAccount({ provider: "passkey", providerAccountId: "key" }))?.id, "u2");
});

test("carryOut() raises a counter only from where it was", async () => {
  const { storage, rows } = open(PLAIN_STORE);
  await rows.createUser(ADA);
  await rows.createAuthenticator(KEY);
  const plan = (from: number, counter: number) => ({
    expect: { authenticator: { credentialID: "key", userId: ADA.id, counter: from } },
    updateCounter: { credentialID: "key", counter },
  });
  assert.deepEqual(await applyInSteps(storage, plan(0, 5)), { user: null, done: true });
  assert.deepEqual(await applyInSteps(storage, plan(0, 6)), CONFLICT);
  assert.equal((await rows.getAuthenticator("key"))?.counter, 5);
});

test("carryOut() frees an address before it makes the user who is to have it", async () => {
  const { storage, rows } = open(MEMORY);
  await rows.createUser(ADA);
  // The type demands an address, but storage keeps users without one.
  const updateUser = { id: ADA.id, email: null as unknown as string };
  const createUser = { ...ADA, id: "u2" };
  assert.equal((await applyInSteps(storage, { updateUser, createUser })).user?.id, "u2");
  assert.equal((await rows.getUserByEmail(ADA.email))?.id, "u2");
});
