import assert from "node:assert/strict";
import { test } from "node:test";
import type { AdapterUser, CompleteAdapter, Plan } from "../../../src/contract/adapter.ts";
import { denoKvAdapter, type KvLike } from "../../../adapters/deno_kv.ts";
import { AdapterError } from "../../../src/kernel/errors.ts";
import { type Fate, fateful, openFile, storeFor } from "./_kv.ts";
import { dump, ofKind, problemsOf } from "./_kv_dump.ts";
import { RACES, run } from "./_kv_races.ts";

const LATER = new Date(Date.UTC(2100, 0, 1));
const TOKEN = { identifier: "ada@example.com", token: "t", expires: LATER };

function person(name: string) {
  return { id: `id-of-${name}`, email: `${name}@example.com`, emailVerified: null };
}

function signIn(name: string, others: Partial<Plan> = {}): Plan {
  const userId = `id-of-${name}`;
  return {
    createUser: person(name),
    linkAccount: { userId, provider: "idp", providerAccountId: name, type: "oidc" },
    createSession: { userId, sessionToken: `s-${name}`, expires: LATER },
    ...others,
  };
}

async function withSessions(adapter: CompleteAdapter, count: number): Promise<void> {
  await adapter.createUser(person("ada"));
  for (let i = 0; i < count; i++) {
    await adapter.createSession({ userId: "id-of-ada", sessionToken: `s-${i}`, expires: LATER });
  }
}

test("denoKvAdapter() keeps adapters with different prefixes apart", async (t) => {
  const kv = await storeFor(t);
  const adapters = [["a"], ["b"], ["a", "b"], []].map((prefix) => denoKvAdapter(kv, { prefix }));
  for (const adapter of adapters) {
    assert.equal(await adapter.getUser("id-of-ada"), null);
    assert.equal(await adapter.commit(signIn("ada")), "done");
    assert.equal(await adapter.once("m", LATER), true);
  }
  await adapters[0]?.deleteUser("id-of-ada");
  for (const [index, adapter] of adapters.entries()) {
    assert.equal((await adapter.getSessionAndUser("s-ada"))?.user.id, index === 0 ? undefined : "id-of-ada");
  }
});

test("denoKvAdapter() stores everything below its prefix", async (t) => {
  const kv = await storeFor(t);
  await denoKvAdapter(kv).commit(signIn("ada"));
  assert.equal((await dump(kv, [])).length, (await dump(kv, ["auth"])).length);
});

test("denoKvAdapter() writes one entry for a record and one to find it, and removes all with the user", async (t) => {
  const kv = await storeFor(t);
  const adapter = denoKvAdapter(kv);
  await adapter.commit(signIn("ada"));
  const kinds = (await dump(kv)).map(({ key }) => key[0]).filter((kind) => kind !== "receipt");
  assert.deepEqual(kinds.sort(), [
    "account",
    "account_by_user",
    "session",
    "session_by_user",
    "user",
    "user_by_email",
  ]);
  await adapter.deleteUser("id-of-ada");
  const left = (await dump(kv)).filter(({ key }) => key[0] !== "receipt");
  assert.deepEqual(left.map(({ key }) => key), [["token", "ended:id-of-ada", "all sessions"]], "when they ended");
});

test("denoKvAdapter() moves the index entry of a record that moves to another user", async (t) => {
  const kv = await storeFor(t);
  const adapter = denoKvAdapter(kv);
  await adapter.commit(signIn("ada"));
  await adapter.createUser(person("bob"));
  await adapter.updateSession({ sessionToken: "s-ada", userId: "id-of-bob" });
  await adapter.updateAccount({ provider: "idp", providerAccountId: "ada", userId: "id-of-bob" });
  assert.deepEqual(problemsOf(await dump(kv)), []);
  assert.equal((await adapter.listSessionsByUserId("id-of-bob")).length, 1);
  assert.deepEqual(await adapter.listAccountsByUserId("id-of-ada"), []);
});

