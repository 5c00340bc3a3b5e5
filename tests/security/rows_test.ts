/** Rows of the catalogue that no other test is about; titles begin with their ids. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type AuthConfig, createAuth, type Session } from "@x/auth";
import { CredentialsSignin } from "@x/auth/errors";
import type { Site } from "../_support/browser.ts";
import { ADA, password, recordLog, testConfig } from "../_support/service.ts";
import { oauthIdp, start } from "./_flows.ts";
import {
  answerOf,
  ask,
  type Cookies,
  countRows,
  formToken,
  givesSession,
  keep,
  liveIssuer,
  locationOf,
  ORIGIN,
  providerOf,
} from "./_service.ts";

const rows = countRows("single rows");

const SESSION = "__Secure-authjs.session-token";

/** Signs somebody in by a password that everybody has. */
async function signIn(site: Site, username = "ada", before: Cookies = {}): Promise<Cookies> {
  const token = await formToken(site);
  const cookies = { ...before, ...token.cookies };
  const fields = { username, password: ADA.password, csrfToken: token.csrfToken };
  return keep(await ask(site, "/auth/callback/credentials", { cookies, fields }), cookies);
}

async function nameOf(site: Site, cookies: Cookies): Promise<string | null> {
  return (await (await ask(site, "/auth/session", { cookies })).json())?.user?.name ?? null;
}

/** A way in for everybody, by the name they type. */
const anybody = password({ authorize: ({ username }) => ({ id: String(username), name: String(username) }) });

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

test("V04: a target that cannot be parsed is the front page, and its cookie is replaced", async () => {
  const { handler } = createAuth(testConfig());
  for (const target of ["https://[", "%", "http://", "https://%", "https://a b/", "\u0000://"]) {
    const query = `?callbackUrl=${encodeURIComponent(target)}`;
    assert.equal((await ask(handler, `/auth/signin${query}`)).status, 200, target);
    assert.equal((await ask(handler, `/auth/signin`)).status, 200, target);
    rows(2);
  }
  const raw = ["?callbackUrl=%E0%A4%A", "?callbackUrl=%", "?callbackUrl"];
  for (const query of raw) assert.equal((await ask(handler, `/auth/signin${query}`)).status, 200, query);
  for (const value of ["https%3A%2F%2F%5B", "https://evil.test", "http://["]) {
    const name = "__Secure-authjs.callback-url";
    const response = await ask(handler, "/auth/signin", { cookies: { [name]: value } });
    assert.equal(keep(response, { [name]: value })[name], encodeURIComponent(`${ORIGIN}/`), value);
    rows();
  }
});

const NOTHING: Readonly<Record<string, () => AuthConfig | Promise<AuthConfig>>> = {
  "no secret": () => testConfig({ secret: "" }),
  "a configuration that throws": () => {
    throw new Error("no configuration");
  },
  "a configuration that rejects": () => Promise.reject(new Error("no configuration")),
  "a configuration that is none": () => null as unknown as AuthConfig,
  "a host that nobody trusts": () => testConfig({ trustHost: false }),
  "a provider without a client": () => testConfig({ providers: [{ id: "x", name: "X", type: "oidc" }] }),
  "a decoder that throws": () => testConfig({ jwt: { decode: () => Promise.reject(new Error("no")) } }),
  "a decoder that opens text": () => testConfig({ jwt: { decode: () => "text" as never } }),
  "a decoder that opens a list": () => testConfig({ jwt: { decode: () => [] as never } }),
  "a decoder that opens true": () => testConfig({ jwt: { decode: () => true as never } }),
  "callbacks.session that throws": () => testConfig({ callbacks: { session: () => Promise.reject(new Error("no")) } }),
  "callbacks.session that gives text": () => testConfig({ callbacks: { session: () => "text" as never } }),
  "callbacks.session that gives nothing": () => testConfig({ callbacks: { session: () => null as never } }),
  "callbacks.jwt that gives text": () => testConfig({ callbacks: { jwt: () => "text" as never } }),
};

