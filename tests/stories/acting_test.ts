import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { type AuthConfig, createAuth, type Settled } from "@x/auth";
import { AuthError, CredentialsSignin } from "@x/auth/errors";
import { Browser } from "../_support/browser.ts";
import { type IdentityProvider, logIn, startIdentityProvider } from "../_support/identity_provider.ts";
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

test("signIn() without a provider answers with the sign-in page, which leads back here", async () => {
  const { service, browser } = open();
  const answer = await service.signIn(requestOf(browser, "/cart?item=1"));
  assert.equal(answer.status, 302);
  const location = new URL(answer.headers.get("location") ?? "");
  assert.equal(location.pathname, "/auth/signin");
  assert.equal(location.searchParams.get("callbackUrl"), "http://localhost:3000/cart?item=1");
});

test("signIn() with a provider starts there, and leads back here", async () => {
  const { service, browser } = open();
  const answer = await service.signIn(requestOf(browser, "/cart"), "mock", {}, { login_hint: "ada" });
  keep(browser, answer);
  const location = answer.headers.get("location") ?? "";
  assert.equal(new URL(location).searchParams.get("login_hint"), "ada");
  await logIn(browser, "ada", location);
  assert.equal(browser.url.pathname, "/cart");
  assert.equal((await browser.session())?.user?.name, "Ada Lovelace");
});

test("signIn() with redirect false reports the address and the cookies", async () => {
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

test("signIn() with credentials completes the sign-in", async () => {
  const { service, browser } = open();
  const answer = await service.signIn(requestOf(browser, "/login"), "credentials", { ...ADA, redirectTo: "/cart" });
  assert.equal(answer.headers.get("location"), "http://localhost:3000/cart");
  keep(browser, answer);
  assert.equal((await browser.session())?.user?.name, "Ada Lovelace");
});

test("signIn() takes what a form sent", async () => {
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

test("signIn() from a form that does not tell its page leads to the start of the site", async () => {
  const { service, browser } = open();
  const answer = await service.signIn(requestOf(browser, "/act?x=1", { method: "POST" }), "credentials", ADA);
  assert.equal(answer.headers.get("location"), "http://localhost:3000/");
});

test("signIn() with wrong credentials throws, and tells the log", async () => {
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

test("signIn() leads nowhere else", async () => {
  const { service, browser } = open();
  const options = { ...ADA, redirectTo: "https://evil.test/", redirect: false } as const;
  assert.equal((await service.signIn(requestOf(browser, "/"), "credentials", options)).value, "http://localhost:3000/");
});

test("signOut() ends the session and leads where it is told", async () => {
  const { service, browser } = open();
  await browser.signIn("credentials", ADA);
  const answer = await service.signOut(requestOf(browser, "/"), { redirectTo: "/bye" });
  assert.equal(answer.headers.get("location"), "http://localhost:3000/bye");
  keep(browser, answer);
  assert.equal(await browser.session(), null);
});

test("signOut() with redirect false reports the address and the removals", async () => {
  const { service, browser } = open();
  await browser.signIn("credentials", ADA);
  const ended = await service.signOut(requestOf(browser, "/account"), { redirect: false });
  assert.equal(ended.value, "http://localhost:3000/account");
  const removal = ended.cookies.find(({ name }) => name === "authjs.session-token");
  assert.deepEqual([removal?.value, removal?.options.maxAge], ["", 0]);
});

test("update() hands the change to the jwt callback and gives the session that comes of it", async () => {
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

test("update() of nobody gives null, also by its other name", async () => {
  const { service, browser } = open();
  assert.equal((await service.unstable_update(requestOf(browser, "/"), { user: { name: "x" } })).value, null);
});
