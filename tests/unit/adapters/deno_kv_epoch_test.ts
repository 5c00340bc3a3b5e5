import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { AdapterAccount, CompleteAdapter, Plan } from "../../../src/contract/adapter.ts";
import { denoKvAdapter, type KvLike } from "../../../adapters/deno_kv.ts";
import { memoryAdapter } from "../../../adapters/memory.ts";
import { chanceOf } from "../../_support/chance.ts";
import { fateful, storeFor } from "./_kv.ts";
import { dump, ofKind, problemsOf } from "./_kv_dump.ts";
import { account, credential, LATER, session, writeOldUser, writeRows } from "./_kv_rows.ts";

const ID = "id-of-ada";
const EMAIL = "ada@example.com";
const EVICT = { userId: ID, email: EMAIL };
const AS_READ = { id: ID, email: EMAIL, emailVerified: null, securityStamp: null };

/** The plan of who verifies the address. */
const VERIFICATION: Plan = {
  expect: { user: AS_READ },
  updateUser: { id: ID, emailVerified: LATER, securityStamp: "new" },
  evict: EVICT,
  createSession: session(ID, "verified"),
};

/** More of each kind than one operation could list, check or remove. */
const MANY = { sessions: 550, credentials: 120, accounts: 120 };

const FEW = { sessions: 3, credentials: 3, accounts: 3 };

async function openWith(t: TestContext, make: typeof MAKERS[string] = makeUser) {
  const kv = await storeFor(t);
  const adapter = denoKvAdapter(kv);
  await make(kv, adapter);
  return { kv, adapter };
}

async function makeUser(_: Deno.Kv, adapter: CompleteAdapter): Promise<void> {
  await adapter.createUser({ id: ID, email: EMAIL, emailVerified: null });
}

/** Users as they are stored today, and as former versions stored them. */
const MAKERS: Readonly<Record<string, (kv: Deno.Kv, adapter: CompleteAdapter) => Promise<void>>> = {
  "": makeUser,
  " of a former version": (kv) => writeOldUser(kv, ID, EMAIL),
};

/** The number of ways in which records of a user are read. */
const READS = 18;

/** Reads the records of the user in every way. */
async function found(adapter: CompleteAdapter, { sessions, credentials, accounts } = FEW): Promise<string[]> {
  const answers: Record<string, unknown> = {
    sessions: (await adapter.listSessionsByUserId(ID)).length,
    credentials: (await adapter.listAuthenticatorsByUserId(ID)).length,
    accounts: (await adapter.listAccountsByUserId(ID)).length,
  };
  for (const i of [0, sessions - 1]) answers[`session ${i}`] = await adapter.getSessionAndUser(`s-${i}`);
  for (const i of [0, credentials - 1]) answers[`credential ${i}`] = await adapter.getAuthenticator(`c-${i}`);
  for (const i of [0, accounts - 1]) {
    answers[`account ${i}`] = await adapter.getAccount(`a-${i}`, "idp");
    answers[`owner ${i}`] = await adapter.getUserByAccount({ provider: "idp", providerAccountId: `a-${i}` });
    const key = { provider: "idp", providerAccountId: `a-${i}` };
    answers[`changed account ${i}`] = await adapter.updateAccount({ ...key, email_verified: true });
  }
  answers["changed session"] = await adapter.updateSession({ sessionToken: "s-0", expires: LATER });
  answers["changed credential"] = await adapter.updateAuthenticator({ credentialID: "c-0", counter: 7 });
  answers["removed session"] = await adapter.deleteSession("s-1");
  answers["removed credential"] = await adapter.deleteAuthenticator("c-1");
  answers["removed account"] = await adapter.unlinkAccount({ provider: "idp", providerAccountId: "a-1" });
  return Object.entries(answers).filter(([, answer]) => answer).map(([question]) => question);
}

/** A store in which no sweep happens, so that records which have ended stay. */
function unswept(kv: Deno.Kv): KvLike {
  const store = fateful(kv, () => "right");
  return {
    ...store,
    list: ({ prefix }) => {
      if (prefix.length < 3 || prefix[1] !== "ended") return store.list({ prefix });
      throw new Error("Nobody looks");
    },
    get: (key) => {
      if (key[1] === "ended") throw new Error("Nobody looks");
      return store.get(key);
    },
  };
}

