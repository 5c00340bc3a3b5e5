import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter } from "../../src/adapter.ts";
import { memoryAdapter } from "../../src/adapters/memory.ts";
import { AdapterError } from "../../src/errors.ts";
import { guardAdapter } from "../../src/storage.ts";

const ADA = { id: "u1", email: "ada@example.com", emailVerified: null };
const EXPIRES = new Date(1e12);

/** Storage whose operations all give the same. */
function giving(result: unknown) {
  const give = () => result as never;
  const names = Object.keys(memoryAdapter()) as (keyof Adapter)[];
  return guardAdapter(Object.fromEntries(names.map((name) => [name, give])));
}

test("guardAdapter() wraps whatever an adapter throws, once, with its cause", async () => {
  for (const cause of [new Error("gone"), "gone", null, undefined, Object.freeze(new TypeError("gone"))]) {
    const storage = guardAdapter({
      getUser: () => {
        throw cause;
      },
      getUserByEmail: () => Promise.reject(cause),
    });
    for (const call of [() => storage.getUser("1"), () => storage.getUserByEmail("a@b.c")]) {
      await assert.rejects(call, (error) => error instanceof AdapterError && error.cause?.err === cause);
    }
  }
  const own = new AdapterError("mine");
  await assert.rejects(() => guardAdapter({ getUser: () => Promise.reject(own) }).getUser("1"), own);
});

test("guardAdapter() keeps methods of an instance working", async () => {
  class Users {
    readonly #users = new Map([[ADA.id, ADA]]);
    getUser(id: string) {
      return this.#users.get(id) ?? null;
    }
  }
  const storage = guardAdapter(new Users());
  assert.deepEqual(await storage.getUser("u1"), ADA);
  assert.equal(storage.has("getUser"), true);
  assert.equal(storage.has("createUser"), false);
  assert.equal(storage.commit, null);
  await assert.rejects(() => storage.createUser(ADA), AdapterError);
});

test("guardAdapter() refuses a user who is not the one that was asked for", async () => {
  const storage = giving({ ...ADA, id: "u2", email: "mallory@example.com" });
  await assert.rejects(() => storage.getUser("u1"), AdapterError);
  await assert.rejects(() => storage.getUserByEmail("ada@example.com"), AdapterError);
  await assert.rejects(() => storage.updateUser({ id: "u1" }), AdapterError);
  await assert.rejects(() => storage.createUser(ADA), AdapterError);
});

test("guardAdapter() lets storage choose ids and write addresses in its own case", async () => {
  const storage = giving({ ...ADA, id: 7, email: "Ada@Example.com" });
  assert.equal((await storage.createUser(ADA)).id, "7");
  assert.equal((await storage.getUserByEmail("ada@example.com"))?.id, "7");
  assert.equal((await storage.getUser("7"))?.id, "7");
});

test("guardAdapter() reads ids that are numbers as text, in users and in what is theirs", async () => {
  for (const id of [7, 7n]) {
    const session = { sessionToken: "s", userId: id, expires: EXPIRES };
    const found = await giving({ session, user: { ...ADA, id } }).getSessionAndUser("s");
    assert.deepEqual([found?.session.userId, found?.user.id], ["7", "7"]);
  }
});

test("guardAdapter() refuses a session of another token, or whose user is another", async () => {
  const session = { sessionToken: "s", userId: "u1", expires: EXPIRES };
  assert.ok(await giving({ session, user: ADA }).getSessionAndUser("s"));
  const junk = [
    { session: { ...session, sessionToken: "t" }, user: ADA },
    { session: { ...session, userId: "u2" }, user: ADA },
    { session: { ...session, expires: "never" }, user: ADA },
    { session: { ...session, expires: new Date(NaN) }, user: ADA },
    { session: { ...session, expires: null }, user: ADA },
    { session, user: { ...ADA, id: "" } },
    { session, user: "ada" },
    [session],
    "session",
  ];
  for (const row of junk) await assert.rejects(() => giving(row).getSessionAndUser("s"), AdapterError);
});

test("guardAdapter() takes instants as text and as numbers for dates", async () => {
  for (const expires of [EXPIRES, EXPIRES.toISOString(), EXPIRES.valueOf()]) {
    const storage = giving({ identifier: "a", token: "t", expires });
    assert.deepEqual((await storage.useVerificationToken({ identifier: "a", token: "t" }))?.expires, EXPIRES);
  }
});

test("guardAdapter() refuses a token of another address, and lists and verdicts that are none", async () => {
  const token = { identifier: "b", token: "t", expires: EXPIRES };
  await assert.rejects(() => giving(token).useVerificationToken({ identifier: "a", token: "t" }), AdapterError);
  await assert.rejects(() => giving({ ...token, token: "u" }).useVerificationToken(token), AdapterError);
  for (const result of [null, undefined, "done?", {}, [null]]) {
    const { commit, once, listAccountsByUserId } = giving(result);
    await assert.rejects(async () => await commit?.({}), AdapterError);
    await assert.rejects(async () => await once?.("key", EXPIRES), AdapterError);
    await assert.rejects(async () => await listAccountsByUserId?.("u1"), AdapterError);
  }
});

test("guardAdapter() counts a record that cannot be read as a failure of storage", async () => {
  const cause = new Error("unreadable");
  const record = new Proxy({}, {
    get(_, name) {
      if (name === "then") return undefined; // or it could not even be waited for
      throw cause;
    },
  });
  const storage = giving(record);
  for (const call of [() => storage.getUser("1"), () => storage.getSessionAndUser("s")]) {
    await assert.rejects(call, (error) => error instanceof AdapterError && error.cause?.err === cause);
  }
});
