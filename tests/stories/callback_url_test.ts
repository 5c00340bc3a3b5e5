import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { createAuth } from "@x/auth";
import { Browser } from "../_support/browser.ts";
import { type IdentityProvider, logIn, startIdentityProvider } from "../_support/identity_provider.ts";
import { ADA, password, testConfig } from "../_support/service.ts";

let idp: IdentityProvider;
before(async () => {
  idp = await startIdentityProvider();
});
after(() => idp.close());

function open(): Browser {
  const { handler } = createAuth(testConfig({ providers: [password(), idp.provider()] }));
  return new Browser(handler).allow(idp.issuer);
}

test("the callbackUrl survives the way to the provider and back", async () => {
  const browser = open();
  await logIn(await browser.signIn("mock", {}, { callbackUrl: "/cart?item=1&note=a%20b#top" }));
  assert.equal(browser.url.href, "http://localhost:3000/cart?item=1&note=a%20b#top");
  assert.deepEqual(browser.cookies.names("callback-url"), []);
});

test("the callbackUrl of the sign-in page is remembered by forms that do not carry it", async () => {
  const browser = open();
  await browser.open("/auth/signin?callbackUrl=/cart");
  await browser.follow(
    await browser.post("/auth/callback/credentials", { ...ADA, csrfToken: await browser.csrf() }),
  );
  assert.equal(browser.url.pathname, "/cart");
});

test("without a callbackUrl a sign-in leads to the front page", async () => {
  const browser = await open().signIn("credentials", ADA);
  assert.equal(browser.url.href, "http://localhost:3000/");
});

const FOREIGN = [
  "https://evil.test/",
  "//evil.test/",
  "/\\evil.test/",
  "https:evil.test",
  "http://localhost:3000@evil.test/",
  "http://localhost:3001/",
  "https://localhost:3000/",
  "javascript:alert(1)",
  "data:text/html,x",
  "/\t/evil.test/",
];

for (const callbackUrl of FOREIGN) {
  test(`a callbackUrl never leads off the site: ${JSON.stringify(callbackUrl)}`, async () => {
    const browser = await open().signIn("credentials", ADA, { callbackUrl });
    assert.equal(browser.url.origin, "http://localhost:3000");
    assert.doesNotMatch(browser.url.hostname, /evil/);
  });
}

test("a foreign callbackUrl in the form, the query or the cookie is the front page", async () => {
  for (const where of ["form", "query", "cookie"]) {
    const browser = open();
    const foreign = encodeURIComponent("https://evil.test/");
    if (where === "cookie") {
      browser.cookies.store(`authjs.callback-url=${foreign}; Path=/`, new URL(browser.origin));
    }
    const query = where === "query" ? `?callbackUrl=${foreign}` : "";
    const fields = { ...ADA, csrfToken: await browser.csrf() };
    const answer = await browser.post(
      `/auth/callback/credentials${query}`,
      where === "form" ? { ...fields, callbackUrl: "https://evil.test/" } : fields,
    );
    assert.equal(answer.headers.get("location"), "http://localhost:3000/", where);
  }
});

test("a callbackUrl into the service's own actions is the front page", async () => {
  for (const callbackUrl of ["/auth/signout", "/auth/signin", "http://localhost:3000/auth/callback/mock?code=1"]) {
    const browser = await open().signIn("credentials", ADA, { callbackUrl });
    assert.equal(browser.url.href, "http://localhost:3000/", callbackUrl);
  }
});
