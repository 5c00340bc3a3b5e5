/** People who have accounts and sessions at Better Auth when its service is replaced by this one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { type CompleteAdapter, createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import {
  betterAuth,
  type BetterAuthMigration,
  type BetterAuthOptions,
  verifyPassword,
} from "@x/auth/migrate/better-auth";
import { credentials } from "@x/auth/providers/credentials";
import { passkey } from "@x/auth/providers/passkey";
import { Authenticator } from "../_support/authenticator.ts";
import { BETTER_AUTH_TABLES, BetterAuthTables, hashPassword, OTHER_SECRET } from "../_support/better_auth_tables.ts";
import type { Browser } from "../_support/browser.ts";
import { leadsTo, type MultiProvider, NOT_LINKED, openMultiProvider } from "../_support/multi_provider.ts";
import { recordLog, testConfig } from "../_support/service.ts";

const COOKIE = "better-auth.session_token";
const NAME = "authjs.session-token";
const HOUR = 60 * 60 * 1000;

interface World extends MultiProvider<CompleteAdapter> {
  readonly before: BetterAuthTables;
  readonly migration: BetterAuthMigration;
  /** The adapter that takes over. */
  readonly own: CompleteAdapter;
  /** A browser with the session cookie of Better Auth, or with none. */
  browserWith(session?: string): Browser;
  signInWith(browser: Browser, email: string, password: string): Promise<string>;
}

function open(options: Partial<BetterAuthOptions> = {}, tables?: string): World {
  const before = new BetterAuthTables(tables);
  const own = options.adapter ?? memoryAdapter();
  const migration = betterAuth({ adapter: own, database: before.database, secret: OTHER_SECRET, ...options });
  const password = credentials({
    credentials: { email: { type: "email" }, password: { type: "password" } },
    authorize: migration.authorize,
  });
  const service = openMultiProvider({
    adapter: migration.adapter,
    session: { migrateFrom: migration.sessions },
    idps: { mock: {} },
    providers: [password, passkey()],
  });
  return {
    ...service,
    before,
    migration,
    own,
    browserWith(session) {
      const browser = service.visitor();
      if (session !== undefined) put(browser, session);
      return browser;
    },
    async signInWith(browser, email, password) {
      const csrfToken = await browser.csrf();
      return leadsTo(await browser.post("/auth/callback/credentials", { csrfToken, email, password }));
    },
  };
}

function put(browser: Browser, value: string, name = COOKIE): void {
  browser.cookies.store(`${name}=${encodeURIComponent(value)}; Path=/; HttpOnly; SameSite=Lax`, browser.url);
}

/** The same storage, which takes a while: sometimes longer, sometimes shorter. */
function slowly(adapter: CompleteAdapter): CompleteAdapter {
  let calls = 0;
  const operations = Object.entries(adapter).map(([name, operation]) => [name, async (...args: unknown[]) => {
    await new Promise((resolve) => setTimeout(resolve, ++calls * 7 % 5));
    return await (operation as (...args: unknown[]) => unknown)(...args);
  }]);
  return Object.fromEntries(operations);
}

async function emailOf(browser: Browser): Promise<string | null> {
  return (await browser.session())?.user?.email ?? null;
}

const REFUSED = "/auth/signin CredentialsSignin";

test("whoever is signed in to Better Auth stays signed in, as the same user, with a cookie of this service", async () => {
  const { before, own, browserWith } = open();
  before.addUser("ada", { image: "https://example.com/ada.png", role: "admin" });
  before.addAccount("ada", { scope: "openid,email", accessToken: "a", idToken: "i" });
  const browser = browserWith(before.addSession("ada"));
  put(browser, "a copy of the session", "better-auth.session_data.0");
  const image = "https://example.com/ada.png";
  const user = { name: "The user ada", email: "ada@example.com", image };
  assert.deepEqual((await browser.session())?.user, user);
  assert.deepEqual(browser.cookies.names(), [NAME]);
  assert.deepEqual((await browser.session())?.user, user);
  const copied = await own.getUser("ada");
  assert.ok(copied?.emailVerified instanceof Date);
  assert.equal((copied as unknown as { role: string }).role, "admin");
  assert.deepEqual(await own.getAccount("ada-there", "mock"), {
    userId: "ada",
    type: "oidc",
    provider: "mock",
    providerAccountId: "ada-there",
    access_token: "a",
    id_token: "i",
    scope: "openid email",
  });
});

