import { test } from "node:test";
import assert from "node:assert/strict";
import { type AuthConfig, skipCSRFCheck } from "../../../src/contract/config.ts";
import { createAuth } from "../../../src/auth.ts";
import { type AuthClient, clientOf } from "../../../client/core/auth_client.ts";
import { open } from "../../../client/core/connection.ts";
import { memoryAdapter } from "../../../adapters/memory.ts";
import { ADA, password, SECRET, testConfig } from "../../_support/service.ts";
import { TestBrowser, type TestPage } from "../../_support/page.ts";

const HOME = "http://localhost:3000/";

/** Somebody who types a wrong password. */
const WRONG = { username: "ada", password: "wrong" };

interface Tab {
  readonly client: AuthClient;
  readonly page: TestPage;
}

interface Site {
  readonly browser: TestBrowser;
  tab(href?: string): Tab;
}

const oauth = {
  id: "acme",
  name: "Acme",
  type: "oauth",
  clientId: "app",
  clientSecret: "secret",
  authorization: "https://acme.test/authorize",
  token: "https://acme.test/token",
  userinfo: "https://acme.test/me",
} as const;

const mail = { id: "mail", name: "Mail", type: "email", sendVerificationRequest: () => {} } as const;

function openSite(config: AuthConfig = {}, handler = createAuth(testConfig(config)).handler): Site {
  const browser = new TestBrowser((request) => handler(request));
  return {
    browser,
    tab(href) {
      const page = browser.tab(href);
      return { page, client: clientOf(open("/auth", page.browser)) };
    },
  };
}

const here = { ...ADA, redirect: false };

test("getSession() gives the session, and null where nobody is signed in", async () => {
  const { client } = openSite().tab();
  assert.equal(await client.getSession(), null);
  await client.signIn("credentials", here);
  assert.equal((await client.getSession())?.user?.name, "Ada Lovelace");
});

test("getSession() never takes a failure for nobody", async () => {
  const { client, page } = openSite().tab();
  for (
    const answer of [
      () => Response.json({ message: "Try again later" }, { status: 503 }),
      () => Response.json({ user: { name: "Eve" } }, { status: 500 }),
      () => new Response("<!doctype html>"),
      () => Response.json("text"),
      () => Promise.reject(new TypeError("no network")),
    ]
  ) {
    page.answer = async () => await answer();
    await assert.rejects(client.getSession());
  }
});

test("getSession() stops when its signal says so", async () => {
  const { client } = openSite().tab();
  await assert.rejects(client.getSession({ signal: AbortSignal.abort() }), { name: "AbortError" });
});

test("the right password signs in and leads to the page that was asked for", async () => {
  const { client, page } = openSite().tab();
  assert.deepEqual(await client.signIn("credentials", { ...ADA, redirectTo: "/members?a=1#top" }), {
    ok: true,
    url: `${HOME}members?a=1#top`,
  });
  assert.deepEqual(page.visits, [`${HOME}members?a=1#top`, "reload"]);
});

test("a wrong password is not ok, says why, and leads to the page that says so only if the browser shall go", async () => {
  const { client, page } = openSite().tab();
  const refused = { ok: false, error: "CredentialsSignin", status: 200, code: "credentials" };
  assert.deepEqual(await client.signIn("credentials", { ...WRONG, redirect: false }), refused);
  assert.deepEqual(page.visits, []);
  assert.deepEqual(await client.signIn("credentials", WRONG), refused);
  assert.equal(page.visits.length, 1);
  assert.match(page.visits[0] ?? "", /\/auth\/signin\?.*error=CredentialsSignin/);
});

test("a wrong password on a page that shows an error is not ok, and the right one is", async () => {
  const { client } = openSite({ pages: { signIn: "/login" } }).tab(
    `${HOME}login?error=CredentialsSignin&code=credentials`,
  );
  assert.equal((await client.signIn("credentials", { ...WRONG, redirect: false })).ok, false);
  assert.equal((await client.signIn("credentials", here)).ok, true);
});

test("signIn() on a page of the application goes on to where the person was headed, and nowhere else", async () => {
  const { tab } = openSite({ pages: { signIn: "/login" } });
  for (const [callbackUrl, url] of [["/members", `${HOME}members`], ["https://evil.test/", HOME]]) {
    const { client } = tab(`${HOME}login?${new URLSearchParams({ callbackUrl: `${callbackUrl}` })}`);
    assert.deepEqual(await client.signIn("credentials", here), { ok: true, url });
  }
});

