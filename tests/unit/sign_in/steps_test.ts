import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter, AdapterAccount, AdapterAuthenticator } from "../../../src/contract/adapter.ts";
import { AdapterError } from "../../../src/kernel/errors.ts";
import { applyInSteps } from "../../../src/sign_in/steps.ts";
import { guardAdapter } from "../../../src/storage/guard.ts";
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
const CONFLICT = null;
const OPTIONS = { passkeyProviders: [], isAddition: false, now: () => 0 };

function open(kind: StoreKind, change: (adapter: Adapter) => Adapter = (adapter) => adapter) {
  const { adapter, rows, dump } = kind.open(() => 0);
  return { storage: guardAdapter({ ...adapter, ...change(adapter) }), rows, dump };
}

function fail(): never {
  throw new Error("gone");
}

/** An operation that succeeds, and whose response is lost. */
function responseLost(operation: ((...args: never[]) => unknown) | undefined) {
  return (...args: unknown[]) => {
    operation?.(...args as never[]);
    return fail();
  };
}

test("applyInSteps() links the account to the user as storage created it, whatever id it chose", async () => {
  for (const [kind, id] of [[PLAIN_STORE, "u1"], [NUMBERING_STORE, "number-1"]] as const) {
    const { storage, rows } = open(kind);
    assert.equal((await applyInSteps(storage, PLAN, OPTIONS))?.created?.id, id);
    assert.equal((await rows.getUserByAccount(ACCOUNT))?.id, id);
  }
});

test("applyInSteps() keeps a user without an account, whom the next sign-in finds by the derived id", async () => {
  const { storage, rows } = open(PLAIN_STORE, () => ({ linkAccount: fail }));
  await assert.rejects(() => applyInSteps(storage, PLAN, OPTIONS), AdapterError);
  // Another tab may use this user already.
  assert.equal((await rows.getUser(ADA.id))?.id, ADA.id);
});

test("applyInSteps() removes a user without an account if storage chose another id", async () => {
  const { storage, rows } = open(NUMBERING_STORE, () => ({ linkAccount: fail }));
  await assert.rejects(() => applyInSteps(storage, PLAN, OPTIONS), AdapterError);
  assert.equal(await rows.getUserByEmail(ADA.email), null);
});

test("applyInSteps() removes the user it created if the account belongs to another user by now", async () => {
  for (const kind of [PLAIN_STORE, NUMBERING_STORE]) {
    const { storage, rows } = open(kind);
    await rows.createUser({ id: "u2", email: "bob@example.com", emailVerified: null });
    await rows.linkAccount({ ...ACCOUNT, userId: "u2" });
    assert.deepEqual(await applyInSteps(storage, PLAN, OPTIONS), CONFLICT);
    assert.equal(await rows.getUserByEmail(ADA.email), null);
  }
});

test("applyInSteps() reports a user who exists as a conflict, whoever created them", async () => {
  const lost = open(PLAIN_STORE, ({ createUser }) => ({ createUser: responseLost(createUser) }));
  assert.deepEqual(await applyInSteps(lost.storage, PLAN, OPTIONS), CONFLICT);
  const taken = open(PLAIN_STORE);
  await taken.rows.createUser(ADA);
  assert.deepEqual(await applyInSteps(taken.storage, PLAN, OPTIONS), CONFLICT);
});

test("applyInSteps() never mistakes a user with the same address for the one to create", async () => {
  for (const kind of [PLAIN_STORE, NUMBERING_STORE]) {
    const { storage, rows } = open(kind);
    await rows.createUser({ ...ADA, id: "u2" });
    assert.deepEqual(await applyInSteps(storage, PLAN, OPTIONS), CONFLICT);
    assert.equal(await rows.getUserByAccount(ACCOUNT), null);
  }
});

test("applyInSteps() throws a failure that no stored row explains", async () => {
  const { storage } = open(PLAIN_STORE, () => ({ createUser: fail }));
  await assert.rejects(() => applyInSteps(storage, PLAN, OPTIONS), AdapterError);
  await assert.rejects(
    () => applyInSteps(storage, { ...PLAN, createUser: { ...ADA, email: "" } }, OPTIONS),
    AdapterError,
  );
});

test("applyInSteps() looks whether an account was stored when the response is lost", async () => {
  for (const kind of [PLAIN_STORE, NUMBERING_STORE]) {
    const { storage } = open(kind, ({ linkAccount }) => ({ linkAccount: responseLost(linkAccount) }));
    assert.equal((await applyInSteps(storage, PLAN, OPTIONS))?.created?.email, ADA.email);
  }
});

