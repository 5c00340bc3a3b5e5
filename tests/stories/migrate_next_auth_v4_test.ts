/** People who are signed in to next-auth 4 when its service is replaced by this one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EncryptJWT } from "jose";
import { type AuthConfig, createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { nextAuthV4 } from "@x/auth/migrate/next-auth-v4";
import { Browser } from "../_support/browser.ts";
import { ADA, recordLog, SECRET, testConfig } from "../_support/service.ts";

const COOKIE = "next-auth.session-token";
const NAME = "authjs.session-token";
const GRACE = { name: "Grace", email: "grace@example.com", picture: "https://example.com/grace.png", sub: "7" };

interface Sealing {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly secret?: string;
  readonly info?: string;
  /** Seconds from now. */
  readonly exp?: number | null;
}

/** Seals claims as next-auth 4 does. */
async function seal(options: Sealing = {}): Promise<string> {
  const { claims = GRACE, secret = SECRET, info = "NextAuth.js Generated Encryption Key", exp = 3600 } = options;
  const utf8 = (text: string) => new TextEncoder().encode(text);
  const ikm = await crypto.subtle.importKey("raw", utf8(secret), "HKDF", false, ["deriveBits"]);
  const params = { name: "HKDF", hash: "SHA-256", salt: utf8(""), info: utf8(info) };
  const key = new Uint8Array(await crypto.subtle.deriveBits(params, ikm, 256));
  const now = Math.floor(Date.now() / 1000);
  const token = new EncryptJWT({ ...claims, iat: now - 60, jti: "1", ...(exp !== null && { exp: now + exp }) });
  return await token.setProtectedHeader({ alg: "dir", enc: "A256GCM" }).encrypt(key);
}

function open(config: AuthConfig = {}, options = {}): Browser {
  const { handler } = createAuth(testConfig({ session: { migrateFrom: nextAuthV4(options) }, ...config }));
  return new Browser(handler);
}

function put(browser: Browser, value: string, name = COOKIE): void {
  browser.cookies.store(`${name}=${encodeURIComponent(value)}; Path=/; HttpOnly; SameSite=Lax`, browser.url);
}

test("whoever is signed in to next-auth 4 stays signed in, and has a cookie of this service afterwards", async () => {
  const browser = open();
  put(browser, await seal());
  const session = await browser.session();
  assert.deepEqual(session?.user, { name: GRACE.name, email: GRACE.email, image: GRACE.picture });
  assert.deepEqual(browser.cookies.names(), [NAME]);
  assert.deepEqual((await browser.session())?.user, session?.user);
});

test("a session of next-auth 4 in several cookies is joined, and all of them are removed", async () => {
  const browser = open();
  const value = await seal({ claims: { ...GRACE, text: "x".repeat(4000) } });
  put(browser, value.slice(0, 3933), `${COOKIE}.0`);
  put(browser, value.slice(3933), `${COOKIE}.1`);
  assert.equal((await browser.session())?.user?.name, "Grace");
  assert.deepEqual(browser.cookies.names("next-auth"), []);
});

test("over https the cookie of next-auth 4 has the prefix __Secure-", async () => {
  const { handler } = createAuth(testConfig({ session: { migrateFrom: nextAuthV4() } }));
  const browser = new Browser(handler, { origin: "https://app.test" });
  browser.cookies.store(`__Secure-${COOKIE}=${await seal()}; Path=/; Secure`, browser.url);
  assert.equal((await browser.session())?.user?.name, "Grace");
  assert.deepEqual(browser.cookies.names(), [`__Secure-${NAME}`]);
  const plain = new Browser(handler, { origin: "https://app.test" });
  plain.cookies.store(`${COOKIE}=${await seal()}; Path=/`, plain.url);
  assert.equal(await plain.session(), null);
});

test("auth() reads a session of next-auth 4 that it cannot replace yet", async () => {
  const { auth } = createAuth(testConfig({ session: { migrateFrom: nextAuthV4() } }));
  const headers = { cookie: `${COOKIE}=${await seal()}` };
  const session = await auth(new Request("http://localhost:3000/", { headers }));
  assert.equal(session?.user?.name, "Grace");
});

test("auth(handler) gives the session of next-auth 4, and replaces the cookie on the answer", async () => {
  const { auth } = createAuth(testConfig({ session: { migrateFrom: nextAuthV4() } }));
  const site = auth((_, session) => new Response(session?.user?.name ?? "nobody"));
  const browser = new Browser(site, { application: true });
  put(browser, await seal());
  assert.equal((await browser.open("/")).html, "Grace");
  assert.deepEqual(browser.cookies.names(), [NAME]);
});

const REFUSED: Readonly<Record<string, Sealing>> = {
  "with another secret": { secret: "another secret of 32 characters or more" },
  "for another purpose": { info: "NextAuth.js Generated Encryption Key (authjs.session-token)" },
  "that has expired": { exp: -60 },
  "without an end": { exp: null },
};

for (const [name, sealing] of Object.entries(REFUSED)) {
  test(`a session of next-auth 4 that was sealed ${name} is nobody's`, async () => {
    const browser = open();
    put(browser, await seal(sealing));
    assert.equal(await browser.session(), null);
    assert.deepEqual(browser.cookies.names(NAME), []);
  });
}