test("options of signIn() are no fields of the form", async () => {
  const seen: unknown[] = [];
  const { client } = openSite({
    providers: [password({ authorize: (fields) => (seen.push(Object.keys(fields).sort()), null) })],
  }).tab();
  const { signal } = new AbortController();
  await client.signIn("credentials", { ...WRONG, redirect: false, redirectTo: "/", basePath: "/auth", signal });
  assert.deepEqual(seen, [["callbackUrl", "csrfToken", "password", "username"]]);
});

test("signIn() leads to a provider with the parameters for it", async () => {
  const { client } = openSite({ providers: [oauth] }).tab();
  const result = await client.signIn("acme", { redirect: false }, { login_hint: "ada" });
  assert.ok(result.ok);
  const url = new URL(result.url);
  assert.equal(url.origin, "https://acme.test");
  assert.equal(url.searchParams.get("login_hint"), "ada");
});

test("signIn() with an address leads to the page that says to check the email", async () => {
  const { client, page } = openSite({ providers: [mail], adapter: memoryAdapter() }).tab();
  assert.equal((await client.signIn("mail", { email: "ada@example.com" })).ok, true);
  assert.match(page.visits.join(), /\/auth\/verify-request\?provider=mail&type=email$/);
  assert.equal((await client.signIn("mail", { email: "no address", redirect: false })).ok, false);
});

test("signIn() without a provider goes to the sign-in page, and an unknown one goes nowhere", async () => {
  const { client, page } = openSite().tab(`${HOME}members`);
  await client.signIn();
  assert.deepEqual(page.visits, [`${HOME}auth/signin?callbackUrl=${encodeURIComponent(`${HOME}members`)}`]);
  for (const id of ["nobody", "__proto__", "constructor"]) {
    assert.deepEqual(await client.signIn(id), { ok: false, error: "UnknownProvider", status: 0 });
  }
  assert.equal(page.visits.length, 1);
});

test("signIn() without a provider gives the sign-in page its parameters, none of which says where to go on", async () => {
  const { client, page } = openSite().tab(`${HOME}members`);
  await client.signIn(undefined, {}, { error: "SessionRequired", callbackUrl: "https://evil.test/" });
  const callbackUrl = encodeURIComponent(`${HOME}members`);
  assert.deepEqual(page.visits, [`${HOME}auth/signin?error=SessionRequired&callbackUrl=${callbackUrl}`]);
});

test("signOut() ends the session and says where to go", async () => {
  const { client, page } = openSite().tab(`${HOME}members?error=old`);
  await client.signIn("credentials", here);
  assert.deepEqual(await client.signOut({ redirect: false }), { ok: true, url: `${HOME}members` });
  assert.equal(await client.getSession(), null);
  await client.signOut({ redirectTo: "/bye" });
  assert.deepEqual(page.visits, [`${HOME}bye`]);
});

test("update() gives data to the callback, and gives the new session back", async () => {
  const { client } = openSite({
    callbacks: {
      jwt: ({ token, trigger, session }) =>
        trigger === "update" ? { ...token, ...session as { readonly name: string } } : token,
    },
  }).tab();
  assert.deepEqual(await client.update({ name: "Eve" }), { ok: false, error: "SessionRequired", status: 200 });
  await client.signIn("credentials", here);
  const result = await client.update({ name: "Augusta" });
  assert.equal(result.ok && result.session?.user?.name, "Augusta");
  assert.equal((await client.getSession())?.user?.name, "Augusta");
});

test("update() that fails in the callback is not ok and changes nothing", async () => {
  const { client } = openSite({
    callbacks: {
      jwt({ token, trigger }) {
        if (trigger === "update") throw new Error("no");
        return token;
      },
    },
  }).tab();
  await client.signIn("credentials", here);
  assert.equal((await client.update({})).ok, false);
  assert.equal((await client.getSession())?.user?.name, "Ada Lovelace");
});

test("getProviders() lists them and asks once", async () => {
  const { client, page } = openSite({ providers: [oauth, password()] }).tab();
  assert.deepEqual(Object.keys(await client.getProviders()), ["acme", "credentials"]);
  await client.getProviders();
  assert.deepEqual(page.asked, ["GET /auth/providers"]);
});