for (const [name, config] of Object.entries(NOTHING)) {
  test(`V15: with ${name} nobody is signed in, and a guard lets nobody pass`, async () => {
    const cookies = await signIn(createAuth(testConfig({ providers: [anybody] })).handler);
    const { logger } = recordLog();
    const broken = createAuth(async () => {
      const made = await config();
      return made && { ...made, logger, callbacks: { authorized: ({ auth }) => auth !== null, ...made.callbacks } };
    });
    const headers = { cookie: `${SESSION}=${cookies[SESSION]}` };
    // Without a configuration the console is told, which is not what this is about.
    const { error, warn } = globalThis.console;
    Object.assign(globalThis.console, { error: () => {}, warn: () => {} });
    try {
      assert.equal(await broken.auth(new Request(ORIGIN, { headers })), null);
      const guarded = broken.auth(() => assert.fail("the handler ran"));
      const response = await guarded(new Request(`${ORIGIN}/private`, { headers }));
      assert.ok(response.status >= 300 && response.status !== 304, `${response.status}`);
      const shown = await ask(broken.handler, "/auth/session", { cookies, mayFail: true });
      const body = await shown.json();
      assert.ok(body === null || typeof body.message === "string", JSON.stringify(body));
    } finally {
      Object.assign(globalThis.console, { error, warn });
    }
    rows(3);
  });
}

test("V17: no answer may be kept by a cache, whatever it says", async () => {
  const { handler } = createAuth(testConfig({ providers: [password(), oauthIdp().provider] }));
  const paths = [
    "csrf",
    "session",
    "providers",
    "signin",
    "signout",
    "error",
    "verify-request",
    "signin/idp",
    "callback/idp",
    "nothing",
    "",
  ];
  for (const path of paths) {
    for (const method of ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]) {
      const { headers } = await ask(handler, `/auth/${path}`, { method });
      assert.equal(headers.get("cache-control"), "private, no-store");
      assert.equal(headers.get("vary"), "Cookie");
      rows();
    }
  }
});

test("V22: whoever callbacks.signIn does not let in has no session, in any way it can say so", async () => {
  const idp = oauthIdp();
  const answers: readonly (() => unknown)[] = [
    () => false,
    () => "",
    () => "/denied",
    () => undefined,
    () => null,
    () => 0,
    () => 1,
    () => ({}),
    () => [],
    () => "true",
    () => Promise.resolve(false),
    () => Promise.reject(new Error("no")),
    () => Promise.reject(undefined),
    () => {
      throw new Error("no");
    },
    () => {
      throw new CredentialsSignin("no");
    },
  ];
  for (const answer of answers) {
    const { handler } = createAuth(
      testConfig({ providers: [anybody, idp.provider], callbacks: { signIn: answer as () => boolean } }),
    );
    assert.ok(!(SESSION in await signIn(handler)), String(answer));
    const { cookies, location } = await start(handler);
    const path = await answerOf(idp.issuer, location);
    assert.ok(!givesSession(await ask(handler, path, { cookies })), String(answer));
    rows(2);
  }
});

test("V39: an answer does not tell whether somebody exists", async () => {
  const known = new Map([["ada", "right"]]);
  const { handler } = createAuth(testConfig({
    providers: [
      password({
        authorize: ({ username, password }) => known.get(String(username)) === password ? { id: "1" } : null,
      }),
    ],
  }));
  const { csrfToken, cookies } = await formToken(handler);
  const tell = async (username: string) => {
    const fields = { csrfToken, username, password: "wrong" };
    const response = await ask(handler, "/auth/callback/credentials", { cookies, fields });
    return JSON.stringify([response.status, [...response.headers], await response.text()]);
  };
  const first = await tell("ada");
  for (const name of ["eve", "", "ADA", "ada ", "__proto__", "constructor", "a".repeat(1000), "é"]) {
    assert.equal(await tell(name), first, name);
    rows();
  }
});

test("V40: requests for two hosts at once each see their own, and change no configuration", async () => {
  const config = testConfig({ providers: [password(), oauthIdp().provider] });
  const before = JSON.stringify(config);
  const { handler } = createAuth(async () => {
    await pause(Math.random() * 5);
    return config;
  });
  const hosts = ["one.test", "two.test"];
  await Promise.all(Array.from({ length: 100 }, async (_, at) => {
    const host = hosts[at % 2] ?? "";
    const headers = { "x-forwarded-host": host };
    const listed = await (await ask(handler, "/auth/providers", { headers })).json();
    assert.equal(listed.idp.callbackUrl, `https://${host}/auth/callback/idp`);
    const response = await ask(handler, "/auth/signout", {
      headers,
      fields: { callbackUrl: `https://${hosts[(at + 1) % 2]}/` },
    });
    assert.ok(locationOf(response).startsWith(`https://${host}/`));
    rows(2);
  }));
  assert.equal(JSON.stringify(config), before);
});