/** Operations that end all records of a user. */
const ENDS: Readonly<Record<string, (adapter: CompleteAdapter) => Promise<unknown>>> = {
  "evicted": async (adapter) => assert.equal(await adapter.commit({ evict: EVICT }), "done"),
  "removed": async (adapter) => await adapter.deleteUser(ID),
  "removed and made again": async (adapter) => {
    await adapter.deleteUser(ID);
    await adapter.createUser({ id: ID, email: EMAIL, emailVerified: null });
  },
};

for (const [age, make] of Object.entries(MAKERS)) {
  for (const [what, end] of Object.entries(ENDS)) {
    test(`denoKvAdapter() finds no record that a user${age} had before they were ${what}`, async (t) => {
      const { kv, adapter } = await openWith(t, make);
      await writeRows(kv, ID, FEW);
      assert.equal((await found(adapter)).length, READS);
      await writeRows(kv, ID, FEW);
      await end(denoKvAdapter(unswept(kv)));
      assert.equal(ofKind(await dump(kv), "session").length, FEW.sessions);
      assert.deepEqual(await found(adapter), []);
      assert.deepEqual(problemsOf(await dump(kv)), []);
    });

    test(`denoKvAdapter() finally removes all records that a user${age} had before they were ${what}`, async (t) => {
      const { kv, adapter } = await openWith(t, make);
      await writeRows(kv, ID, MANY);
      await end(adapter);
      assert.deepEqual(await found(adapter, MANY), []);
      await commitUntilSwept(kv, adapter);
      const entries = await dump(kv);
      for (const kind of ["session", "credential", "account"]) assert.deepEqual(ofKind(entries, kind), []);
      assert.deepEqual(problemsOf(entries), []);
    });
  }

  test(`deleteSessionsByUserId() of denoKvAdapter() ends all sessions of a user${age}, and nothing else`, async (t) => {
    const { kv, adapter } = await openWith(t, make);
    await writeRows(kv, ID, MANY);
    await adapter.deleteSessionsByUserId(ID);
    assert.deepEqual(await adapter.listSessionsByUserId(ID), []);
    assert.equal(await adapter.getSessionAndUser("s-0"), null);
    await commitUntilSwept(kv, adapter);
    assert.deepEqual(ofKind(await dump(kv), "session"), []);
    assert.equal((await adapter.listAuthenticatorsByUserId(ID)).length, MANY.credentials);
    assert.equal((await adapter.listAccountsByUserId(ID)).length, MANY.accounts);
    assert.deepEqual(problemsOf(await dump(kv)), []);
  });

  test(`denoKvAdapter() can add again a record of a user${age} that has ended`, async (t) => {
    for (const userId of [ID, "id-of-bob"]) {
      const { kv, adapter } = await openWith(t, make);
      await adapter.createUser({ id: "id-of-bob", email: "bob@example.com", emailVerified: null });
      await writeRows(kv, ID, FEW);
      await denoKvAdapter(unswept(kv)).commit({ evict: EVICT });
      const createAuthenticator = credential(userId, "c-0");
      const createSession = session(userId, "s-0");
      const linkAccount = account(userId, "a-0", { email_verified: false });
      assert.equal(await adapter.commit({ linkAccount, createAuthenticator, createSession }), "done");
      assert.equal(await adapter.commit({ linkAccount }), "conflict");
      assert.equal(await adapter.commit({ createAuthenticator }), "conflict");
      assert.equal(await adapter.commit({ createSession }), "conflict");
      assert.equal((await adapter.getSessionAndUser("s-0"))?.user.id, userId);
      assert.equal((await adapter.listAccountsByUserId(userId)).length, 1);
      assert.equal((await adapter.listAuthenticatorsByUserId(userId)).length, 1);
      assert.deepEqual(problemsOf(await dump(kv)), []);
    }
  });

  test(`denoKvAdapter() counts the credentials of a user${age} after some ended, moved or were removed`, async (t) => {
    const { kv, adapter } = await openWith(t, make);
    const { id } = await adapter.createUser({ id: "id-of-bob", email: "bob@example.com", emailVerified: null });
    await writeRows(kv, ID, { ...FEW, credentials: 5 });
    const counts = async (userId: string, count: number) => {
      const expect = (fewerThan: number) => adapter.commit({ expect: { authenticators: { userId, fewerThan } } });
      assert.deepEqual([await expect(count), await expect(count + 1)], ["conflict", "done"]);
    };
    await counts(ID, 5);
    await adapter.deleteAuthenticator("c-0");
    await counts(ID, 4);
    await adapter.createAuthenticator(credential(ID, "c-0"));
    await counts(ID, 5);
    await adapter.updateAuthenticator({ credentialID: "c-1", userId: id });
    await adapter.updateAuthenticator({ credentialID: "c-2", userId: id });
    await counts(ID, 3);
    await counts(id, 2);
    await adapter.deleteSessionsByUserId(ID);
    await counts(ID, 3);
    await adapter.commit({ evict: EVICT });
    await counts(ID, 0);
    await counts(id, 2);
    await adapter.createAuthenticator(credential(ID, "c-0"));
    await counts(ID, 1);
    assert.deepEqual(problemsOf(await dump(kv)), []);
  });

  test(`denoKvAdapter() adds no more credentials to a user${age} than allowed, of 64 concurrent ones`, async (t) => {
    const { kv, adapter } = await openWith(t, make);
    await writeRows(kv, ID, { ...FEW, credentials: 3 });
    const expect = { authenticators: { userId: ID, fewerThan: 8 } };
    const answers = await Promise.all(Array.from({ length: 64 }, (_, i) => {
      return adapter.commit({ expect, createAuthenticator: credential(ID, `new-${i}`) });
    }));
    assert.equal(answers.filter((answer) => answer === "done").length, 5);
    assert.equal((await adapter.listAuthenticatorsByUserId(ID)).length, 8);
    assert.deepEqual(problemsOf(await dump(kv)), []);
  });
}

