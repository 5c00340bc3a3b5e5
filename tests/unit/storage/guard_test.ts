import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter } from "../../../src/contract/adapter.ts";
import { memoryAdapter } from "../../../adapters/memory.ts";
import { AdapterError } from "../../../src/kernel/errors.ts";
import { guardAdapter } from "../../../src/storage/guard.ts";

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

test("findUser() tells an id that the database cannot have from a failure of storage", async () => {
  const failing = () => Promise.reject(new Error("invalid input syntax for type uuid"));
  const numbered = guardAdapter({ getUser: failing, getUserByAccount: () => null });
  assert.equal(await numbered.findUser("not-a-uuid"), undefined);
  await assert.rejects(
    () => guardAdapter({ getUser: failing, getUserByAccount: failing }).findUser("u1"),
    AdapterError,
  );
  const storage = guardAdapter(memoryAdapter());
  assert.equal(await storage.findUser("u1"), null);
  await storage.createUser(ADA);
  assert.equal((await storage.findUser("u1"))?.id, "u1");
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

const ACCOUNT = { provider: "github", providerAccountId: "1", userId: "u1", type: "oauth" };
const KEY = { credentialID: "k", credentialPublicKey: "p", counter: 0, providerAccountId: "k", userId: "u1" };
const SESSION = { sessionToken: "s", userId: "u1", expires: EXPIRES };

test("guardAdapter() refuses accounts, credentials and sessions that are not what the contract says", async () => {
  const operations = [
    [ACCOUNT, (row: unknown) => giving(row).getAccount("1", "github"), ["provider", "providerAccountId", "userId"]],
    [KEY, (row: unknown) => giving(row).getAuthenticator("k"), Object.keys(KEY)],
    [ACCOUNT, (row: unknown) => giving([row]).listAccountsByUserId?.("u1"), Object.keys(ACCOUNT).slice(0, 3)],
    [KEY, (row: unknown) => giving([row]).listAuthenticatorsByUserId("u1"), Object.keys(KEY)],
    [SESSION, (row: unknown) => giving(row).updateSession({ sessionToken: "s" }), Object.keys(SESSION)],
  ] as const;
  for (const [row, call, members] of operations) {
    const found = await call(row);
    assert.deepEqual(Array.isArray(found) ? found[0] : found, row);
    for (const member of members) {
      for (const junk of [undefined, {}, true]) {
        await assert.rejects(async () => await call({ ...row, [member]: junk }), AdapterError, `${member}: ${junk}`);
      }
    }
    for (const junk of [{}, [], "row", 7]) await assert.rejects(async () => await call(junk), AdapterError);
  }
});

test("guardAdapter() refuses an account of another key, and lists of what is somebody else's", async () => {
  await assert.rejects(() => giving({ ...ACCOUNT, provider: "gitlab" }).getAccount("1", "github"), AdapterError);
  await assert.rejects(() => giving({ ...ACCOUNT, providerAccountId: "2" }).getAccount("1", "github"), AdapterError);
  for (const rows of [[KEY, { ...KEY, userId: "u2" }], [KEY, null]]) {
    await assert.rejects(() => giving(rows).listAuthenticatorsByUserId("u1"), AdapterError);
  }
});

test("guardAdapter() lets storage number the owners of accounts and credentials", async () => {
  for (const userId of [7, 7n]) {
    assert.equal((await giving({ ...ACCOUNT, userId }).getAccount("1", "github"))?.userId, "7");
    assert.equal((await giving([{ ...KEY, userId }]).listAuthenticatorsByUserId("7"))[0]?.userId, "7");
  }
});

test("guardAdapter() takes null and undefined for what is absent", async () => {
  for (const absent of [null, undefined]) {
    const storage = giving(absent);
    const key = { identifier: "a", token: "t" };
    const answers = await Promise.all([
      storage.getUser("u1"),
      storage.getUserByEmail("ada@example.com"),
      storage.getUserByAccount({ provider: "github", providerAccountId: "1" }),
      storage.getAccount("1", "github"),
      storage.getSessionAndUser("s"),
      storage.updateSession({ sessionToken: "s" }),
      storage.deleteSession("s"),
      storage.useVerificationToken(key),
      storage.getVerificationToken?.(key),
      storage.getAuthenticator("k"),
    ]);
    assert.deepEqual(new Set(answers), new Set([null]));
  }
});

test("guardAdapter() asks for an address in the spelling that is given, and then in the other", async () => {
  const asked: string[] = [];
  const { getUserByEmail } = guardAdapter({
    getUserByEmail: (address) => {
      asked.push(address);
      return null;
    },
  });
  await getUserByEmail("ada@example.com");
  await getUserByEmail("ada@xn--bcher-kva.example");
  assert.deepEqual(asked, ["ada@example.com", "ada@xn--bcher-kva.example", "ada@bücher.example"]);
});

test("guardAdapter() gives the user of the given spelling, whatever storage makes of the other", async () => {
  const user = { ...ADA, email: "ada@xn--bcher-kva.example" };
  // Some storage folds addresses itself, so it finds the same user by either spelling.
  for (const other of [() => user, () => Promise.reject(new Error("not ASCII"))]) {
    const storage = guardAdapter({ getUserByEmail: (email) => email === user.email ? user : other() });
    assert.equal((await storage.getUserByEmail(user.email))?.id, ADA.id);
    await assert.rejects(storage.getUserByEmail("ada@bücher.example"), AdapterError);
  }
});

test("guardAdapter() refuses the session of another user or of another id at the provider", async () => {
  const row = { sessionToken: "s", userId: "u1", expires: EXPIRES, provider: "idp", providerSid: "p" };
  const storage = giving([row]);
  const find = (provider: string, sid: string) => storage.listSessionsByProviderSid?.({ provider, sid });
  assert.deepEqual(await find("idp", "p"), [row]);
  for (const [provider, sid] of [["idp", "q"], ["other", "p"]] as const) {
    await assert.rejects(async () => await find(provider, sid), AdapterError);
  }
  assert.deepEqual(await storage.listSessionsByUserId?.("u1"), [row]);
  await assert.rejects(async () => await storage.listSessionsByUserId?.("u2"), AdapterError);
  for (const odd of [null, {}, [null]]) {
    await assert.rejects(async () => await giving(odd).listSessionsByProviderSid?.({ provider: "idp", sid: "p" }));
  }
});