test("twenty requests at once with a cookie of Better Auth are all signed in, and make one session", async () => {
  const { before, own, browserWith } = open();
  before.addUser("ada");
  before.addAccount("ada");
  const cookie = before.addSession("ada");
  const browsers = Array.from({ length: 20 }, () => browserWith(cookie));
  assert.deepEqual(await Promise.all(browsers.map(emailOf)), browsers.map(() => "ada@example.com"));
  assert.equal((await own.listSessionsByUserId("ada")).length, 1);
  assert.equal((await own.listAccountsByUserId("ada")).length, 1);
});

test("auth() reads a session of Better Auth that it cannot replace yet", async () => {
  const { before, migration } = open();
  before.addUser("ada");
  const { auth } = createAuth(testConfig({ adapter: migration.adapter, session: { migrateFrom: migration.sessions } }));
  const headers = { cookie: `${COOKIE}=${encodeURIComponent(before.addSession("ada"))}` };
  const ask = () => auth(new Request("http://localhost:3000/", { headers }));
  assert.equal((await ask())?.user?.email, "ada@example.com");
  assert.equal((await ask())?.user?.email, "ada@example.com");
});

test("a session of Better Auth that ended, was revoked, or whose user is gone is nobody's", async () => {
  const { before, browserWith } = open();
  before.addUser("ada");
  before.addUser("bob");
  const expired = before.addSession("ada", { expiresAt: new Date(Date.now() - 1000).toISOString() });
  const revoked = before.addSession("ada");
  before.database.prepare("delete from session where token = ?").run(revoked.split(".")[0] ?? "");
  const gone = before.addSession("bob");
  before.database.exec(`delete from "user" where id = 'bob'`);
  const impersonated = before.addSession("ada", { impersonatedBy: "root" });
  for (const cookie of [expired, revoked, gone, impersonated]) assert.equal(await emailOf(browserWith(cookie)), null);
});

test("a token of Better Auth without its signature, or with another one, is nobody's, in either cookie", async () => {
  const { before, browserWith } = open();
  before.addUser("ada");
  const cookie = before.addSession("ada");
  const [token = ""] = cookie.split(".");
  const other = before.addSession("ada", {}, "another secret, also longer than 32 characters");
  for (const forged of [token, `${token}.`, `${token}.${"A".repeat(43)}=`, `x${cookie}`, `${cookie} `, other]) {
    assert.equal(await emailOf(browserWith(forged)), null, forged);
    const browser = browserWith();
    put(browser, forged, NAME);
    assert.equal(await emailOf(browser), null, forged);
  }
  assert.equal(await emailOf(browserWith(cookie)), "ada@example.com");
});

test("a session that was not to be remembered is not taken over, because this service would remember it", async () => {
  const { before, browserWith } = open();
  before.addUser("ada");
  const browser = browserWith(before.addSession("ada"));
  put(browser, "true.signature", "better-auth.dont_remember");
  assert.equal(await emailOf(browser), null);
});

test("whoever signs out is not signed in again by a copy of the cookie of Better Auth", async () => {
  const { before, browserWith } = open();
  before.addUser("ada");
  const cookie = before.addSession("ada");
  const copy = browserWith(cookie);
  const browser = browserWith(cookie);
  assert.equal(await emailOf(browser), "ada@example.com");
  await browser.signOut();
  assert.deepEqual(browser.cookies.names("session"), []);
  assert.deepEqual(before.rows("session"), []);
  assert.equal(await emailOf(copy), null);
});