test("a forged session of next-auth 4 is nobody's", async () => {
  const browser = open();
  const value = await seal();
  put(browser, value.slice(0, -2) + (value.endsWith("AA") ? "BA" : "AA"));
  assert.equal(await browser.session(), null);
});

test("without the option no cookie of next-auth 4 is read or removed", async () => {
  const browser = open({ session: {} });
  put(browser, await seal());
  assert.equal(await browser.session(), null);
  assert.deepEqual(browser.cookies.names(), [COOKIE]);
});

test("the secret of next-auth 4 may be another one, or one of several", async () => {
  const old = "the old secret of 32 characters or more";
  const browser = open({}, { secret: ["one more secret, 32 characters or more", old] });
  put(browser, await seal({ secret: old }));
  assert.equal((await browser.session())?.user?.name, "Grace");
  put(browser, await seal());
  assert.equal((await browser.session())?.user?.name, "Grace");
  assert.throws(() => nextAuthV4({ secret: "" }), /`secret` of `nextAuthV4\(\)`/);
});

test("whoever signs out is not signed in again by a cookie of next-auth 4", async () => {
  const browser = open();
  put(browser, await seal());
  const csrfToken = await browser.csrf();
  await browser.post("/auth/signout", { csrfToken });
  assert.deepEqual(browser.cookies.names("session-token"), []);
  assert.equal(await browser.session(), null);
});

test("signing in removes a cookie of next-auth 4, so that the former user does not come back", async () => {
  const browser = open();
  put(browser, await seal());
  const csrfToken = await browser.csrf();
  await browser.post("/auth/callback/credentials", { ...ADA, csrfToken });
  assert.equal((await browser.session())?.user?.name, "Ada Lovelace");
  assert.deepEqual(browser.cookies.names("next-auth"), []);
});

test("a later sign-in at next-auth 4 wins over an earlier one here", async () => {
  const browser = open();
  await browser.signIn("credentials", ADA);
  put(browser, await seal());
  assert.equal((await browser.session())?.user?.name, "Grace");
  await browser.signOut();
  assert.equal(await browser.session(), null);
});

test("the jwt callback may end a session of next-auth 4", async () => {
  const browser = open({ callbacks: { jwt: ({ token }) => token.sub === "7" ? null : token } });
  put(browser, await seal());
  assert.equal(await browser.session(), null);
  assert.deepEqual(browser.cookies.names(), []);
});

test("with stored sessions the token of next-auth 4 goes on under our name, until somebody signs out", async () => {
  const adapter = memoryAdapter();
  await adapter.createUser({ id: "7", name: "Grace", email: GRACE.email, emailVerified: null });
  const expires = new Date(Date.now() + 60 * 60 * 1000);
  await adapter.createSession({ sessionToken: "of-next-auth", userId: "7", expires });
  const browser = open({ adapter });
  put(browser, "of-next-auth");
  assert.equal((await browser.session())?.user?.name, "Grace");
  assert.equal(browser.cookies.get(NAME)?.value, "of-next-auth");
  assert.deepEqual(browser.cookies.names("next-auth"), []);
  await browser.signOut();
  put(browser, "of-next-auth");
  assert.equal(await browser.session(), null);
  assert.deepEqual(await adapter.listSessionsByUserId("7"), []);
});

test("with stored sessions the cookie may keep the name it has in next-auth 4, so that both read it", async () => {
  const adapter = memoryAdapter();
  await adapter.createUser({ id: "7", name: "Grace", email: GRACE.email, emailVerified: null });
  const expires = new Date(Date.now() + 60 * 60 * 1000);
  await adapter.createSession({ sessionToken: "of-next-auth", userId: "7", expires });
  const browser = open({ adapter, session: {}, cookies: { sessionToken: { name: COOKIE } } });
  put(browser, "of-next-auth");
  assert.equal((await browser.session())?.user?.name, "Grace");
  assert.equal(browser.cookies.get(COOKIE)?.value, "of-next-auth");
});

test("signing out with a token of next-auth 4 that was never replaced removes its row", async () => {
  const adapter = memoryAdapter();
  await adapter.createUser({ id: "7", email: GRACE.email, emailVerified: null });
  const expires = new Date(Date.now() + 60 * 60 * 1000);
  for (const sessionToken of ["theirs", "ours"]) await adapter.createSession({ sessionToken, userId: "7", expires });
  const browser = open({ adapter });
  put(browser, "theirs");
  put(browser, "ours", NAME);
  const csrfToken = await browser.csrf();
  await browser.post("/auth/signout", { csrfToken });
  assert.deepEqual(await adapter.listSessionsByUserId("7"), []);
  assert.deepEqual(browser.cookies.names("session-token"), []);
});

test("a value that is no source of sessions is a problem that names the option", async () => {
  const { logger, errors } = recordLog();
  const migrateFrom = { cookies: [{ name: COOKIE }], read: () => null };
  const { handler } = createAuth(testConfig({ logger, session: { migrateFrom } }));
  assert.equal((await handler(new Request("http://localhost:3000/auth/session"))).status, 500);
  assert.match(errors[0]?.message ?? "", /`session\.migrateFrom`.*`adapter`/);
});
