/** `auth.passwords`: what an application does about the passwords of its users. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type AuthConfig, createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { AdapterError, BadRequest, CredentialsSignin, InvalidConfig, MissingAdapter } from "@x/auth/errors";
import { django, haveIBeenPwned } from "@x/auth/passwords";
import { password, type PasswordOptions } from "@x/auth/providers/password";
import { ADA, cheapHash, hashTable, SECRET } from "../_support/passwords.ts";
import { testConfig } from "../_support/service.ts";

function open(options: PasswordOptions = {}, config: AuthConfig = {}) {
  const adapter = memoryAdapter();
  const providers = [password({ hash: cheapHash(), ...options })];
  return { adapter, auth: createAuth(testConfig({ adapter, mail: () => {}, providers, ...config })) };
}

async function join({ adapter }: ReturnType<typeof open>, email = ADA): Promise<string> {
  const user = await adapter.createUser({ id: crypto.randomUUID(), name: "Ada", email, emailVerified: new Date() });
  return user.id;
}

test("each function says what to do where there are no passwords", async () => {
  const { auth } = open({}, { providers: [] });
  const calls = [
    () => auth.passwords.set("1", SECRET),
    () => auth.passwords.remove("1"),
    () => auth.passwords.import([{ userId: "1", hash: "new:x" }]),
  ];
  for (const call of calls) {
    await assert.rejects(call, (error) => {
      return error instanceof InvalidConfig &&
        error.message.includes("add `password()` of `@x/auth/providers/password`");
    });
  }
});

test("each function says why the provider cannot be used", async () => {
  const auth = createAuth(testConfig({ providers: [password()], mail: () => {} }));
  await assert.rejects(auth.passwords.remove("1"), MissingAdapter);
});

test("each function says that a configuration which depends on the request does not tell whose users they are", async () => {
  const { adapter } = open();
  const auth = createAuth(() => testConfig({ adapter, mail: () => {}, providers: [password()] }));
  await assert.rejects(auth.passwords.set("1", SECRET), /the configuration is a function of the request/);
});

test("a password is set only for a user whose address is proven", async () => {
  const site = open();
  await assert.rejects(site.auth.passwords.set("nobody", SECRET), BadRequest);
  const { id } = await site.adapter.createUser({ id: "u1", name: null, email: ADA, emailVerified: null });
  await assert.rejects(site.auth.passwords.set(id, SECRET), /the address of the user is not proven/);
  await site.adapter.updateUser({ id, vouchedEmail: ADA });
  await site.auth.passwords.set(id, SECRET);
});

const LEAKED = "a pelican that has leaked";

const REFUSED: readonly (readonly [text: string, says: RegExp])[] = [
  ["too short", /15 characters at least/],
  ["x y".repeat(86), /256 characters at most/],
  ["\u{1F511}".repeat(257), /256 characters at most/],
  ["e\u0301".repeat(14), /15 characters at least/],
  ["aaaaaaaaaaaaaaaaaaaa", /guessed first/],
  ["ada@example.com!", /guessed first/],
  [LEAKED, /has leaked elsewhere/],
];

for (const [text, says] of REFUSED) {
  test(`set() refuses ${text.slice(0, 20)}… as ${says.source}`, async () => {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-1", new TextEncoder().encode(LEAKED)));
    const line = `${digest.toHex().toUpperCase().slice(5)}:42`;
    const fetch = () => Promise.resolve(new Response(line, { headers: { "content-type": "text/plain" } }));
    const site = open({ breached: haveIBeenPwned({ fetch }) });
    const id = await join(site);
    await assert.rejects(site.auth.passwords.set(id, text), (error) => {
      assert.ok(error instanceof BadRequest, String(error));
      assert.match(error.message, says);
      return !error.message.includes(text);
    });
  });
}

test("a password of 256 characters of any kind can be set", async () => {
  const site = open({ hash: undefined });
  const id = await join(site);
  const letters = Array.from({ length: 256 }, (_, at) => String.fromCodePoint(0x1F300 + (at * 37) % 256));
  await site.auth.passwords.set(id, letters.join(""));
});

test("an import takes what is counted piece by piece, and stores hashes as they are", async () => {
  const site = open({ hash: undefined, legacy: [django()] });
  const ids = await Promise.all(["a", "b", "c"].map((name) => join(site, `${name}@example.com`)));
  const hash = "pbkdf2_sha256$20000$OAqanEA6W2f9LtwtnAwJTS$N21oDs8+5WCkK4xr80SmZWFyQGuDmo0RtapO8zaCIR4=";
  async function* rows() {
    for (const userId of ids) yield await Promise.resolve({ userId, hash });
  }
  assert.deepEqual(await site.auth.passwords.import(rows()), { imported: 3, skipped: [] });
  const record = await site.adapter.getRecord({ kind: "password", id: String(ids[0]) });
  assert.equal(record?.data.hash, hash);
  assert.equal(record?.userId, ids[0]);
});

test("a table of the application that fails is a failure of storage", async () => {
  const table = hashTable();
  const failing = { ...table, get: () => Promise.reject(new Error("connection refused")) };
  const site = open({ store: failing, signUp: "invited" });
  const id = await join(site);
  await assert.rejects(site.auth.passwords.set(id, SECRET), (error) => {
    return error instanceof AdapterError && error.message.includes("`store.get`");
  });
});

test("check() asks a table of the application for an id that nobody has", async () => {
  const numbered = {
    ...hashTable(),
    get: (id: string) => /^\d+$/.test(id) ? null : Promise.reject(new Error("22P02")),
  };
  await assert.rejects(open({ store: numbered }).auth.check(), /`store\.get` of provider "password" failed/);
  await open({ store: hashTable() }).auth.check();
});

test("check() hashes once, so that a runtime without hashes shows at the start", async () => {
  const made: string[] = [];
  const { auth } = open({ hash: undefined });
  await auth.check();
  const own = { make: (text: string) => (made.push(text), ""), verify: () => "no" as const };
  await open({ hash: own }).auth.check();
  assert.deepEqual(made, [], "a function of the application is not called");
});

test("a program signs somebody in with what they typed into a form of its own", async () => {
  const site = open();
  await site.auth.passwords.set(await join(site), SECRET);
  const request = () => new Request("http://localhost:3000/login", { method: "POST", headers: FROM_HERE });
  const { value, cookies } = await site.auth.signIn(request(), "password", {
    email: ADA,
    password: SECRET,
    redirectTo: "/home",
    redirect: false,
  });
  assert.equal(value, "http://localhost:3000/home");
  assert.ok(cookies.some(({ name }) => name === "authjs.session-token"));
  const wrong = { email: ADA, password: "wrong", redirect: false } as const;
  await assert.rejects(site.auth.signIn(request(), "password", wrong), CredentialsSignin);
});

const FROM_HERE = { origin: "http://localhost:3000" };

test("a user who is deleted has no password left", async () => {
  const site = open();
  const id = await join(site);
  await site.auth.passwords.set(id, SECRET);
  await site.adapter.deleteUser(id);
  assert.equal(await site.adapter.getRecord({ kind: "password", id }), null);
});