test("applyInSteps() verifies an address only after everything unverified is revoked", async () => {
  const { storage, rows } = open(MEMORY, () => ({ unlinkAccount: fail }));
  await rows.createUser(ADA);
  await rows.linkAccount({ ...ACCOUNT, email_verified: false });
  const plan = {
    updateUser: { id: ADA.id, emailVerified: new Date(0) },
    evict: { userId: ADA.id, email: ADA.email },
  };
  await assert.rejects(() => applyInSteps(storage, plan, OPTIONS), AdapterError);
  assert.equal((await rows.getUser(ADA.id))?.emailVerified, null, "so that the next link tries again");
});

test("applyInSteps() revokes what is added while the address is being verified", async () => {
  const { storage, rows } = open(MEMORY, ({ updateUser }) => ({
    updateUser: async (changes) => {
      if (!await rows.getUserByAccount(ACCOUNT)) await rows.linkAccount({ ...ACCOUNT, email_verified: false });
      return await updateUser?.(changes) as typeof ADA;
    },
  }));
  await rows.createUser(ADA);
  const updateUser = { id: ADA.id, emailVerified: new Date(0) };
  await applyInSteps(storage, { updateUser, evict: { userId: ADA.id, email: ADA.email } }, OPTIONS);
  assert.deepEqual(await rows.listAccountsByUserId(ADA.id), []);
});

test("applyInSteps() revokes what an adapter written for Auth.js can list: credentials and their accounts, no others", async () => {
  const { storage, rows } = open(PLAIN_STORE);
  await rows.createUser(ADA);
  await rows.linkAccount(ACCOUNT);
  await rows.linkAccount({ provider: "passkey", providerAccountId: "key", type: "webauthn", userId: ADA.id });
  await rows.createAuthenticator(KEY);
  const updateUser = { id: ADA.id, emailVerified: new Date(0) };
  await applyInSteps(storage, { updateUser, evict: { userId: ADA.id, email: ADA.email } }, {
    ...OPTIONS,
    passkeyProviders: ["passkey", "other"],
  });
  assert.equal(await rows.getUserByAccount({ provider: "passkey", providerAccountId: "key" }), null);
  assert.equal((await rows.getUserByAccount(ACCOUNT))?.id, ADA.id);
});

test("applyInSteps() leaves an account to another user whose credential has the same id", async () => {
  const { storage, rows } = open(PLAIN_STORE);
  await rows.createUser(ADA);
  await rows.createUser({ id: "u2", email: "bob@example.com", emailVerified: null });
  await rows.linkAccount({ provider: "passkey", providerAccountId: "key", type: "webauthn", userId: "u2" });
  await rows.createAuthenticator(KEY);
  await applyInSteps(storage, { evict: { userId: ADA.id, email: ADA.email } }, {
    ...OPTIONS,
    passkeyProviders: ["passkey"],
  });
  assert.equal((await rows.getUserByAccount({ provider: "passkey", providerAccountId: "key" }))?.id, "u2");
});

test("applyInSteps() updates a counter only from the expected value", async () => {
  const { storage, rows } = open(PLAIN_STORE);
  await rows.createUser(ADA);
  await rows.createAuthenticator(KEY);
  const plan = (from: number, counter: number) => ({
    expect: { authenticator: { credentialID: "key", userId: ADA.id, counter: from } },
    updateCounter: { credentialID: "key", counter },
  });
  assert.deepEqual(await applyInSteps(storage, plan(0, 5), OPTIONS), { created: null, verifiedAt: null });
  assert.deepEqual(await applyInSteps(storage, plan(0, 6), OPTIONS), CONFLICT);
  assert.equal((await rows.getAuthenticator("key"))?.counter, 5);
});

test("applyInSteps() frees an address before it creates the user who gets it", async () => {
  const { storage, rows } = open(MEMORY);
  await rows.createUser(ADA);
  // The type demands an address, but storage keeps users without one.
  const updateUser = { id: ADA.id, email: null as unknown as string };
  const createUser = { ...ADA, id: "u2" };
  assert.equal((await applyInSteps(storage, { updateUser, createUser }, OPTIONS))?.created?.id, "u2");
  assert.equal((await rows.getUserByEmail(ADA.email))?.id, "u2");
});