/** Commits plans of others until nothing is left to remove, or nobody removes it. */
async function commitUntilSwept(kv: Deno.Kv, adapter: CompleteAdapter): Promise<void> {
  let isLeft = true;
  for (let i = 0; i < 800 && isLeft; i++) {
    assert.equal(await adapter.commit({}), "done");
    isLeft = (await dump(kv, ["auth", "ended"])).length > 0;
  }
  assert.ok(!isLeft, "Something that has ended is still there");
}

test("denoKvAdapter() reads and changes records of a former version", async (t) => {
  const { kv, adapter } = await openWith(t, MAKERS[" of a former version"]);
  await writeRows(kv, ID, FEW);
  const user = { id: ID, email: EMAIL, emailVerified: null };
  assert.deepEqual(await adapter.getUser(ID), user);
  assert.deepEqual(await adapter.getUserByEmail(EMAIL), user);
  assert.deepEqual(await adapter.getSessionAndUser("s-0"), { session: session(ID, "s-0"), user });
  assert.deepEqual(await adapter.getAccount("a-0", "idp"), account(ID, "a-0", { email_verified: false }));
  assert.deepEqual(await adapter.getAuthenticator("c-0"), credential(ID, "c-0"));
  assert.deepEqual(await adapter.updateUser({ id: ID, name: "Ada" }), { ...user, name: "Ada" });
  const expect = {
    user: AS_READ,
    account: { provider: "idp", providerAccountId: "a-0", userId: ID },
    authenticator: { credentialID: "c-0", userId: ID, counter: 0 },
    session: { sessionToken: "s-0", userId: ID },
  };
  assert.equal(await adapter.commit({ expect, updateCounter: { credentialID: "c-0", counter: 1 } }), "done");
  for (const createSession of [session(ID, "s-0"), session(ID, "s-2")]) {
    assert.equal(await adapter.commit({ createSession }), "conflict");
  }
  assert.equal((await found(adapter)).length, READS);
  await adapter.deleteUser(ID);
  assert.deepEqual((await dump(kv)).filter(({ key }) => !["receipt", "token"].includes(String(key[0]))), []);
});

test("denoKvAdapter() keeps a record that outlived an eviction when it is changed afterwards", async (t) => {
  const { kv, adapter } = await openWith(t);
  const key = { provider: "idp", providerAccountId: "a" };
  await adapter.linkAccount(account(ID, "a", { email_verified: true, email: EMAIL }));
  await adapter.commit({ evict: EVICT });
  await adapter.updateAccount({ ...key, email_verified: false });
  assert.equal((await adapter.getAccount("a", "idp"))?.email_verified, false);
  await adapter.commit({ evict: EVICT });
  assert.equal(await adapter.getAccount("a", "idp"), null);
  assert.deepEqual(problemsOf(await dump(kv)), []);
});