test("denoKvAdapter() finds nothing for an id that cannot be stored, and refuses to store it", async (t) => {
  const kv = await storeFor(t);
  const adapter = denoKvAdapter(kv);
  await adapter.createUser(person("ada"));
  await adapter.createUser({ ...person("bob"), id: "\ufffd" });
  for (const id of ["x".repeat(2048), "\u00e9".repeat(1024), "\0".repeat(1024), "\ud800", "\udfff"]) {
    assert.equal(await adapter.getUser(id), null);
    assert.equal(await adapter.getSessionAndUser(id), null);
    assert.equal(await adapter.deleteSession(id), null);
    assert.deepEqual(await adapter.listSessionsByUserId(id), []);
    const session = { userId: "id-of-ada", sessionToken: id, expires: LATER };
    await assert.rejects(async () => await adapter.createSession(session), {
      name: "AdapterError",
      message: "Cannot store session: its key is longer than 2048 bytes or contains half of a surrogate pair",
    });
  }
});

const LONGEST_KEY = 2048;

/** Bytes of a key as Deno KV writes it: each part of text has a byte before it and one after. */
function bytesOf(key: Deno.KvKey): number {
  return key.reduce((sum: number, part) => sum + new TextEncoder().encode(String(part)).length + 2, 0);
}

const STORING: Readonly<Record<string, (adapter: CompleteAdapter, id: string) => Promise<unknown>>> = {
  user: async (adapter, id) => await adapter.createUser({ ...person(`eve-${id.length}`), id }),
  session: async (adapter, sessionToken) => {
    await adapter.createSession({ sessionToken, userId: "id-of-ada", expires: LATER });
  },
  account: async (adapter, providerAccountId) => {
    await adapter.linkAccount({ userId: "id-of-ada", provider: "idp", providerAccountId, type: "oidc" });
  },
  token: async (adapter, token) => await adapter.createVerificationToken({ ...TOKEN, token }),
  mark: async (adapter, key) => await adapter.once(key, LATER),
};

for (const [name, store] of Object.entries(STORING)) {
  test(`denoKvAdapter() stores a key of exactly the maximum length, and no longer one: ${name}`, async (t) => {
    const kv = await storeFor(t);
    const adapter = denoKvAdapter(kv);
    await adapter.createUser(person("ada"));
    let [stored, refused] = [0, LONGEST_KEY];
    while (refused - stored > 1) {
      const middle = Math.floor((stored + refused) / 2);
      try {
        await store(adapter, "x".repeat(middle));
        stored = middle;
      } catch (error) {
        assert.ok(error instanceof AdapterError);
        assert.match(error.message, /its key is longer than 2048 bytes or contains half of a surrogate pair$/);
        refused = middle;
      }
    }
    const keys = (await dump(kv, [])).map(({ key }) => key);
    assert.equal(Math.max(...keys.map(bytesOf)), LONGEST_KEY);
  });
}

test("denoKvAdapter() frees an address that is cleared", async (t) => {
  const adapter = denoKvAdapter(await storeFor(t));
  const { email } = await adapter.createUser(person("ada"));
  await adapter.updateUser({ id: "id-of-ada", email: null as unknown as string });
  assert.equal(await adapter.getUserByEmail(email), null);
  assert.equal((await adapter.getUser("id-of-ada"))?.email, null);

  await adapter.createUser({ ...person("bob"), email });
  await adapter.updateUser({ id: "id-of-ada", name: "Ada" });
  assert.equal((await adapter.getUserByEmail(email))?.id, "id-of-bob");
  await assert.rejects(async () => await adapter.updateUser({ id: "id-of-ada", email }), AdapterError);
  await adapter.deleteUser("id-of-ada");
  assert.equal((await adapter.getUserByEmail(email))?.id, "id-of-bob");

  await adapter.updateUser({ id: "id-of-bob", email: "" });
  assert.equal(await adapter.getUserByEmail(email), null);
  assert.equal(await adapter.getUserByEmail(""), null);
});