test("a sign-out wins over requests with the same cookie that run at the same time", async () => {
  const { before, own, browserWith } = open({ adapter: slowly(memoryAdapter()) });
  before.addUser("ada");
  for (let n = 0; n < 12; n++) {
    const cookie = before.addSession("ada");
    const leaving = browserWith(cookie);
    const csrfToken = await leaving.csrf();
    const others = Array.from({ length: 4 }, () => browserWith(cookie));
    await Promise.all([
      ...others.map(emailOf),
      leaving.post("/auth/signout", { csrfToken }),
    ]);
    assert.deepEqual(before.rows("session"), []);
    // Not even a row that nobody can use as long as Better Auth is asked.
    assert.deepEqual(await own.listSessionsByUserId("ada"), []);
    for (const browser of [...others, browserWith(cookie)]) assert.equal(await emailOf(browser), null);
  }
});

test("signing out with a cookie of Better Auth that was never replaced ends its session there", async () => {
  const { before, browserWith } = open();
  before.addUser("ada");
  const browser = browserWith(before.addSession("ada"));
  put(browser, "a copy of the session", "better-auth.session_data");
  await browser.post("/auth/signout", { csrfToken: await browser.csrf() });
  assert.deepEqual(before.rows("session"), []);
  assert.deepEqual(browser.cookies.names("better-auth"), []);
});

function sessionsOf({ migration }: World) {
  const { sessions } = createAuth(testConfig({
    adapter: migration.adapter,
    session: { migrateFrom: migration.sessions },
  }));
  return sessions;
}

function requestWith(cookie: string): Request {
  return new Request("http://localhost/settings", {
    method: "POST",
    headers: { origin: "http://localhost", cookie: `${COOKIE}=${encodeURIComponent(cookie)}` },
  });
}

test("sessions that were not copied yet are listed, and end one by one, with all others, and with all", async () => {
  for (const end of ["revoke", "revokeOthers", "revokeAll"] as const) {
    const world = open();
    const { before, browserWith } = world;
    const sessions = sessionsOf(world);
    for (const user of ["ada", "bob"]) before.addUser(user);
    const [kept, other, third] = [before.addSession("ada"), before.addSession("ada"), before.addSession("ada")];
    const bobs = before.addSession("bob");
    before.addSession("ada", { expiresAt: new Date(Date.now() - 1).toISOString() });
    before.addSession("ada", { impersonatedBy: "admin" });
    assert.equal(await emailOf(browserWith(third)), "ada@example.com");
    const listed = await sessions.list(requestWith(kept));
    assert.deepEqual(listed.map(({ isCurrent }) => isCurrent).sort(), [false, false, true], "one of them was copied");
    if (end === "revoke") {
      for (const { id, isCurrent } of listed) assert.equal(!isCurrent && await sessions.revoke(id), !isCurrent);
    } else {
      assert.equal(await sessions[end](requestWith(kept)), end === "revokeAll" ? 3 : 2);
    }
    const tokens = before.rows("session").map(({ token }) => token);
    for (const cookie of [other, third]) {
      assert.equal(await emailOf(browserWith(cookie)), null, end);
      assert.ok(!tokens.includes(cookie.split(".")[0] ?? ""), "also for Better Auth");
    }
    assert.equal(await emailOf(browserWith(kept)), end === "revokeAll" ? null : "ada@example.com");
    assert.equal(await emailOf(browserWith(bobs)), "bob@example.com");
    await world.migration.copyAll();
    assert.equal(await emailOf(browserWith(kept)), end === "revokeAll" ? null : "ada@example.com");
  }
});