test("the CSRF token is fetched once, and once more when its cookie is another", async () => {
  const { browser, tab } = openSite();
  const { client, page } = tab();
  await client.signIn("credentials", here);
  await client.signOut({ redirect: false });
  const tokens = () => page.asked.filter((asked) => asked === "GET /auth/csrf").length;
  assert.equal(tokens(), 1);
  browser.cookies.delete("authjs.csrf-token");
  assert.equal((await client.signIn("credentials", here)).ok, true);
  assert.equal(tokens(), 2);
  browser.cookies.delete("authjs.csrf-token");
  assert.equal((await client.update({})).ok, true);
  assert.equal(tokens(), 3);
});

test("a form is sent at most twice, whatever the service says", async () => {
  const { client, page } = openSite().tab();
  let tokens = 0;
  page.answer = (request) =>
    Promise.resolve(
      request.url.endsWith("/csrf")
        ? Response.json({ csrfToken: `${++tokens}` })
        : Response.json({ url: `${HOME}auth/signin?error=MissingCSRF` }),
    );
  assert.deepEqual(await client.signOut({ redirect: false }), { ok: false, error: "MissingCSRF", status: 200 });
  assert.equal(page.asked.filter((asked) => asked.startsWith("POST")).length, 2);
});

test("a service without CSRF tokens is sent forms all the same", async () => {
  const { client } = openSite({ skipCSRFCheck }).tab();
  assert.equal((await client.signIn("credentials", here)).ok, true);
});

test("a service that is away, or that is none, is Unreachable, and a refusal has its status", async () => {
  const { client, page } = openSite().tab();
  await client.getProviders();
  page.answer = () => Promise.reject(new TypeError("no network"));
  const away = { ok: false, error: "Unreachable", status: 0 };
  assert.deepEqual(await client.signIn("credentials", here), away);
  assert.deepEqual(await client.signOut({ redirect: false }), away);
  assert.deepEqual(await client.update({}), away);
  page.answer = () => Promise.resolve(new Response("<!doctype html>", { headers: { "content-type": "text/html" } }));
  assert.deepEqual(await client.signIn("credentials", ADA), away);
  page.answer = () => Promise.resolve(Response.json({ message: "Too many requests" }, { status: 429 }));
  assert.deepEqual(await client.signIn("credentials", ADA), { ok: false, error: "Refused", status: 429 });
  assert.deepEqual(page.visits, []);
});

test("an answer of 200 that leads nowhere is not ok", async () => {
  for (const body of [{}, null, { url: null }, { url: "/relative" }, { url: 5 }, [], "text"]) {
    const { client, page } = openSite().tab();
    await client.getProviders();
    page.answer = () => Promise.resolve(Response.json(body));
    assert.equal((await client.signIn("credentials", ADA)).ok, false, JSON.stringify(body));
    assert.equal((await client.signOut()).ok, false, JSON.stringify(body));
    assert.deepEqual(page.visits, []);
  }
});

test("no answer makes the browser run a script", async () => {
  const { client, page } = openSite().tab();
  await client.getProviders();
  for (const url of ["javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)", "data:text/html,x"]) {
    page.answer = () => Promise.resolve(Response.json({ url }));
    assert.equal((await client.signIn("credentials", ADA)).ok, false, url);
  }
  assert.deepEqual(page.visits, []);
});

test("signIn() that is aborted is Cancelled", async () => {
  const { client, page } = openSite().tab();
  assert.deepEqual(await client.signIn("credentials", { ...here, signal: AbortSignal.abort() }), {
    ok: false,
    error: "Cancelled",
    status: 0,
  });
  const abort = new AbortController();
  await client.getProviders();
  page.answer = () => {
    abort.abort();
    return Promise.resolve(Response.json({}));
  };
  const result = await client.signIn("credentials", { ...here, signal: abort.signal });
  assert.equal(!result.ok && result.error, "Cancelled");
});

test("nothing that a script gets holds a token", async () => {
  const { browser, tab } = openSite();
  const { client } = tab();
  const results = [
    await client.signIn("credentials", here),
    await client.getSession(),
    await client.update({}),
    await client.getProviders(),
  ];
  const token = browser.cookies.get("authjs.session-token");
  assert.ok(token?.httpOnly);
  const text = JSON.stringify(results);
  for (const secret of [SECRET, token.value, "sessionToken", "csrf"]) assert.ok(!text.includes(secret), secret);
});
