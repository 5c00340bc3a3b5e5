import { test } from "node:test";
import assert from "node:assert/strict";
import { type AuthConfig, createAuth } from "@x/auth";
import { Browser, type Site } from "../_support/browser.ts";
import { ADA, testConfig } from "../_support/service.ts";

const WRONG = { username: "ada", password: "guess" };

/** The service, and an application that shows which of its pages was asked for. */
function open(config: AuthConfig = {}): Browser {
  const { handler } = createAuth(testConfig(config));
  const site: Site = (request) => {
    const { pathname } = new URL(request.url);
    return pathname.startsWith("/auth/") ? handler(request) : Promise.resolve(new Response("page of the application"));
  };
  return new Browser(site, { application: true });
}

test("the sign-in page has one form for each way of signing in", async () => {
  const browser = await open().open("/auth/signin");
  assert.equal(browser.status, 200);
  assert.match(browser.html, /action="http:\/\/localhost:3000\/auth\/callback\/credentials"/);
  assert.match(browser.html, /type="password"/);
});

test("the address of a provider's sign-in shows the sign-in page", async () => {
  const browser = await open().open("/auth/signin/credentials");
  assert.equal(browser.status, 200);
  assert.match(browser.html, /<form/);
});

test("a sign-in page of the application is given what the built-in one knows, and keeps its own query", async () => {
  const browser = open({ pages: { signIn: "/login?theme=dark" } });
  await browser.open("/auth/signin?callbackUrl=/cart&error=OAuthCallbackError");
  assert.equal(browser.url.pathname, "/login");
  assert.deepEqual(Object.fromEntries(browser.url.searchParams), {
    theme: "dark",
    callbackUrl: "http://localhost:3000/cart",
    error: "OAuthCallbackError",
  });
});

test("a wrong password leads to the application's sign-in page", async () => {
  const browser = open({ pages: { signIn: "/login?theme=dark" } });
  const fields = { ...WRONG, csrfToken: await browser.csrf() };
  await browser.follow(await browser.post("/auth/callback/credentials", fields));
  assert.equal(browser.url.pathname, "/login");
  assert.deepEqual(Object.fromEntries(browser.url.searchParams), {
    theme: "dark",
    error: "CredentialsSignin",
    code: "credentials",
  });
});

test("an error page on another host is respected", async () => {
  const browser = open({ pages: { error: "https://help.test/auth?lang=en" }, callbacks: { signIn: () => false } });
  browser.allow("https://help.test", () => Promise.resolve(new Response("help")));
  await browser.signIn("credentials", ADA);
  assert.equal(browser.url.href, "https://help.test/auth?lang=en&error=AccessDenied");
});

test("the application's own pages replace sign-out and verification", async () => {
  const browser = open({ pages: { signOut: "/bye", verifyRequest: "/mail" } });
  assert.equal((await browser.open("/auth/signout")).url.pathname, "/bye");
  await browser.open("/auth/verify-request?provider=mail&type=email");
  assert.equal(browser.url.href, "http://localhost:3000/mail?provider=mail&type=email");
});

for (const [error, status] of Object.entries({ AccessDenied: 403, Verification: 403, Anything: 200 })) {
  test(`the error page says ${status} for ${error}`, async () => {
    const browser = await open().open(`/auth/error?error=${error}`);
    assert.equal(browser.status, status);
    assert.match(browser.html, /<h1>/);
  });
}

test("what stands in the address is never part of a page", async () => {
  const markup = encodeURIComponent('"><script>alert(1)</script>');
  for (
    const path of ["signin?error=", "signin?email=", "error?error=", "signin?callbackUrl=/", "verify-request?type="]
  ) {
    const browser = await open().open(`/auth/${path}${markup}`);
    assert.doesNotMatch(browser.html, /<script/);
  }
});