test("denoKvAdapter() says which record is too large, but not what is in it", async (t) => {
  const kv = await storeFor(t);
  const adapter = denoKvAdapter(kv);
  const { linkAccount } = signIn("ada");
  assert.ok(linkAccount);
  const plan = signIn("ada", { linkAccount: { ...linkAccount, id_token: "secret".repeat(12_000) } });
  await assert.rejects(async () => await adapter.commit(plan), {
    name: "AdapterError",
    message: "Cannot store account: it is larger than 64 KiB, the limit of Deno KV",
  });
  assert.deepEqual(await dump(kv), []);
});

test("denoKvAdapter() expires records and their index entries at the same time, and never before they end", async (t) => {
  const expireIns = new Map<string, number | undefined>();
  const kv = watching(await storeFor(t), (key, expireIn) => void expireIns.set(`${key[1]}`, expireIn));
  const start = Date.UTC(2031, 0, 1);
  const adapter = denoKvAdapter(kv, { now: () => start });
  const hour = 60 * 60 * 1000;
  const expires = new Date(start + 5 * hour);
  await adapter.commit(signIn("ada", { createSession: { userId: "id-of-ada", sessionToken: "s", expires } }));
  await adapter.createVerificationToken({ ...TOKEN, expires: new Date(0) });
  await adapter.once("m", new Date(start + hour));
  assert.equal(expireIns.get("session"), 6 * hour);
  assert.equal(expireIns.get("session_by_user"), 6 * hour);
  assert.equal(expireIns.get("token"), hour);
  assert.equal(expireIns.get("mark"), 2 * hour);
  for (const stays of ["user", "user_by_email", "account", "account_by_user"]) {
    assert.equal(expireIns.get(stays), undefined);
  }
  await adapter.updateSession({ sessionToken: "s", expires: new Date(start + 9 * hour) });
  assert.deepEqual([expireIns.get("session"), expireIns.get("session_by_user")], [10 * hour, 10 * hour]);
});

function watching(kv: Deno.Kv, seen: (key: readonly string[], expireIn: number | undefined) => void): KvLike {
  const store = fateful(kv, () => "right");
  return {
    ...store,
    atomic: () => {
      const atomic = store.atomic();
      const { set } = atomic;
      atomic.set = (key, value, options) => {
        seen(key, options?.expireIn);
        return set(key, value, options);
      };
      return atomic;
    },
  };
}

/** An adapter whose commits have these outcomes, and succeed afterwards. */
async function adapterWith(t: Parameters<typeof storeFor>[0], fates: readonly Fate[]) {
  const kv = await storeFor(t);
  let failing = false;
  let count = 0;
  const adapter = denoKvAdapter(fateful(kv, () => failing ? fates[count++] ?? "right" : "right"), { patience: 5 });
  return { kv, adapter, fail: () => void (failing = true) };
}

const FATES: readonly (readonly Fate[])[] = [
  ["lost"],
  ["failed"],
  ["refused"],
  ["failed", "lost"],
  ["refused", "lost"],
  ["refused", "failed", "refused", "lost"],
];