test("a session of Better Auth that began before all sessions were ended is not copied afterwards", async () => {
  const world = open();
  const { before, own, browserWith } = world;
  before.addUser("ada");
  const cookie = before.addSession("ada");
  // As after a restored backup of that database.
  await own.deleteSessionsByUserId("ada");
  assert.equal(await emailOf(browserWith(cookie)), null);
  await world.migration.copyAll();
  assert.equal(await emailOf(browserWith(cookie)), null);
  const later = new Date(Date.now() + 1000).toISOString();
  assert.equal(await emailOf(browserWith(before.addSession("ada", { createdAt: later }))), "ada@example.com");
});

test("what ends a session at Better Auth later ends it here too", async () => {
  const { before, own, browserWith } = open();
  before.addUser("ada");
  const browser = browserWith(before.addSession("ada"));
  assert.equal(await emailOf(browser), "ada@example.com");
  before.database.exec("delete from session");
  assert.equal(await emailOf(browser), null);
  assert.deepEqual(await own.listSessionsByUserId("ada"), []);
});

for (
  const [name, inDatabase] of Object.entries({
    "text": (date: Date) => date.toISOString(),
    "milliseconds": (date: Date) => date.getTime(),
    "seconds": (date: Date) => Math.floor(date.getTime() / 1000),
  })
) {
  test(`renewing a session extends its row at Better Auth, where dates are ${name}`, async () => {
    const { before, browserWith } = open();
    before.addUser("ada");
    const cookie = before.addSession("ada", { expiresAt: inDatabase(new Date(Date.now() + HOUR)) });
    const session = await browserWith(cookie).session();
    assert.ok(new Date(session?.expires ?? "").getTime() > Date.now() + 29 * 24 * HOUR);
    const [row] = before.rows("session");
    assert.equal(row?.expiresAt, inDatabase(new Date(session?.expires ?? "")));
  });
}

test("a new sign-in ends the session of Better Auth that the browser had", async () => {
  const { before, browserWith, signInWith } = open();
  before.addUser("ada");
  before.addUser("bob");
  before.addPassword("bob", "correct horse");
  const browser = browserWith(before.addSession("ada"));
  assert.equal(await signInWith(browser, "bob@example.com", "correct horse"), "/");
  assert.equal(await emailOf(browser), "bob@example.com");
  assert.deepEqual(before.rows("session"), []);
});

test("a password of Better Auth signs in, and a wrong one does not", async () => {
  const { before, browserWith, signInWith } = open();
  before.addUser("ada");
  before.addPassword("ada", "correct ｈorse");
  assert.equal(await signInWith(browserWith(), "Ada@Example.com", "wrong horse"), REFUSED);
  assert.equal(await signInWith(browserWith(), "nobody@example.com", "correct horse"), REFUSED);
  const browser = browserWith();
  assert.equal(await signInWith(browser, "Ada@Example.com", "correct horse"), "/");
  assert.equal(await emailOf(browser), "ada@example.com");
  assert.equal(await signInWith(browserWith(), "ada@example.com", "correct horse"), "/");
});

test("a password does not sign in a user who is banned, or who has a second factor", async () => {
  const { before, browserWith, signInWith } = open();
  const tomorrow = new Date(Date.now() + 24 * HOUR).toISOString();
  const yesterday = new Date(Date.now() - 24 * HOUR).toISOString();
  const users = { banned: { banned: 1 }, later: { banned: 1, banExpires: tomorrow }, totp: { twoFactorEnabled: 1 } };
  for (const [id, changes] of Object.entries({ ...users, former: { banned: 1, banExpires: yesterday } })) {
    before.addUser(id, changes);
    before.addPassword(id, "correct horse");
    const expected = id === "former" ? "/" : REFUSED;
    assert.equal(await signInWith(browserWith(), `${id}@example.com`, "correct horse"), expected, id);
  }
});

test("verifyPassword() is false for a hash that is malformed", async () => {
  const hash = hashPassword("correct horse");
  assert.equal(await verifyPassword({ hash, password: "correct horse" }), true);
  for (const malformed of ["", ":", "salt:", hash.slice(0, -2), `${hash}00`, hash.replace(":", ""), "$2b$10$x"]) {
    assert.equal(await verifyPassword({ hash: malformed, password: "correct horse" }), false, malformed);
  }
});

