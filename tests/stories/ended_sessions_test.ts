/** Sealed sessions with rows, as people with identity providers and links meet them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CompleteAdapter } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { openMultiProvider } from "../_support/multi_provider.ts";

const SEALED = { strategy: "jwt" } as const;
const ADA = { sub: "ada", email: "ada@example.com", email_verified: true };

async function rowsOf(adapter: CompleteAdapter) {
  const user = await adapter.getUserByEmail(ADA.email);
  return user ? await adapter.listSessionsByUserId(user.id) : [];
}

test("the row of a sealed session says where the person signed in, and which session it is there", async () => {
  for (const strategy of ["jwt", "database"] as const) {
    const { visitor, come, adapter } = openMultiProvider({ adapter: memoryAdapter(), session: { strategy } });
    await come(visitor(), "google", { ...ADA, sid: "session at the provider" });
    const [row, ...others] = await rowsOf(adapter);
    assert.deepEqual([row?.provider, row?.providerSid], ["google", "session at the provider"], strategy);
    assert.deepEqual(others, []);
    const key = { provider: "google", sid: "session at the provider" };
    assert.equal((await adapter.listSessionsByProviderSid(key)).length, 1);
  }
});

test("a `sid` that storage could not find again is not kept, and the person signs in", async () => {
  for (const sid of ["", "x".repeat(257), "\0", "\ud800", 7, null]) {
    const { visitor, come, adapter } = openMultiProvider({ adapter: memoryAdapter(), session: SEALED });
    const browser = visitor();
    await come(browser, "google", { ...ADA, sid });
    assert.notEqual(await browser.session(), null);
    assert.equal((await rowsOf(adapter))[0]?.providerSid, undefined, JSON.stringify(sid));
  }
});

test("the session callback of stored sessions sees nothing that Auth.js does not store", async () => {
  const seen: string[] = [];
  const { visitor, come } = openMultiProvider({
    adapter: memoryAdapter(),
    callbacks: {
      session: ({ session }) => {
        seen.push(...Object.keys(session).toSorted());
        return session;
      },
    },
  });
  const browser = visitor();
  await come(browser, "google", { ...ADA, sid: "s" });
  await browser.session();
  assert.deepEqual(seen, ["expires", "user", "userId"]);
});

test("a sign-in that the jwt callback stops leaves no row", async () => {
  for (const answer of [() => null, () => Promise.reject(new Error("down"))]) {
    const { visitor, come, adapter } = openMultiProvider({
      adapter: memoryAdapter(),
      session: SEALED,
      callbacks: { jwt: answer },
      mayFail: true,
    });
    await come(visitor(), "google", ADA);
    assert.deepEqual(await rowsOf(adapter), []);
  }
});

test("an account that is added keeps the session, its row and its other cookies", async () => {
  const { visitor, come, adapter } = openMultiProvider({ adapter: memoryAdapter(), session: SEALED });
  const browser = visitor();
  await come(browser, "google", ADA);
  const before = await rowsOf(adapter);
  await come(browser, "lax", { sub: "other", email: "other@example.com" });
  assert.deepEqual(await rowsOf(adapter), before);
  assert.notEqual(await browser.session(), null);
});

test("a sealed session that was ended elsewhere adds no account, also within the bound", async () => {
  const { visitor, leave, comeBack, come, adapter } = openMultiProvider({ adapter: memoryAdapter(), session: SEALED });
  const browser = visitor();
  await come(browser, "google", ADA);
  const user = await adapter.getUserByEmail(ADA.email);
  const away = await leave(browser, "lax");
  // As another process does.
  await adapter.deleteSessionsByUserId(user?.id ?? "");
  assert.notEqual(await browser.session(), null, "the bound");
  await comeBack(browser, away, { sub: "mallory", email: "mallory@example.com" });
  const accounts = await adapter.listAccountsByUserId(user?.id ?? "");
  assert.deepEqual(accounts.map(({ provider }) => provider), ["google"]);
  assert.notEqual(await adapter.getUserByEmail("mallory@example.com"), null, "who comes back is somebody new");
});

test("a sealed session that ends while an account is added does not add it", async () => {
  const memory = memoryAdapter();
  let isEnding = false;
  const adapter: CompleteAdapter = {
    ...memory,
    async commit(plan) {
      const user = await memory.getUserByEmail(ADA.email);
      if (isEnding && user) await memory.deleteSessionsByUserId(user.id);
      return await memory.commit(plan);
    },
  };
  const { visitor, come } = openMultiProvider({ adapter, session: SEALED });
  const browser = visitor();
  await come(browser, "google", ADA);
  isEnding = true;
  await come(browser, "lax", { sub: "mallory", email: "mallory@example.com" });
  const user = await memory.getUserByEmail(ADA.email);
  const accounts = await memory.listAccountsByUserId(user?.id ?? "");
  assert.deepEqual(accounts.map(({ provider }) => provider), ["google"]);
});

test("an address that is verified ends the sealed sessions of whoever only claimed it", async () => {
  const { visitor, come, verifyMailbox } = openMultiProvider({ adapter: memoryAdapter(), session: SEALED });
  const impostor = visitor();
  await come(impostor, "google", { sub: "mallory", email: ADA.email, email_verified: false });
  assert.notEqual(await impostor.session(), null);
  const victim = await verifyMailbox(visitor(), ADA.email);
  assert.equal(await impostor.session(), null);
  assert.notEqual(await victim.session(), null);
});