for (const fates of FATES) {
  test(`denoKvAdapter() returns the token to who used it, if responses fail or get lost: ${fates}`, async (t) => {
    const { adapter, fail } = await adapterWith(t, fates);
    await adapter.createVerificationToken(TOKEN);
    fail();
    assert.deepEqual(await adapter.useVerificationToken(TOKEN), TOKEN);
    assert.equal(await adapter.useVerificationToken(TOKEN), null);
  });

  test(`denoKvAdapter() returns true from once() to the first caller, if responses fail or get lost: ${fates}`, async (t) => {
    const { adapter, fail } = await adapterWith(t, fates);
    fail();
    assert.deepEqual([await adapter.once("m", LATER), await adapter.once("m", LATER)], [true, false]);
  });

  test(`denoKvAdapter() commits a plan once, if responses fail or get lost: ${fates}`, async (t) => {
    const { kv, adapter, fail } = await adapterWith(t, fates);
    await adapter.createVerificationToken(TOKEN);
    fail();
    const plan = signIn("ada", { consume: { identifier: TOKEN.identifier, tokens: [TOKEN.token], now: new Date(0) } });
    assert.equal(await adapter.commit(plan), "done");
    assert.equal(await adapter.commit(plan), "consumed");
    assert.deepEqual(problemsOf(await dump(kv)), []);
    assert.equal(ofKind(await dump(kv), "session").length, 1);
  });

  test(`denoKvAdapter() returns conflict for a plan, if responses fail or get lost: ${fates}`, async (t) => {
    const { adapter, fail } = await adapterWith(t, fates);
    await adapter.commit(signIn("ada"));
    fail();
    assert.equal(await adapter.commit(signIn("ada")), "conflict");
  });
}

test("denoKvAdapter() commits a plan once if a commit that seemed to fail arrives late", async (t) => {
  const kv = await storeFor(t);
  const late: Promise<unknown>[] = [];
  const store = fateful(kv, () => "right");
  const slow: KvLike = {
    ...store,
    atomic: () => {
      const atomic = store.atomic();
      const { commit } = atomic;
      atomic.commit = () => {
        if (late.length > 0) return commit();
        late.push(new Promise((resolve) => setTimeout(() => resolve(commit()), 3)));
        return Promise.reject(new Error("The connection broke"));
      };
      return atomic;
    },
  };
  for (let round = 0; round < 20; round++) {
    late.length = 0;
    const name = `ada-${round}`;
    assert.equal(await denoKvAdapter(slow).commit(signIn(name)), "done");
    await Promise.all(late);
    assert.equal((await denoKvAdapter(kv).listSessionsByUserId(`id-of-${name}`)).length, 1);
  }
  assert.deepEqual(problemsOf(await dump(kv)), []);
});

test("denoKvAdapter() stops retrying after `patience` seconds, and says why", async (t) => {
  const kv = await storeFor(t);
  const refused = denoKvAdapter(fateful(kv, () => "refused"), { patience: 0.2 });
  await assert.rejects(async () => await refused.once("m", LATER), {
    name: "AdapterError",
    message: "Cannot write to Deno KV: for 0.2 s other writers kept changing the same records",
  });
  const failed = denoKvAdapter(fateful(kv, () => "failed"), { patience: 0.2 });
  await assert.rejects(async () => await failed.once("m", LATER), (error) => {
    assert.ok(error instanceof AdapterError);
    assert.match(error.message, /for 0\.2 s all attempts failed/);
    assert.equal((error.cause?.err as Error).message, "Cannot use Deno KV: database is locked");
    return true;
  });
});

test("denoKvAdapter() does not retry when the store is closed", async () => {
  const { kv, close } = await openFile();
  await close();
  await assert.rejects(async () => await denoKvAdapter(kv).once("m", LATER), {
    name: "AdapterError",
    message: /^Cannot use Deno KV: (Bad resource ID|Cannot call '.get' after '.close' is called)$/,
  });
});

test("denoKvAdapter() does not retry to store what can never be stored", async (t) => {
  const adapter = denoKvAdapter(await storeFor(t));
  await adapter.createUser(person("ada"));
  const session = { userId: "id-of-ada", sessionToken: "s", expires: LATER };
  const impossible: readonly (() => Promise<unknown>)[] = [
    async () => await adapter.createSession({ ...session, expires: new Date(NaN) }),
    async () => await adapter.createUser({ ...person("bob"), odd: () => 1 } as AdapterUser),
    async () => await adapter.createSession({ ...session, odd: () => 1 } as typeof session),
    async () => await adapter.createSession({ ...session, sessionToken: 1 as unknown as string }),
  ];
  for (const store of impossible) {
    await assert.rejects(store, (error: Error) => {
      assert.doesNotMatch(error.message, /all attempts failed|kept changing/);
      return true;
    });
  }
});