test("whoever signs in with a provider that Better Auth knew is the same user", async () => {
  const { before, browserWith, come } = open();
  before.addUser("ada");
  before.addAccount("ada");
  const browser = browserWith();
  assert.equal(leadsTo(await come(browser, "mock", { sub: "ada-there", email: "other@example.com" })), "/");
  assert.equal(await emailOf(browser), "ada@example.com");
});

test("an account of Better Auth is found under the id that its provider has here", async () => {
  const { before, browserWith, come } = open({ providers: { theirs: "mock" } });
  before.addUser("ada");
  before.addAccount("ada", { providerId: "theirs" });
  const browser = browserWith();
  assert.equal(leadsTo(await come(browser, "mock", { sub: "ada-there" })), "/");
  assert.equal(await emailOf(browser), "ada@example.com");
});

test("a new account with the address of a user of Better Auth is refused, as for any other user", async () => {
  const { before, browserWith, come } = open();
  before.addUser("ada");
  const answer = await come(browserWith(), "mock", { sub: "new", email: "ada@example.com", email_verified: true });
  assert.equal(leadsTo(answer), NOT_LINKED);
});

test("an account is added to a user whose session began at Better Auth", async () => {
  const { before, own, browserWith, come } = open();
  before.addUser("ada");
  const browser = browserWith(before.addSession("ada"));
  assert.equal(leadsTo(await come(browser, "mock", { sub: "new" })), "/");
  assert.equal((await own.getAccount("new", "mock"))?.userId, "ada");
  assert.equal(await emailOf(browser), "ada@example.com");
});

test("a passkey of Better Auth signs in", async () => {
  const { before, own, browserWith } = open();
  const device = new Authenticator();
  const options = { challenge: "AAAA", user: { id: "random", name: "ada", displayName: "Ada" } };
  const made = JSON.parse(await device.create(options));
  before.addUser("ada");
  const { response: { attestationObject } } = made;
  const bytes = Uint8Array.from(
    atob(attestationObject.replaceAll("-", "+").replaceAll("_", "/")),
    (c) => c.charCodeAt(0),
  );
  const publicKey = btoa(String.fromCharCode(...bytes.subarray(bytes.length - 77)));
  const credential = { credentialID: made.id, publicKey, counter: 1, deviceType: "singleDevice", backedUp: 0 };
  before.insert("passkey", { id: "p1", name: null, userId: "ada", transports: "internal,hybrid", ...credential });
  const browser = browserWith();
  const offered = await (await browser.get("/auth/webauthn-options/passkey?action=authenticate")).json();
  const data = await device.get(offered.options);
  const answer = await browser.post("/auth/callback/passkey", {
    csrfToken: await browser.csrf(),
    action: "authenticate",
    data,
  });
  assert.equal(leadsTo(answer), "/");
  assert.equal(await emailOf(browser), "ada@example.com");
  const [stored] = await own.listAuthenticatorsByUserId("ada");
  assert.equal(stored?.transports, "internal,hybrid");
  assert.equal(stored?.counter, 2);
});

test("whoever verifies the address of an unverified user of Better Auth revokes what opened the user before", async () => {
  const { before, own, browserWith, verifyMailbox, signInWith } = open();
  before.addUser("ada", { emailVerified: 0 });
  before.addPassword("ada", "of the intruder");
  const [used, unused] = [before.addSession("ada"), before.addSession("ada")];
  before.addPasskey("ada");
  const intruder = browserWith(used);
  assert.equal(await emailOf(intruder), "ada@example.com");
  await verifyMailbox(browserWith(), "ada@example.com");
  // Before anybody asks with them: Better Auth may still be running.
  assert.deepEqual(before.rows("session"), []);
  assert.equal(await emailOf(intruder), null);
  assert.equal(await emailOf(browserWith(used)), null);
  assert.equal(await emailOf(browserWith(unused)), null);
  assert.deepEqual(await own.listAuthenticatorsByUserId("ada"), []);
  assert.equal(await own.getAuthenticator("AAAA"), null);
  assert.equal(await signInWith(browserWith(), "ada@example.com", "of the intruder"), REFUSED);
});

