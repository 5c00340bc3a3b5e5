import { test } from "node:test";
import assert from "node:assert/strict";
import { createAuth } from "@x/auth";
import { type AuthError, CredentialsSignin } from "@x/auth/errors";
import { Browser } from "../_support/browser.ts";
import { ADA, password, recordLog, testConfig } from "../_support/service.ts";

const WRONG = { username: "ada", password: "guess" };
const TOLD = { "x-auth-return-redirect": "1" };

function open(options: Parameters<typeof password>[0] = {}): { browser: Browser; errors: Error[] } {
  const { logger, errors } = recordLog();
  return { browser: new Browser(createAuth(testConfig({ providers: [password(options)], logger })).handler), errors };
}

test("the right password signs in", async () => {
  const { browser } = open();
  await browser.signIn("credentials", ADA);
  assert.equal(browser.url.href, "http://localhost:3000/");
  assert.deepEqual((await browser.session())?.user, {
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://example.com/ada.png",
  });
});

test("a wrong password leads back to the sign-in page, which says so", async () => {
  const { browser, errors } = open();
  await browser.signIn("credentials", WRONG);
  assert.equal(browser.url.href, "http://localhost:3000/auth/signin?error=CredentialsSignin&code=credentials");
  assert.match(browser.html, /role="alert"/);
  assert.equal(await browser.session(), null);
  assert.deepEqual(errors.map((error) => (error as AuthError).type), ["CredentialsSignin"]);
});

test("a wrong password and then the right one signs in, and leads where it was asked to", async () => {
  const { browser } = open();
  await browser.signIn("credentials", WRONG, { callbackUrl: "/cart?item=1" });
  await browser.submit(ADA);
  assert.equal(browser.url.href, "http://localhost:3000/cart?item=1");
});

test("a script is told of a sign-in instead of being redirected", async () => {
  const { browser } = open();
  const fields = { ...ADA, csrfToken: await browser.csrf(), callbackUrl: "/cart" };
  const answer = await browser.post("/auth/callback/credentials", fields, { headers: TOLD });
  assert.equal(answer.status, 200);
  assert.deepEqual(await answer.json(), { url: "http://localhost:3000/cart" });
  assert.equal((await browser.session())?.user?.name, "Ada Lovelace");
});

test("a script is told of a wrong password by an absolute URL with error and code", async () => {
  const { browser } = open();
  const fields = { ...WRONG, csrfToken: await browser.csrf() };
  const answer = await browser.post("/auth/callback/credentials", fields, { headers: TOLD });
  assert.equal(answer.status, 200);
  const { url } = await answer.json();
  assert.equal(url, "http://localhost:3000/auth/signin?error=CredentialsSignin&code=credentials");
});

class LockedOut extends CredentialsSignin {
  override code = "locked_out";
}

class Chatty extends CredentialsSignin {
  override code = "no user <ada@example.com>";
}

test("authorize says why with a code", async () => {
  const { browser } = open({
    authorize() {
      throw new LockedOut("Cannot sign in: too many attempts");
    },
  });
  await browser.signIn("credentials", WRONG);
  assert.equal(browser.url.searchParams.get("code"), "locked_out");
});

test("a code that is no plain word does not reach the browser", async () => {
  const { browser } = open({
    authorize() {
      throw new Chatty("Cannot sign in");
    },
  });
  await browser.signIn("credentials", WRONG);
  assert.equal(browser.url.searchParams.get("code"), "credentials");
  assert.doesNotMatch(browser.url.href, /example/);
});

test("a script may send the fields as JSON, with their types", async () => {
  let seen: unknown;
  const { browser } = open({
    authorize({ pin }) {
      seen = pin;
      return { id: "1", name: "Ada" };
    },
  });
  await browser.postJson("/auth/callback/credentials", { pin: 1815, csrfToken: await browser.csrf() });
  assert.equal(seen, 1815);
  assert.equal((await browser.session())?.user?.name, "Ada");
});

for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.test" }, { origin: "null" }]) {
  test(`a form from another site is refused although its token is right: ${JSON.stringify(headers)}`, async () => {
    const { browser } = open();
    const fields = { ...ADA, csrfToken: await browser.csrf() };
    const answer = await browser.post("/auth/callback/credentials", fields, { headers });
    assert.equal(answer.headers.get("location"), "http://localhost:3000/auth/signin?error=MissingCSRF");
    assert.equal(await browser.session(), null);
  });
}