test("getUserByEmail() of denoKvAdapter() finds no user whose address changes between its reads", async (t) => {
  const kv = await storeFor(t);
  const adapter = denoKvAdapter(kv);
  await adapter.createUser(person("ada"));
  const store = fateful(kv, () => "right");
  const changing: KvLike = {
    ...store,
    get: async (key) => {
      if (key.includes("user")) await adapter.updateUser({ id: "id-of-ada", email: "countess@example.com" });
      return await store.get(key);
    },
  };
  assert.equal(await denoKvAdapter(changing).getUserByEmail("ada@example.com"), null);
});

test("denoKvAdapter() leaves no session of a user who is deleted meanwhile", async (t) => {
  const kv = await storeFor(t);
  const adapter = denoKvAdapter(kv);
  for (let round = 0; round < 50; round++) {
    const userId = `id-of-ada-${round}`;
    await adapter.createUser(person(`ada-${round}`));
    const sessions = Array.from({ length: 8 }, (_, i) => ({ userId, sessionToken: `s-${round}-${i}`, expires: LATER }));
    await Promise.allSettled([
      ...sessions.slice(0, 4).map((session) => adapter.createSession(session)),
      adapter.deleteUser(userId),
      ...sessions.slice(4).map((session) => adapter.createSession(session)),
    ]);
  }
  assert.deepEqual(problemsOf(await dump(kv)), []);
  assert.deepEqual(ofKind(await dump(kv), "session"), []);
});

/** A store in which something happens once, as soon as a list has been read. */
function afterListing(kv: Deno.Kv, happens: () => Promise<unknown>): KvLike {
  const store = fateful(kv, () => "right");
  let happened = false;
  return {
    ...store,
    list: async function* (selector) {
      yield* store.list(selector);
      if (happened) return;
      happened = true;
      await happens();
    },
  };
}

test("denoKvAdapter() lists no session that is deleted or moved before it is read", async (t) => {
  const kv = await storeFor(t);
  const adapter = denoKvAdapter(kv);
  await withSessions(adapter, 3);
  await adapter.createUser(person("bob"));
  const meanwhile = denoKvAdapter(afterListing(kv, async () => {
    await adapter.deleteSession("s-0");
    await adapter.updateSession({ userId: "id-of-bob", sessionToken: "s-1" });
  }));
  const tokens = (await meanwhile.listSessionsByUserId("id-of-ada")).map(({ sessionToken }) => sessionToken);
  assert.deepEqual(tokens, ["s-2"]);
});

for (const race of RACES) {
  test(`denoKvAdapter() lets one of 64 concurrent callers win ${race.name}`, async (t) => {
    const kv = await storeFor(t);
    await run(race, [denoKvAdapter(kv)], 20);
  });
}

test("denoKvAdapter() creates one user for a hundred concurrent sign-ins of the same new person", async (t) => {
  const kv = await storeFor(t);
  const adapter = denoKvAdapter(kv);
  const plans = Array.from({ length: 100 }, (_, i) => {
    const { createUser, linkAccount, createSession } = signIn(`ada-${i}`);
    assert.ok(createUser && linkAccount && createSession);
    return {
      createUser: { ...createUser, email: "ada@example.com" },
      linkAccount: { ...linkAccount, providerAccountId: "ada" },
      createSession,
    };
  });
  const answers = await Promise.all(plans.map(async (plan) => await adapter.commit(plan)));
  assert.deepEqual(answers.filter((answer) => answer === "done").length, 1);
  assert.deepEqual(answers.filter((answer) => answer === "conflict").length, 99);
  const entries = await dump(kv);
  assert.deepEqual(["user", "account", "session"].map((kind) => ofKind(entries, kind).length), [1, 1, 1]);
  assert.deepEqual(problemsOf(entries), []);
});