test("an account of an unverified user of Better Auth signs in until somebody verifies the address, and no longer", async () => {
  const { before, own, browserWith, come, verifyMailbox } = open();
  before.addUser("ada", { emailVerified: 0 });
  before.addAccount("ada");
  const intruder = { sub: "ada-there", email: "ada@example.com" };
  assert.equal(leadsTo(await come(browserWith(), "mock", intruder)), "/");
  await verifyMailbox(browserWith(), "ada@example.com");
  assert.deepEqual(await own.listAccountsByUserId("ada"), []);
  assert.equal(leadsTo(await come(browserWith(), "mock", intruder)), NOT_LINKED);
});

test("an account of an unverified user of Better Auth gives way to a provider that verifies the address", async () => {
  const { before, browserWith, come } = open();
  before.addUser("ada", { emailVerified: 0 });
  before.addAccount("ada");
  const browser = browserWith();
  await come(browser, "mock", { sub: "owner", email: "ada@example.com", email_verified: true });
  assert.equal(await emailOf(browser), "ada@example.com");
  const intruder = browserWith();
  await come(intruder, "mock", { sub: "ada-there", email: "ada@example.com" });
  assert.equal(await emailOf(intruder), null);
});

test("accounts of a verified user of Better Auth stay when the address is verified here", async () => {
  const { before, browserWith, come, verifyMailbox } = open();
  before.addUser("ada");
  before.addAccount("ada");
  const browser = browserWith(before.addSession("ada"));
  await verifyMailbox(browserWith(), "ada@example.com");
  assert.equal(await emailOf(browser), "ada@example.com");
  assert.equal(leadsTo(await come(browserWith(), "mock", { sub: "ada-there", email: "ada@example.com" })), "/");
});

test("a session that begins at Better Auth after the address was verified here is not taken over", async () => {
  const { before, browserWith, verifyMailbox, migration } = open();
  before.addUser("ada", { emailVerified: 0 });
  await verifyMailbox(browserWith(), "ada@example.com");
  assert.equal(await emailOf(browserWith(before.addSession("ada"))), null);
  before.addSession("ada");
  assert.deepEqual(await migration.copyAll(), { users: 1, sessions: 0 });
});

test("with sealed sessions, too, a password from before the address was verified is refused", async () => {
  const before = new BetterAuthTables();
  const migration = betterAuth({ adapter: memoryAdapter(), database: before.database, secret: OTHER_SECRET });
  const password = credentials({ credentials: { email: {}, password: {} }, authorize: migration.authorize });
  const { visitor, verifyMailbox } = openMultiProvider({
    adapter: migration.adapter,
    session: { strategy: "jwt" },
    providers: [password],
  });
  before.addUser("ada", { emailVerified: 0 });
  before.addPassword("ada", "of the intruder");
  const intruder = visitor();
  const fields = { email: "ada@example.com", password: "of the intruder" };
  await intruder.signIn("credentials", fields);
  assert.equal(await emailOf(intruder), "ada@example.com");
  await verifyMailbox(visitor(), "ada@example.com");
  const again = visitor();
  await again.signIn("credentials", fields);
  assert.equal(await emailOf(again), null);
});