test("V45: two hundred first requests in one tick each read their own session", async () => {
  const config = testConfig({ providers: [anybody] });
  const { handler } = createAuth(config);
  const people = await Promise.all(Array.from({ length: 200 }, (_, at) => signIn(handler, `person-${at}`)));
  const cold = createAuth({ ...config }).handler;
  const names = await Promise.all(people.map((cookies) => nameOf(cold, cookies)));
  assert.deepEqual(names, people.map((_, at) => `person-${at}`));
  rows(200);
});

const RESERVED = (
  "redirect_uri client_id client_secret client_assertion client_assertion_type response_type response_mode state nonce " +
  "code_challenge code_challenge_method request request_uri REDIRECT_URI redirect_uri[] redirect.uri Client-Id"
).split(" ");

test("V46: a query chooses none of the protocol's own parameters", async () => {
  const issuer = liveIssuer();
  const { handler } = createAuth(
    testConfig({ providers: [providerOf(issuer, { checks: ["pkce", "state", "nonce"] })] }),
  );
  const { csrfToken, cookies } = await formToken(handler);
  const startWith = (query: string) => ask(handler, `/auth/signin/idp${query}`, { cookies, fields: { csrfToken } });
  const honest = new URL(locationOf(await startWith("")));
  for (const name of RESERVED) {
    const response = await startWith(`?${encodeURIComponent(name)}=https://evil.test`);
    const params = locationOf(response).startsWith("https://idp.test/")
      ? new URL(locationOf(response)).searchParams
      : null;
    assert.equal(params, null, name);
    assert.equal(response.status, 400, name);
    rows();
  }
  const asked = new URL(
    locationOf(await startWith("?prompt=login&login_hint=ada&scope=openid&callbackUrl=/x&csrfToken=y")),
  );
  assert.deepEqual(["prompt", "login_hint", "scope"].map((name) => asked.searchParams.get(name)), [
    "login",
    "ada",
    "openid",
  ]);
  for (const name of ["redirect_uri", "client_id", "response_type", "code_challenge_method"]) {
    assert.equal(asked.searchParams.get(name), honest.searchParams.get(name), name);
  }
  assert.equal(asked.searchParams.has("csrfToken") || asked.searchParams.has("callbackUrl"), false);
  rows(5);
});

test("V51: a sign-in makes a session of its own, whatever the browser had before", async () => {
  const { handler } = createAuth(testConfig({ providers: [anybody, oauthIdp().provider] }));
  const eve = await signIn(handler, "eve");
  const planted: Readonly<Record<string, Cookies>> = {
    "the session of somebody else": { [SESSION]: eve[SESSION] ?? "" },
    "garbage": { [SESSION]: "garbage" },
    "chunks of somebody else": { [`${SESSION}.0`]: eve[SESSION] ?? "", [`${SESSION}.1`]: "x" },
  };
  for (const [what, cookies] of Object.entries(planted)) {
    const after = await signIn(handler, "ada", cookies);
    assert.notEqual(after[SESSION], cookies[SESSION], what);
    assert.equal(await nameOf(handler, after), "ada", what);
    assert.deepEqual(Object.keys(after).filter((name) => name.startsWith(`${SESSION}.`)), [], what);
    const again = await signIn(handler, "ada", after);
    assert.notEqual(again[SESSION], after[SESSION], what);
    rows(2);
  }
});

test("V54: every flow has a state, a nonce and a challenge of its own", async () => {
  const issuer = liveIssuer();
  const { handler } = createAuth(
    testConfig({ providers: [providerOf(issuer, { checks: ["pkce", "state", "nonce"] })] }),
  );
  const { csrfToken, cookies } = await formToken(handler);
  const seen = new Set<string>();
  const flows = 1000;
  for (let flow = 0; flow < flows; flow++) {
    const response = await ask(handler, "/auth/signin/idp", { cookies, fields: { csrfToken } });
    const { searchParams } = new URL(locationOf(response));
    for (const name of ["state", "nonce", "code_challenge"]) {
      const value = searchParams.get(name) ?? "";
      assert.match(value, /^[\w-]{43}$/);
      seen.add(value);
    }
    rows();
  }
  assert.equal(seen.size, 3 * flows);
});