/** A moment at which something happens once. */
interface Moment {
  /** The call of the store, and the kind of record. */
  readonly at: "get" | "list" | "commit";
  readonly kind?: string;
  /** Whether it happens after the call, or before. */
  readonly after?: boolean;
}

/** A store in which something happens once. */
function amid(kv: Deno.Kv, { at, kind, after = false }: Moment, happens: () => Promise<unknown>): KvLike {
  const store = fateful(kv, () => "right");
  let happened = false;
  const now = async (question: Moment["at"], key: readonly string[] = [], isAfter = false) => {
    if (happened || question !== at || (kind && key[1] !== kind) || isAfter !== after) return;
    happened = true;
    await happens();
  };
  return {
    get: async (key) => {
      await now("get", key);
      const entry = await store.get<never>(key);
      await now("get", key, true);
      return entry;
    },
    list: async function* (selector) {
      await now("list", selector.prefix);
      yield* store.list(selector);
      await now("list", selector.prefix, true);
    },
    atomic: () => {
      const atomic = store.atomic();
      const { commit } = atomic;
      atomic.commit = async () => {
        await now("commit");
        return await commit();
      };
      return atomic;
    },
  };
}

/** Plans of an impostor who got in before the address was verified. */
const ACTS: Readonly<Record<string, Plan>> = {
  "signs in with an account": {
    expect: { user: AS_READ, account: { provider: "idp", providerAccountId: "a-0", userId: ID } },
    createSession: session(ID, "late"),
  },
  "signs in with a credential": {
    expect: { user: AS_READ, authenticator: { credentialID: "c-0", userId: ID, counter: 0 } },
    updateCounter: { credentialID: "c-0", counter: 1 },
    createSession: session(ID, "late"),
  },
  "adds a credential": {
    expect: {
      user: AS_READ,
      session: { sessionToken: "s-0", userId: ID },
      authenticators: { userId: ID, fewerThan: 100 },
    },
    linkAccount: account(ID, "late", { type: "webauthn" }),
    createAuthenticator: credential(ID, "late"),
  },
  "adds a credential by a session alone": {
    expect: { session: { sessionToken: "s-0", userId: ID } },
    linkAccount: account(ID, "late", { type: "webauthn" }),
    createAuthenticator: credential(ID, "late"),
  },
  "adds an account": {
    expect: { session: { sessionToken: "s-0", userId: ID } },
    linkAccount: account(ID, "late", { email_verified: false }),
  },
};

for (const [act, plan] of Object.entries(ACTS)) {
  for (const [age, make] of Object.entries(MAKERS)) {
    test(`denoKvAdapter() returns conflict to who ${act} of a user${age} while the address is verified`, async (t) => {
      const { kv, adapter } = await openWith(t, make);
      await writeRows(kv, ID, FEW);
      const late = denoKvAdapter(amid(kv, { at: "commit" }, async () => {
        assert.equal(await adapter.commit(VERIFICATION), "done");
      }));
      assert.equal(await late.commit(plan), "conflict");
      assert.deepEqual((await adapter.listSessionsByUserId(ID)).map((row) => row.sessionToken), ["verified"]);
      assert.deepEqual(await adapter.listAccountsByUserId(ID), []);
      assert.deepEqual(await adapter.listAuthenticatorsByUserId(ID), []);
      assert.deepEqual(problemsOf(await dump(kv)), []);
    });
  }
}

test("denoKvAdapter() adds no record in an epoch that ends meanwhile", async (t) => {
  const { kv, adapter } = await openWith(t);
  const ends = [
    () => adapter.commit({ evict: EVICT }),
    () => adapter.deleteSessionsByUserId(ID),
    async () => {
      await adapter.deleteUser(ID);
      await makeUser(kv, adapter);
    },
  ];
  for (const [number, end] of ends.entries()) {
    const meanwhile = denoKvAdapter(amid(kv, { at: "commit" }, async () => await end()));
    await meanwhile.createSession(session(ID, `s-${number}`));
    // It was created after the end, even if its operation started before.
    assert.equal((await adapter.getSessionAndUser(`s-${number}`))?.user.id, ID);
    assert.deepEqual(problemsOf(await dump(kv)), []);
  }
});