test("a passkey that another process is copying does not open a user whose address was verified meanwhile", async () => {
  const { before, own, browserWith, verifyMailbox } = open();
  before.addUser("ada", { emailVerified: 0 });
  before.addPasskey("ada");
  let [resume, pause] = [() => {}, true];
  let copied: Promise<unknown> = Promise.resolve();
  const paused = new Promise<void>((resolve) => {
    const waiting = new Promise<void>((go) => resume = go);
    const other: CompleteAdapter = {
      ...own,
      async commit(plan) {
        if (pause && plan.createAuthenticator) {
          resolve();
          await waiting;
        }
        return await own.commit(plan);
      },
    };
    const process = betterAuth({ adapter: other, database: before.database, secret: OTHER_SECRET });
    copied = Promise.resolve(process.adapter.getUser("ada"));
  });
  await paused;
  await verifyMailbox(browserWith(), "ada@example.com");
  assert.deepEqual(await own.listAuthenticatorsByUserId("ada"), []);
  pause = false;
  resume();
  await copied;
  assert.deepEqual(await own.listAuthenticatorsByUserId("ada"), []);
});

test("what was removed here does not come back from Better Auth", async () => {
  const { before, migration, browserWith, come, signInWith } = open();
  before.addUser("ada");
  before.addAccount("ada");
  before.addPassword("ada", "correct horse");
  const { adapter } = migration;
  assert.equal((await adapter.getUserByAccount({ provider: "mock", providerAccountId: "ada-there" }))?.id, "ada");
  await adapter.unlinkAccount({ provider: "mock", providerAccountId: "ada-there" });
  assert.equal(await adapter.getUserByAccount({ provider: "mock", providerAccountId: "ada-there" }), null);
  await adapter.deleteUser("ada");
  assert.equal(await adapter.getUserByEmail("ada@example.com"), null);
  assert.equal(await signInWith(browserWith(), "ada@example.com", "correct horse"), REFUSED);
  const browser = browserWith();
  assert.equal(leadsTo(await come(browser, "mock", { sub: "ada-there", email: "ada@example.com" })), "/");
  assert.notEqual((await adapter.getUserByEmail("ada@example.com"))?.id, "ada");
});

test("after copyAll() everything goes on without the database of Better Auth", async () => {
  const { before, migration, own } = open();
  for (const id of ["ada", "bob"]) {
    before.addUser(id);
    before.addAccount(id);
  }
  const cookie = before.addSession("ada");
  before.addSession("bob", { expiresAt: new Date(Date.now() - 1000).toISOString() });
  assert.deepEqual(await migration.copyAll(), { users: 2, sessions: 1 });
  assert.deepEqual(await migration.copyAll(), { users: 2, sessions: 1 });
  before.database.close();
  const service = openMultiProvider({
    adapter: own,
    session: { migrateFrom: migration.sessions },
    idps: { mock: {} },
  });
  const browser = service.visitor();
  put(browser, cookie);
  assert.equal(await emailOf(browser), "ada@example.com");
  const bob = service.visitor();
  assert.equal(leadsTo(await service.come(bob, "mock", { sub: "bob-there" })), "/");
  assert.equal(await emailOf(bob), "bob@example.com");
});

test("copyAll() copies as many users as there are", async () => {
  const { before, migration, own } = open();
  for (let n = 0; n < 1201; n++) before.addUser(`user-${n}`);
  assert.equal((await migration.copyAll()).users, 1201);
  assert.equal((await own.getUser("user-1200"))?.email, "user-1200@example.com");
});

test("a copy that broke off is completed, whoever reads the user next", async () => {
  const before = new BetterAuthTables();
  before.addUser("ada");
  before.addAccount("ada");
  const memory = memoryAdapter();
  let failures = 1;
  const own: CompleteAdapter = {
    ...memory,
    commit(plan) {
      if (plan.linkAccount && failures-- > 0) throw new Error("gone away");
      return memory.commit(plan);
    },
  };
  const { adapter } = betterAuth({ adapter: own, database: before.database, secret: OTHER_SECRET });
  await assert.rejects(async () => await adapter.getUserByEmail("ada@example.com"), /gone away/);
  assert.equal((await adapter.getUserByEmail("ada@example.com"))?.id, "ada");
  assert.equal((await memory.getAccount("ada-there", "mock"))?.userId, "ada");
});

