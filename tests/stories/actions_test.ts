import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { type AuthConfig, createAuth, type Settled, withCookies } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { AuthError, CredentialsSignin } from "@x/auth/errors";
import { Browser } from "../_support/browser.ts";
import { type IdentityProvider, logIn, startIdentityProvider } from "../_support/identity_provider.ts";
import { mailbox } from "../_support/mailbox.ts";
import { ADA, password, recordLog, testConfig } from "../_support/service.ts";

let idp: IdentityProvider;
before(async () => {
  idp = await startIdentityProvider();
});
after(() => idp.close());

function open(config: AuthConfig = {}): { service: ReturnType<typeof createAuth>; browser: Browser } {
  const service = createAuth(testConfig({ providers: [password(), idp.provider()], ...config }));
  return { service, browser: new Browser(service.handler).allow(idp.issuer) };
}

/** A request to a page of the application, with the cookies of a browser. */
function requestOf(browser: Browser, path: string, init: RequestInit = {}): Request {
  const url = new URL(path, browser.origin);
  const headers = new Headers(init.headers);
  const cookie = browser.cookies.headerFor(url, { sameSite: true, safe: true });
  if (cookie) headers.set("cookie", cookie);
  return new Request(url, { ...init, headers });
}

/** Does with an answer what a browser does with it. */
function keep(browser: Browser, { headers }: Response): void {
  for (const cookie of headers.getSetCookie()) browser.cookies.store(cookie, new URL(browser.origin));
}

function names({ cookies }: Settled<unknown>): string[] {
  return cookies.map(({ name }) => name);
}

test("signIn() without a provider redirects to the sign-in page, which leads back", async () => {
  const { service, browser } = open();
  const answer = await service.signIn(requestOf(browser, "/cart?item=1"));
  assert.equal(answer.status, 302);
  const location = new URL(answer.headers.get("location") ?? "");
  assert.equal(location.pathname, "/auth/signin");
  assert.equal(location.searchParams.get("callbackUrl"), "http://localhost:3000/cart?item=1");
});

test("signIn() with a provider redirects there, and leads back", async () => {
  const { service, browser } = open();
  const answer = await service.signIn(requestOf(browser, "/cart"), "mock", {}, { login_hint: "ada" });
  keep(browser, answer);
  const location = answer.headers.get("location") ?? "";
  assert.equal(new URL(location).searchParams.get("login_hint"), "ada");
  await logIn(browser, "ada", location);
  assert.equal(browser.url.pathname, "/cart");
  assert.equal((await browser.session())?.user?.name, "Ada Lovelace");
});

test("signIn() with redirect false gives the URL and the cookies", async () => {
  const { service, browser } = open();
  const request = requestOf(browser, "/");
  const started = await service.signIn(request, "mock", { redirect: false, redirectTo: "/cart" });
  assert.ok(started.value.startsWith(`${idp.issuer}/auth?`), started.value);
  assert.ok(names(started).some((name) => name.startsWith("authjs.state.")));
});

for (
  const params of ["prompt=login", { prompt: "login" }, new URLSearchParams("prompt=login"), [["prompt", "login"]]]
) {
  test(`signIn() takes parameters as ${params.constructor.name}`, async () => {
    const { service, browser } = open();
    const options = { redirect: false } as const;
    const { value } = await service.signIn(requestOf(browser, "/"), "mock", options, params as string);
    assert.equal(new URL(value).searchParams.get("prompt"), "login");
  });
}

test("signIn() repeats the values of a list, and joins those of parameters that hold lists themselves", async () => {
  const { service, browser } = open();
  const params = { resource: ["https://one.test", "https://two.test"], ui_locales: ["de", "en"] };
  const { value } = await service.signIn(requestOf(browser, "/"), "mock", { redirect: false }, params);
  const { searchParams } = new URL(value);
  assert.deepEqual(searchParams.getAll("resource"), params.resource);
  assert.deepEqual(searchParams.getAll("ui_locales"), ["de en"]);
});

test("signIn() with credentials completes the sign-in", async () => {
  const { service, browser } = open();
  const answer = await service.signIn(requestOf(browser, "/login"), "credentials", { ...ADA, redirectTo: "/cart" });
  assert.equal(answer.headers.get("location"), "http://localhost:3000/cart");
  keep(browser, answer);
  assert.equal((await browser.session())?.user?.name, "Ada Lovelace");
});