test("denoKvAdapter() finds no record whose user is evicted before it has read the user", async (t) => {
  const asks: Readonly<Record<string, (adapter: CompleteAdapter) => Promise<unknown>>> = {
    session: async (adapter) => await adapter.getSessionAndUser("s-0"),
    credential: async (adapter) => await adapter.getAuthenticator("c-0"),
    account: async (adapter) => await adapter.getAccount("a-0", "idp"),
  };
  for (const [kind, ask] of Object.entries(asks)) {
    const { kv, adapter } = await openWith(t);
    await writeRows(kv, ID, FEW);
    const meanwhile = amid(kv, { at: "get", kind, after: true }, async () => await adapter.commit({ evict: EVICT }));
    assert.equal(await ask(denoKvAdapter(meanwhile)), null, kind);
  }
});

test("denoKvAdapter() lists no ended session beside a new one", async (t) => {
  for (const moment of [{ at: "list", after: true }, { at: "get", kind: "session", after: true }] as const) {
    const { kv, adapter } = await openWith(t);
    await writeRows(kv, ID, FEW);
    const meanwhile = denoKvAdapter(amid(kv, moment, async () => await adapter.commit(VERIFICATION)));
    assert.deepEqual(await meanwhile.listSessionsByUserId(ID), []);
  }
});

/** Moments in the removal of records that have ended. */
const MOMENTS: readonly Moment[] = [
  { at: "get", kind: "ended" },
  { at: "get", kind: "ended", after: true },
  { at: "list", kind: "session_by_user" },
  { at: "list", kind: "session_by_user", after: true },
  { at: "get", kind: "session" },
  { at: "get", kind: "session", after: true },
  { at: "get", kind: "user" },
  { at: "get", kind: "user", after: true },
];

/** What others do during a removal, after which a session exists. */
const MEANWHILE: Readonly<Record<string, (adapter: CompleteAdapter) => Promise<unknown>>> = {
  "it is made again": async (adapter) => await adapter.commit({ createSession: session(ID, "s-0") }),
  "the user goes and comes": async (adapter) => {
    await adapter.deleteUser(ID);
    await adapter.commit({
      createUser: { id: ID, email: EMAIL, emailVerified: null },
      createSession: session(ID, "s-0"),
    });
  },
  "more has ended": async (adapter) => {
    await adapter.createSession(session(ID, "z"));
    await adapter.commit({ evict: EVICT, createSession: session(ID, "s-0") });
  },
};

for (const [what, happens] of Object.entries(MEANWHILE)) {
  test(`denoKvAdapter() removes no live session if meanwhile ${what}`, async (t) => {
    for (const moment of MOMENTS) {
      const { kv, adapter } = await openWith(t);
      // More than one batch removes.
      await writeRows(kv, ID, { ...FEW, sessions: 20 });
      await denoKvAdapter(unswept(kv)).deleteSessionsByUserId(ID);
      const sweeping = amid(kv, moment, async () => await happens(denoKvAdapter(unswept(kv))));
      await commitUntilSwept(kv, denoKvAdapter(sweeping));
      assert.equal((await adapter.getSessionAndUser("s-0"))?.user.id, ID, JSON.stringify(moment));
      assert.deepEqual(problemsOf(await dump(kv)), []);
      assert.equal(ofKind(await dump(kv), "session").length, 1);
    }
  });
}

const STEPS = 30;
const HISTORIES = 15;

const MEMBERS: readonly Partial<AdapterAccount>[] = [
  {},
  { email_verified: false },
  { email_verified: true },
  { email_verified: true, email: EMAIL },
  { email_verified: true, email: "countess@example.com" },
  { type: "webauthn" },
  { type: "credentials" },
];