test("columns may have underscores, and tables other names", async () => {
  const names = { user: "users", account: "accounts", session: "sessions", passkey: "passkeys" };
  const tables = BETTER_AUTH_TABLES
    .replace(/"(user|account|session|passkey)"/g, (_, name: keyof typeof names) => `"${names[name]}"`)
    .replace(/"([a-z]+)([A-Z])([A-Za-z]*)"/g, (_, a: string, b: string, c: string) => `"${a}_${b.toLowerCase()}${c}"`);
  const { before, browserWith } = open({ tables: names }, tables);
  const time = new Date(Date.now() - HOUR).toISOString();
  const times = { created_at: time, updated_at: time };
  before.insert("users", { id: "ada", name: "Ada", email: "ada@example.com", email_verified: 1, ...times });
  const cookie = new BetterAuthTables();
  cookie.addUser("ada");
  const value = cookie.addSession("ada");
  const expires_at = new Date(Date.now() + HOUR).toISOString();
  before.insert("sessions", { id: "s", token: value.split(".")[0] ?? "", user_id: "ada", expires_at, ...times });
  assert.equal(await emailOf(browserWith(value)), "ada@example.com");
});

test("sessions of Better Auth are rows, so without an adapter or with sealed sessions the option is a problem", async () => {
  const { migration } = open();
  const { logger, errors } = recordLog();
  for (const config of [{}, { adapter: migration.adapter, session: { strategy: "jwt" as const } }]) {
    const session = { ...config.session, migrateFrom: migration.sessions };
    const { handler } = createAuth(testConfig({ ...config, logger, session }));
    assert.equal((await handler(new Request("http://localhost:3000/auth/session"))).status, 500);
    assert.match(errors.at(-1)?.message ?? "", /`session\.strategy: "database"`/);
  }
});

test("the default secret of Better Auth, which everybody knows, opens nothing", async () => {
  const secret = "better-auth-secret-12345678901234567890";
  const { before, browserWith, log } = open({ secret });
  before.addUser("ada");
  const answer = await browserWith(before.addSession("ada", {}, secret)).get("/auth/session").catch(() => null);
  assert.equal(answer, null);
  assert.ok(log.errors.length > 0);
});

test("an adapter over the tables of Better Auth is an error that says what to do", async () => {
  const before = new BetterAuthTables();
  before.addUser("ada");
  const own = sqliteAdapter(before.database);
  const { adapter, copyAll } = betterAuth({ adapter: own, database: before.database, secret: OTHER_SECRET });
  await assert.rejects(async () => await adapter.getUser("ada"), /same tables.*another file.*`tables`/);
  await assert.rejects(() => copyAll(), /same tables/);
  const names = { users: "people", accounts: "ways", sessions: "visits", verificationTokens: "links" };
  const tables = { ...names, authenticators: "keys", onceMarks: "marks" };
  const other = new BetterAuthTables();
  other.addUser("ada");
  const apart = { adapter: sqliteAdapter(other.database, { tables }), database: other.database };
  const migration = betterAuth({ ...apart, secret: OTHER_SECRET });
  assert.equal((await migration.adapter.getUser("ada"))?.email, "ada@example.com");
  assert.deepEqual(await migration.copyAll(), { users: 1, sessions: 0 });
});

test("a missing table, a foreign object and a malformed secret are errors that name the option", async () => {
  const { browserWith, before, log } = open({ tables: { session: "sessions" } });
  before.addUser("ada");
  await browserWith(before.addSession("ada")).get("/auth/session").catch(() => null);
  assert.match(inspect(log.errors[0]), /no table "sessions".*`tables`/);
  const adapter = memoryAdapter();
  const database = before.database;
  assert.throws(() => betterAuth({ adapter, database: null as never }), /`database` of `betterAuth\(\)`/);
  assert.throws(() => betterAuth({ adapter, database, secret: "" }), /`secret` of `betterAuth\(\)`/);
});
