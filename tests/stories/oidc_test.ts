import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { createAuth } from "@x/auth";
import { Browser } from "../_support/browser.ts";
import { type IdentityProvider, logIn, startIdentityProvider } from "../_support/identity_provider.ts";
import { recordLog, testConfig } from "../_support/service.ts";

let idp: IdentityProvider;
before(async () => {
  idp = await startIdentityProvider({ sites: ["http://localhost:3000", "https://app.test"] });
});
after(() => idp.close());

for (const method of ["client_secret_basic", "client_secret_post", "none"] as const) {
  test(`a visitor signs in at an OpenID Provider that knows the site by ${method}`, async () => {
    const { handler } = createAuth(testConfig({ providers: [idp.provider({}, method)] }));
    const browser = new Browser(handler).allow(idp.issuer);
    assert.equal(await browser.session(), null);
    await logIn(await browser.signIn("mock"));
    assert.equal(browser.url.href, "http://localhost:3000/");
    const session = await browser.session();
    const user = { name: "Ada Lovelace", email: "ada@example.com", image: "https://example.com/ada.png" };
    assert.deepEqual(session?.user, user);
    assert.ok(Date.parse(session?.expires ?? "") > Date.now());
    await browser.signOut();
    assert.equal(await browser.session(), null);
  });
}

test("a visitor signs in over https, with cookies for https only", async () => {
  const { handler } = createAuth(testConfig({ providers: [idp.provider()] }));
  const browser = new Browser(handler, { origin: "https://app.test" }).allow(idp.issuer);
  await logIn(await browser.signIn("mock"));
  assert.equal((await browser.session())?.user?.name, "Ada Lovelace");
  const names = browser.cookies.names("authjs");
  assert.deepEqual(names.toSorted(), ["__Host-authjs.csrf-token", "__Secure-authjs.session-token"]);
});

test("a visitor signs in where the profile comes from the userinfo endpoint", async () => {
  const provider = idp.provider({ idToken: false });
  const browser = new Browser(createAuth(testConfig({ providers: [provider] })).handler).allow(idp.issuer);
  await logIn(await browser.signIn("mock"), "grace");
  assert.equal((await browser.session())?.user?.email, "grace@example.com");
});

test("a visitor signs in with endpoints that are configured and not discovered", async () => {
  const { issuer } = idp;
  const provider = idp.provider({
    authorization: { url: `${issuer}/auth`, params: { scope: "openid email" } },
    token: `${issuer}/token`,
    userinfo: `${issuer}/me`,
    jwks_endpoint: `${issuer}/jwks`,
  });
  const browser = new Browser(createAuth(testConfig({ providers: [provider] })).handler).allow(issuer);
  await logIn(await browser.signIn("mock"));
  assert.deepEqual((await browser.session())?.user, { email: "ada@example.com" });
});

test("a visitor who declines at the provider comes to the sign-in page", async () => {
  const { logger, errors } = recordLog();
  const { handler } = createAuth(testConfig({ providers: [idp.provider()], logger }));
  const browser = new Browser(handler).allow(idp.issuer);
  await browser.signIn("mock");
  await browser.click(browser.html.match(/href="([^"]+\/abort)"/)?.[1] ?? "");
  assert.equal(browser.url.origin, browser.origin);
  assert.equal(await browser.session(), null);
  assert.deepEqual(browser.cookies.names("state"), []);
  assert.equal(errors.length, 1);
});

test("the site's own page can ask the provider for more", async () => {
  const { handler } = createAuth(testConfig({ providers: [idp.provider()] }));
  const browser = new Browser(handler).allow(idp.issuer);
  const answer = await browser.post("/auth/signin/mock?login_hint=grace&ui_locales=de", {
    csrfToken: await browser.csrf(),
  });
  const { searchParams } = new URL(answer.headers.get("location") ?? "");
  assert.equal(searchParams.get("login_hint"), "grace");
  assert.equal(searchParams.get("ui_locales"), "de");
  assert.equal(searchParams.get("code_challenge_method"), "S256");
});