test("signIn() takes a FormData", async () => {
  const { service, browser } = open();
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...ADA, redirectTo: "/cart" })) form.set(name, value);
  const request = requestOf(browser, "/login", { method: "POST", headers: { referer: "http://localhost:3000/login" } });
  const answer = await service.signIn(request, "credentials", form);
  assert.equal(answer.headers.get("location"), "http://localhost:3000/cart");
});

test("signIn() from a form leads back to the page of the form", async () => {
  const { service, browser } = open();
  const request = requestOf(browser, "/act", { method: "POST", headers: { referer: "http://localhost:3000/login" } });
  const answer = await service.signIn(request, "credentials", ADA);
  assert.equal(answer.headers.get("location"), "http://localhost:3000/login");
});

test("signIn() from a form without a Referer leads to the front page", async () => {
  const { service, browser } = open();
  const answer = await service.signIn(requestOf(browser, "/act?x=1", { method: "POST" }), "credentials", ADA);
  assert.equal(answer.headers.get("location"), "http://localhost:3000/");
});

test("signIn() with wrong credentials throws and logs the error", async () => {
  const { logger, errors } = recordLog();
  const { service, browser } = open({ logger });
  const wrong = { username: "ada", password: "guess" };
  await assert.rejects(
    () => service.signIn(requestOf(browser, "/login"), "credentials", wrong),
    (error) => error instanceof CredentialsSignin && error.code === "credentials",
  );
  assert.equal(errors.length, 1);
});

test("signIn() with a provider that does not exist throws and names it", async () => {
  const { service, browser } = open();
  await assert.rejects(
    () => service.signIn(requestOf(browser, "/"), "nobody"),
    (error) => error instanceof AuthError && error.type === "InvalidProvider" && error.message.includes("nobody"),
  );
});

test("signOut() ends the session and redirects to redirectTo", async () => {
  const { service, browser } = open();
  await browser.signIn("credentials", ADA);
  const answer = await service.signOut(requestOf(browser, "/"), { redirectTo: "/bye" });
  assert.equal(answer.headers.get("location"), "http://localhost:3000/bye");
  keep(browser, answer);
  assert.equal(await browser.session(), null);
});

test("signOut() with redirect false gives the URL and the removed cookies", async () => {
  const { service, browser } = open();
  await browser.signIn("credentials", ADA);
  const ended = await service.signOut(requestOf(browser, "/account"), { redirect: false });
  assert.equal(ended.value, "http://localhost:3000/account");
  const removal = ended.cookies.find(({ name }) => name === "authjs.session-token");
  assert.deepEqual([removal?.value, removal?.options.maxAge], ["", 0]);
});

test("signIn() takes `redirect` in a FormData for a field", async () => {
  const seen: unknown[] = [];
  const provider = password({
    authorize(fields) {
      seen.push(fields);
      return { id: "1", name: "Ada Lovelace" };
    },
  });
  const { service, browser } = open({ providers: [provider] });
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...ADA, redirect: "false", redirectTo: "/cart" })) form.set(name, value);
  const answer: unknown = await service.signIn(requestOf(browser, "/login", OWN_FORM), "credentials", form);
  assert.ok(answer instanceof Response, "a visitor does not choose what signIn gives");
  assert.equal(answer.headers.get("location"), "http://localhost:3000/cart");
  const spread = { ...Object.fromEntries(form) };
  const second: unknown = await service.signIn(requestOf(browser, "/login", OWN_FORM), "credentials", spread);
  assert.ok(second instanceof Response);
  const third = await service.signIn(requestOf(browser, "/login", OWN_FORM), "credentials", {
    ...spread,
    redirect: false,
  });
  assert.equal(third.value, "http://localhost:3000/cart");
  assert.deepEqual(seen, [{ ...ADA, redirect: "false" }, { ...ADA, redirect: "false" }, ADA]);
});

/** A form of this site, as browsers send it. */
const OWN_FORM: RequestInit = {
  method: "POST",
  headers: { "origin": "http://localhost:3000", "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate" },
};

