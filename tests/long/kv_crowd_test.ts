/** However much a user has, and however often somebody signs in as them, Deno KV lets the owner of the address in. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { CompleteAdapter, Plan } from "../../src/contract/adapter.ts";
import { denoKvAdapter } from "../../adapters/deno_kv.ts";
import { storeFor } from "../unit/adapters/_kv.ts";
import { dump, ofKind, problemsOf } from "../unit/adapters/_kv_dump.ts";
import { account, credential, LATER, session, writeOldUser, writeRows } from "../unit/adapters/_kv_rows.ts";

const ID = "id-of-ada";
const EMAIL = "ada@example.com";
const MANY = { sessions: 10_000, credentials: 200, accounts: 200 };

/** Sign-ins a second, for how many seconds, and proofs meanwhile. */
const RATE = 100;
const SECONDS = 5;
const PROOFS = 10;

/** What everything of a user ends with. */
const ENDS: Readonly<Record<string, (adapter: CompleteAdapter) => Promise<unknown>>> = {
  "evicts": async (adapter) => {
    assert.equal(await adapter.commit({ evict: { userId: ID, email: EMAIL } }), "done");
  },
  "removes": async (adapter) => await adapter.deleteUser(ID),
};

async function open(t: TestContext, isOld: boolean) {
  const kv = await storeFor(t);
  const adapter = denoKvAdapter(kv);
  if (isOld) await writeOldUser(kv, ID, EMAIL);
  else await adapter.createUser({ id: ID, email: EMAIL, emailVerified: null });
  await adapter.createUser({ id: "id-of-bob", email: "bob@example.com", emailVerified: null });
  return { kv, adapter };
}

async function demandNothing(adapter: CompleteAdapter): Promise<void> {
  assert.deepEqual(await adapter.listSessionsByUserId(ID), []);
  assert.deepEqual(await adapter.listAuthenticatorsByUserId(ID), []);
  assert.deepEqual(await adapter.listAccountsByUserId(ID), []);
  for (let i = 0; i < MANY.sessions; i += 100) assert.equal(await adapter.getSessionAndUser(`s-${i}`), null);
  for (let i = 0; i < MANY.credentials; i++) {
    assert.equal(await adapter.getAuthenticator(`c-${i}`), null);
    assert.equal(await adapter.getAccount(`a-${i}`, "idp"), null);
  }
}

for (const isOld of [false, true]) {
  for (const [act, end] of Object.entries(ENDS)) {
    const who = isOld ? "a user of a former version" : "a user";
    test(`denoKvAdapter() ${act} ${who} with ${MANY.sessions} sessions, and finally removes them all`, async (t) => {
      const { kv, adapter } = await open(t, isOld);
      await writeRows(kv, ID, MANY);
      assert.equal((await adapter.listSessionsByUserId(ID)).length, MANY.sessions);
      await end(adapter);
      await demandNothing(adapter);
      for (let i = 0; i < 20_000; i++) {
        await adapter.createSession(session("id-of-bob", `bob-${i}`));
        if (i % 100 === 0 && await isSwept(kv)) break;
      }
      const left = await dump(kv);
      assert.deepEqual(problemsOf(left), []);
      for (const kind of ["ended", "credential", "account"]) assert.deepEqual(ofKind(left, kind), []);
      assert.deepEqual(ofKind(left, "session").filter(({ key }) => !key[1]?.startsWith("bob-")), []);
    });
  }
}

test(`deleteSessionsByUserId() of denoKvAdapter() ends ${MANY.sessions} sessions`, async (t) => {
  const { kv, adapter } = await open(t, false);
  await writeRows(kv, ID, MANY);
  await adapter.deleteSessionsByUserId(ID);
  assert.deepEqual(await adapter.listSessionsByUserId(ID), []);
  for (let i = 0; i < MANY.sessions; i += 10) assert.equal(await adapter.getSessionAndUser(`s-${i}`), null);
  assert.equal((await adapter.listAuthenticatorsByUserId(ID)).length, MANY.credentials);
  assert.equal((await adapter.listAccountsByUserId(ID)).length, MANY.accounts);
});

async function isSwept(kv: Deno.Kv): Promise<boolean> {
  for await (const _ of kv.list({ prefix: ["auth", "ended"] })) return false;
  return true;
}

const AS_READ = { id: ID, email: EMAIL, emailVerified: null, securityStamp: null };

/** What an impostor keeps doing, beside signing in by what was there before. */
function attack(number: number): Plan {
  const expect = { user: AS_READ };
  const acts: readonly Plan[] = [
    { expect, createSession: session(ID, `i-${number}`) },
    { expect, linkAccount: account(ID, `i-${number}`, { email_verified: false }) },
    {
      expect: { ...expect, authenticators: { userId: ID, fewerThan: 100 } },
      linkAccount: account(ID, `k-${number}`, { type: "webauthn" }),
      createAuthenticator: credential(ID, `k-${number}`),
    },
    {
      expect: { account: { provider: "idp", providerAccountId: "a-0", userId: ID } },
      createSession: session(ID, `a-${number}`),
    },
  ];
  return acts[number % acts.length] ?? {};
}

test(`denoKvAdapter() commits a verification during ${RATE} sign-ins a second of the same user`, async (t) => {
  const { kv, adapter } = await open(t, false);
  const slowest: number[] = [];
  for (let round = 0; round < PROOFS; round++) {
    await adapter.deleteUser(ID);
    await adapter.createUser({ id: ID, email: EMAIL, emailVerified: null });
    await writeRows(kv, ID, { sessions: 100, credentials: 3, accounts: 3 });
    const attacks: Promise<unknown>[] = [];
    let number = 0;
    const timer = setInterval(() => attacks.push(Promise.resolve(adapter.commit(attack(number++)))), 1000 / RATE);
    await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000 / PROOFS));
    const begun = performance.now();
    const proof = await adapter.commit({
      expect: { user: AS_READ },
      updateUser: { id: ID, emailVerified: LATER },
      evict: { userId: ID, email: EMAIL },
      createSession: session(ID, `verified-${round}`),
    });
    slowest.push(performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, 100));
    clearInterval(timer);
    await Promise.all(attacks);
    assert.equal(proof, "done");
    assert.deepEqual((await adapter.listSessionsByUserId(ID)).map((row) => row.sessionToken), [`verified-${round}`]);
    assert.deepEqual(await adapter.listAccountsByUserId(ID), []);
    assert.deepEqual(await adapter.listAuthenticatorsByUserId(ID), []);
    assert.deepEqual(problemsOf(await dump(kv)), []);
  }
  t.diagnostic(`the slowest proof took ${Math.max(...slowest).toFixed(0)} ms`);
  assert.ok(Math.max(...slowest) < 5000);
});