test("V56: nothing but a form starts a flow", async () => {
  const { handler } = createAuth(testConfig({ providers: [oauthIdp().provider] }));
  const { csrfToken, cookies } = await formToken(handler);
  for (const method of ["GET", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE"]) {
    for (const query of ["", `?csrfToken=${csrfToken}`, `?csrfToken=${csrfToken}&callbackUrl=/x`]) {
      const response = await ask(handler, `/auth/signin/idp${query}`, { method, cookies });
      assert.ok([200, 405].includes(response.status), `${method} ${response.status}`);
      assert.equal(locationOf(response), "");
      assert.ok(response.headers.getSetCookie().every((cookie) => !cookie.includes("authjs.state")), method);
      rows();
    }
  }
});

test("V60: a thousand requests at once each read their own session", async () => {
  const { handler, auth } = createAuth(testConfig({
    providers: [anybody],
    session: { updateAge: 0 },
    callbacks: {
      jwt: async ({ token }) => {
        await pause(Math.random() * 10);
        return token;
      },
      session: async ({ session }) => {
        await pause(Math.random() * 10);
        return session;
      },
    },
  }));
  const people = await Promise.all(Array.from({ length: 500 }, (_, at) => signIn(handler, `person-${at}`)));
  await Promise.all([...people, ...people].map(async (cookies, at) => {
    const expected = `person-${at % 500}`;
    const response = await ask(handler, "/auth/session", { cookies });
    const session: Session | null = await response.json();
    assert.equal(session?.user?.name, expected);
    const headers = { cookie: `${SESSION}=${keep(response)[SESSION]}` };
    assert.equal((await auth(new Request(ORIGIN, { headers })))?.user?.name, expected, "its renewed cookie too");
    rows(2);
  }));
});

test("V61: an account is known by the provider's id alone, whatever the address says", async () => {
  const issuer = liveIssuer();
  const accounts: (string | undefined)[] = [];
  const { handler } = createAuth(testConfig({
    providers: [providerOf(issuer, { checks: ["pkce"] })],
    events: { signIn: ({ account }) => void accounts.push(account?.providerAccountId) },
  }));
  const told = [
    { sub: "a", email: "ada@x.test" },
    { sub: "a", email: "other@x.test" },
    { sub: "b", email: "ada@x.test" },
    { sub: "A", email: "ada@x.test" },
    { sub: "é", email: "ada@x.test" },
    { sub: "e\u0301", email: "ada@x.test" },
  ];
  for (const claims of told) {
    issuer.claim(claims);
    const { cookies, location } = await start(handler);
    await ask(handler, await answerOf(issuer, location), { cookies });
    rows();
  }
  assert.deepEqual(accounts, told.map(({ sub }) => sub));
});

test("V65: no header moves the addresses of a service whose host is configured, nor takes its https away", async () => {
  const headers = [
    "Host",
    "X-Forwarded-Host",
    "Forwarded",
    "X-Host",
    "X-Original-URL",
    "X-Forwarded-Server",
    "X-Forwarded-Proto",
    "X-HTTP-Host-Override",
  ];
  const { handler } = createAuth(testConfig({ providers: [oauthIdp().provider] }));
  const lists = [
    "evil.test, app.test",
    "app.test,evil.test",
    "evil.test/path",
    "evil.test?x",
    "user@evil.test",
    "evil test",
    "evil.test#",
    "[::1",
    "evil.test\\",
    "-",
  ];
  for (const value of lists) {
    const listed = await (await ask(handler, "/auth/providers", { headers: { "x-forwarded-host": value } })).json();
    const { hostname } = new URL(listed.idp.callbackUrl);
    assert.ok(hostname === "app.test" || hostname === value, value);
    rows();
  }
  for (const name of headers) {
    const response = await ask(handler, "/auth/csrf", { headers: { [name]: "http" } });
    const [cookie = ""] = response.headers.getSetCookie();
    assert.ok(cookie.startsWith("__Host-") && cookie.includes("; Secure"), name);
    rows();
  }
  const untrusting = createAuth(testConfig({ trustHost: false, providers: [oauthIdp().provider] })).handler;
  assert.equal(
    (await ask(untrusting, "/auth/providers", { headers: { "x-forwarded-host": "evil.test" }, mayFail: true })).status,
    500,
  );
  rows();
});