/** One random step of a history. */
function step(draw: (below: number) => number): (adapter: CompleteAdapter) => Promise<unknown> {
  const userId = [ID, "id-of-bob"][draw(2)] ?? "";
  const number = draw(4);
  const members = MEMBERS[draw(MEMBERS.length)];
  const email = [EMAIL, "countess@example.com", "mallory@example.com", null][draw(4)] ?? null;
  const key = { provider: "idp", providerAccountId: `a-${number}` };
  const steps: readonly ((adapter: CompleteAdapter) => unknown)[] = [
    (a) => a.linkAccount(account(userId, `a-${number}`, members)),
    (a) => a.linkAccount(account(userId, `a-${number}`, members)),
    (a) => a.updateAccount({ ...key, ...members }),
    async (a) => await a.getUser(userId) && await a.updateAccount({ ...key, userId }),
    (a) => a.unlinkAccount(key),
    (a) => a.createSession(session(userId, `s-${number}`)),
    (a) => a.createSession(session(userId, `s-${number}`)),
    async (a) => await a.getUser(userId) && await a.updateSession({ sessionToken: `s-${number}`, userId }),
    (a) => a.deleteSession(`s-${number}`),
    (a) => a.createAuthenticator(credential(userId, `c-${number}`)),
    (a) => a.createAuthenticator(credential(userId, `c-${number}`)),
    async (a) => await a.getUser(userId) && await a.updateAuthenticator({ credentialID: `c-${number}`, userId }),
    (a) => a.deleteAuthenticator(`c-${number}`),
    (a) => a.commit({ evict: { userId, email }, createSession: session(userId, `s-${number}`) }),
    (a) => a.commit({ evict: { userId, email } }),
    (a) => a.deleteSessionsByUserId(userId),
    (a) => a.deleteUser(userId),
    (a) => a.createUser({ id: userId, email: `${userId}@example.com`, emailVerified: null }),
    (a) => a.commit({ expect: { authenticators: { userId, fewerThan: number } } }),
  ];
  return async (adapter) => await steps[draw(steps.length)]?.(adapter);
}

async function stateOf(adapter: CompleteAdapter): Promise<unknown> {
  const numbers = [0, 1, 2, 3];
  const keyOf = (number: number) => ({ provider: "idp", providerAccountId: `a-${number}` });
  const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
  return {
    users: await Promise.all([ID, "id-of-bob"].map(async (id) => ({
      user: await adapter.getUser(id),
      sessions: sorted(await adapter.listSessionsByUserId(id)),
      accounts: sorted(await adapter.listAccountsByUserId(id)),
      credentials: sorted(await adapter.listAuthenticatorsByUserId(id)),
    }))),
    sessions: await Promise.all(numbers.map((number) => adapter.getSessionAndUser(`s-${number}`))),
    credentials: await Promise.all(numbers.map((number) => adapter.getAuthenticator(`c-${number}`))),
    accounts: await Promise.all(numbers.map((number) => adapter.getAccount(`a-${number}`, "idp"))),
    owners: await Promise.all(numbers.map((number) => adapter.getUserByAccount(keyOf(number)))),
  };
}

for (const [how, over] of [["swept", (kv: Deno.Kv) => kv], ["never swept", unswept]] as const) {
  test(`denoKvAdapter() over a store that is ${how} behaves like the memory adapter, in random histories`, async (t) => {
    for (let seed = 1; seed <= HISTORIES; seed++) {
      const kv = await storeFor(t);
      const adapters = [memoryAdapter(), denoKvAdapter(over(kv))];
      for (const adapter of adapters) {
        for (const id of [ID, "id-of-bob"]) {
          await adapter.createUser({ id, email: `${id}@example.com`, emailVerified: null });
        }
      }
      const draws = adapters.map(() => chanceOf(seed).below);
      for (let at = 0; at < STEPS; at++) {
        const answers = await Promise.all(adapters.map((adapter, number) => {
          const draw = draws[number];
          assert.ok(draw);
          return step(draw)(adapter).then((answer) => answer ?? null, () => "refused");
        }));
        assert.deepEqual(answers[1], answers[0], `history ${seed}, step ${at}`);
      }
      const [inMemory, inKv] = await Promise.all(adapters.map(stateOf));
      assert.deepEqual(inKv, inMemory, `history ${seed}`);
      assert.deepEqual(problemsOf(await dump(kv)), []);
    }
  });
}