/** What another site can make a browser send. */
const FOREIGN: readonly (readonly [name: string, init: RequestInit])[] = [
  ["a form of another site", {
    method: "POST",
    headers: { "origin": "https://evil.test", "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
  }],
  ["a form of another site in a browser without Sec-Fetch-Site", {
    method: "POST",
    headers: { origin: "https://evil.test" },
  }],
  ["a form of a sandboxed page", { method: "POST", headers: { origin: "null" } }],
  ["a form without Origin", { method: "POST", headers: { "sec-fetch-site": "cross-site" } }],
  ["a form of a sibling", {
    method: "POST",
    headers: { "origin": "http://blog.localhost:3000", "sec-fetch-site": "same-site" },
  }],
  ["a form of another port", {
    method: "POST",
    headers: { "origin": "http://localhost:4000", "sec-fetch-site": "same-site" },
  }],
  ["a form of which only the referrer is known", { method: "POST", headers: { referer: "https://evil.test/x" } }],
  ["a script of another site", { headers: { "origin": "https://evil.test", "sec-fetch-mode": "cors" } }],
  ["a picture of another site", { headers: { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" } }],
];

/** Visits that another site can cause. */
const VISITS: readonly (readonly [name: string, headers: Readonly<Record<string, string>>])[] = [
  ["a link of another site", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }],
  ["a link of another site, without a mode", { "sec-fetch-site": "cross-site" }],
  ["a link of a sibling", { "sec-fetch-site": "same-site", "sec-fetch-mode": "navigate" }],
  ["a link of which only the referrer is known", { referer: "https://evil.test/" }],
];

function assertForeign(error: unknown): true {
  assert.ok(error instanceof AuthError);
  assert.equal(error.type, "MissingCSRF");
  assert.match(error.message, /http:\/\/localhost:3000/, "the origin that was wanted");
  return true;
}

for (const [name, init] of FOREIGN) {
  test(`${name} starts no sign-in, neither with a provider nor without`, async () => {
    const { service, browser } = open();
    for (const provider of ["mock", "credentials", undefined]) {
      await assert.rejects(service.signIn(requestOf(browser, "/hello", init), provider, ADA), assertForeign);
    }
  });
}

for (const [name, init] of [...FOREIGN, ...VISITS.map(([name, headers]) => [name, { headers }] as const)]) {
  test(`${name} ends and changes no session`, async () => {
    const changes: unknown[] = [];
    const { service, browser } = open({
      callbacks: {
        jwt({ token, trigger, session }) {
          if (trigger === "update") changes.push(session);
          return token;
        },
      },
      events: { signOut: (message) => void changes.push(message) },
    });
    await browser.signIn("credentials", ADA);
    await assert.rejects(service.signOut(requestOf(browser, "/bye", init)), assertForeign);
    await assert.rejects(service.signOut(requestOf(browser, "/bye", init), { redirect: false }), assertForeign);
    const patch = { user: { name: "Mallory" } };
    await assert.rejects(service.update(requestOf(browser, "/", init), patch), assertForeign);
    await assert.rejects(service.unstable_update(requestOf(browser, "/", init), patch), assertForeign);
    assert.deepEqual(changes, []);
    assert.equal((await browser.session())?.user?.name, "Ada Lovelace");
  });
}

for (const [name, headers] of VISITS) {
  test(`${name} signs nobody in with credentials and sends no email`, async () => {
    const asked: unknown[] = [];
    const box = mailbox();
    const provider = password({ authorize: (fields) => (asked.push(fields), { id: "mallory" }) });
    const { service, browser } = open({ providers: [provider, box.provider], adapter: memoryAdapter() });
    const link = () => requestOf(browser, "/hello?username=mallory", { headers });
    await assert.rejects(service.signIn(link(), "credentials", { username: "mallory" }), assertForeign);
    await assert.rejects(service.signIn(link(), "email", { email: "mallory@example.com" }), assertForeign);
    assert.deepEqual([...asked, ...box.mails], []);
  });
}

interface Linked {
  readonly accounts: readonly string[];
  readonly name: string | null | undefined;
}

/** Ada, who is signed in, sends a request that starts a sign-in, and somebody's account comes back. */
async function startSignedIn(init: RequestInit): Promise<Linked> {
  const adapter = memoryAdapter();
  const box = mailbox();
  const { service, browser } = open({ adapter, providers: [idp.provider(), box.provider] });
  await browser.signIn("email", { email: "ada@example.com" });
  await browser.open(box.link().href);
  const ada = await adapter.getUserByEmail("ada@example.com");
  assert.ok(ada);
  const answer = await service.signIn(requestOf(browser, "/hello", init), "mock", { redirectTo: "/" });
  keep(browser, answer);
  await logIn(browser, "grace", answer.headers.get("location") ?? "");
  const accounts = await adapter.listAccountsByUserId(ada.id);
  const session = await browser.session();
  return { accounts: accounts.map(({ provider }) => provider), name: session?.user?.name };
}

for (
  const [name, headers] of [
    ...VISITS,
    ["a link in a mail, or an address that was typed", { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" }],
    ["a visit of which nothing is known", {}],
    ["a visit that an address of this site led to", { "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate" }],
    ["a visit that a page of this site led to", { referer: "http://localhost:3000/members" }],
  ] as const
) {
  test(`${name} may start a sign-in, which adds nothing to whoever is signed in`, async () => {
    const { accounts, name } = await startSignedIn({ headers });
    assert.deepEqual(accounts, []);
    assert.equal(name, "Grace Hopper");
  });
}

test("a form of which nothing is known may start a sign-in, which adds nothing to whoever is signed in", async () => {
  assert.deepEqual((await startSignedIn({ method: "POST" })).accounts, []);
});

for (
  const [name, headers] of [
    ["a form of this site", OWN_FORM.headers],
    ["a form of this site in a browser without Sec-Fetch-Site", { origin: "http://localhost:3000" }],
    ["a form of this site in a browser without Origin", { "sec-fetch-site": "same-origin" }],
    ["a form of this site in a browser with a referrer alone", { referer: "http://localhost:3000/members" }],
  ] as const
) {
  test(`${name} adds the account to whoever is signed in, and may sign out`, async () => {
    const init = { method: "POST", ...(headers && { headers }) };
    assert.deepEqual((await startSignedIn(init)).accounts, ["mock"]);
    const { service, browser } = open();
    await browser.signIn("credentials", ADA);
    keep(browser, await service.signOut(requestOf(browser, "/bye", init)));
    assert.equal(await browser.session(), null);
  });
}

test("update() passes the patch to callbacks.jwt and gives the new session", async () => {
  const { service, browser } = open({
    callbacks: {
      jwt: ({ token, trigger, session }) => {
        return trigger === "update" ? { ...token, name: (session as { user: { name: string } }).user.name } : token;
      },
    },
  });
  await browser.signIn("credentials", ADA);
  const changed = await service.update(requestOf(browser, "/"), { user: { name: "Countess" } });
  assert.equal(changed.value?.user?.name, "Countess");
  assert.deepEqual(names(changed), ["authjs.session-token"]);
});

test("update() without a session gives null, also as unstable_update()", async () => {
  const { service, browser } = open();
  assert.equal((await service.unstable_update(requestOf(browser, "/"), { user: { name: "x" } })).value, null);
});

test("what signIn(), update() and signOut() give becomes a response in one call", async () => {
  const { service, browser } = open();
  const post = (path: string) => requestOf(browser, path, { method: "POST", headers: { origin: browser.origin } });
  const signedIn = await service.signIn(post("/login"), "credentials", { ...ADA, redirectTo: "/in", redirect: false });
  const answer = withCookies(Response.redirect(signedIn.value, 303), signedIn.cookies);
  assert.equal(answer.headers.get("location"), "http://localhost:3000/in");
  assert.equal(answer.headers.get("cache-control"), "private, no-store");
  keep(browser, answer);
  const { value, cookies } = await service.update(post("/me"), { user: { name: "Augusta" } });
  const updated = withCookies(Response.json(value), cookies);
  keep(browser, updated);
  assert.ok(await service.auth(requestOf(browser, "/")));
  const signedOut = await service.signOut(post("/out"), { redirect: false });
  keep(browser, withCookies(Response.json({ next: signedOut.value }), signedOut.cookies));
  assert.equal(await service.auth(requestOf(browser, "/")), null);
});