test("denoKvAdapter() can evict a user of the largest size repeatedly", async (t) => {
  const { kv, adapter } = await openWith(t);
  const email = (number: number) => `${number}-${"x".repeat(300)}@example.com`;
  let size = 64 * 1024;
  const grow = async () => await adapter.updateUser({ id: ID, email: email(0), bio: "x".repeat(size) } as never);
  for (; size > 0; size -= 16) if (await grow().then(() => true, () => false)) break;
  assert.ok(size > 59 * 1024, `${size}`);
  for (let number = 0; number < 5; number++) {
    await adapter.updateUser({ id: ID, email: email(number) });
    const updateUser = { id: ID, emailVerified: LATER, securityStamp: "s".repeat(43), vouchedEmail: email(number) };
    assert.equal(await adapter.commit({ updateUser, evict: { userId: ID, email: email(number) } }), "done");
  }
  await adapter.deleteSessionsByUserId(ID);
  assert.deepEqual(problemsOf(await dump(kv)), []);
});

test("denoKvAdapter() rejects a user who is too large to be evicted", async (t) => {
  const { kv, adapter } = await openWith(t);
  const refusal = { name: "AdapterError", message: "Cannot store user: it is larger than 60 KiB" };
  for (const image of ["x".repeat(62_000), "\u0100".repeat(31_000)]) {
    const user = { id: "id-of-bob", email: "bob@example.com", emailVerified: null, image };
    await assert.rejects(async () => await adapter.createUser(user), refusal);
    await assert.rejects(async () => await adapter.updateUser({ id: ID, image }), refusal);
    await assert.rejects(async () => await adapter.commit({ updateUser: { id: ID, image } }), refusal);
  }
  assert.equal((await adapter.getUser(ID))?.image, undefined);
  assert.deepEqual(problemsOf(await dump(kv)), []);
});

test("getSessionAndUser() of denoKvAdapter() reads two entries", async (t) => {
  const { kv, adapter } = await openWith(t);
  await adapter.createSession(session(ID, "s"));
  const read: string[] = [];
  const store = fateful(kv, () => "right");
  const watched: KvLike = {
    ...store,
    get: (key) => {
      read.push(key[1] ?? "");
      return store.get(key);
    },
  };
  assert.ok(await denoKvAdapter(watched).getSessionAndUser("s"));
  assert.deepEqual(read, ["session", "user"]);
});

test("denoKvAdapter() needs no more checks for a sign-in than `npm:@deno/kv` allows", async (t) => {
  const { kv, adapter } = await openWith(t);
  await writeRows(kv, ID, FEW);
  await adapter.createUser({ id: "id-of-bob", email: "bob@example.com", emailVerified: null });
  await adapter.createSession(session("id-of-bob", "bob"));
  const identifier = EMAIL;
  const tokens = Array.from({ length: 12 }, (_, i) => `hash-${i}`);
  await adapter.createVerificationToken({ identifier, token: "hash-11", expires: LATER });
  let checks = 0;
  let most = 0;
  const store = fateful(kv, () => "right");
  const counting: KvLike = {
    ...store,
    atomic: () => {
      const atomic = store.atomic();
      const { check } = atomic;
      atomic.check = (...more) => {
        checks += more.length;
        most = Math.max(most, checks);
        return check(...more);
      };
      checks = 0;
      return atomic;
    },
  };
  const eve = "id-of-eve";
  const plans: Record<string, Plan> = {
    adding: { ...ACTS["adds a credential"], deleteSession: "bob" },
    displacing: {
      expect: { user: AS_READ },
      updateUser: { id: ID, email: "ada@example.org" },
      createUser: { id: eve, email: EMAIL, emailVerified: null },
      linkAccount: account(eve, "eve", { type: "webauthn" }),
      createAuthenticator: credential(eve, "eve"),
      deleteSession: "verified",
      createSession: session(eve, "eve"),
    },
  };
  assert.equal(await denoKvAdapter(counting).commit(plans["adding"] ?? {}), "done");
  const consume = { identifier, tokens, now: new Date(0) };
  assert.equal(await denoKvAdapter(counting).commit({ ...VERIFICATION, consume, deleteSession: "s-0" }), "done");
  await adapter.updateUser({ id: ID, emailVerified: null });
  const displacing = { ...plans["displacing"], expect: { user: { ...AS_READ, securityStamp: "new" } } };
  await adapter.updateUser({ id: ID, emailVerified: null });
  assert.equal(await denoKvAdapter(counting).commit(displacing), "done");
  assert.ok(most <= 10, `${most} checks`);
});
