/** Claims of `profile` and `email` that a provider delivers at userinfo only, here and in Auth.js. */
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { createAuth } from "@x/auth";
import { open, type SideName, Visitor } from "../_support/both_libraries.ts";
import { Browser } from "../_support/browser.ts";
import { type IdentityProvider, logIn, startIdentityProvider } from "../_support/identity_provider.ts";
import { CLIENT } from "../_support/issuer.ts";
import { fetchOf, liveIssuer } from "../_support/live_issuer.ts";
import type { ProviderObject } from "../_support/provider_objects.ts";
import { testConfig } from "../_support/service.ts";

const realFetch = globalThis.fetch;
let idp: IdentityProvider;

before(async () => {
  idp = await startIdentityProvider();
});
afterEach(() => {
  globalThis.fetch = realFetch;
});
after(() => idp.close());

/** Who signs in, at a provider that puts nothing but `sub` into the id_token. */
async function userOf(side: SideName): Promise<unknown> {
  const issuer = liveIssuer();
  issuer.claim({ name: undefined, email: undefined });
  issuer.person({ name: "Ada", email: "ada@example.com" });
  globalThis.fetch = fetchOf(issuer) as typeof fetch;
  const provider = { id: "idp", name: "IdP", type: "oidc", issuer: issuer.url, checks: ["pkce", "nonce"] };
  const options = { clientId: CLIENT.id, clientSecret: CLIENT.secret };
  const { service, signedIn, errors } = open(side, { ...provider, ...options } as ProviderObject);
  const visitor = new Visitor(service);
  const { params } = await issuer.consent((await visitor.start("idp")).href);
  await visitor.comeBack("idp", params, false);
  assert.deepEqual(errors, []);
  const { name, email } = signedIn[0]?.user ?? {};
  return { name: name ?? null, email: email ?? null };
}

test("a name and an address that are only at userinfo are read here, and not in Auth.js", async () => {
  assert.deepEqual(await userOf("ours"), { name: "Ada", email: "ada@example.com" });
  assert.deepEqual(await userOf("theirs"), { name: null, email: null });
});

test("a real OpenID Provider that conforms to section 5.4 tells who signs in", async () => {
  const provider = idp.provider();
  const browser = new Browser(createAuth(testConfig({ providers: [provider] })).handler).allow(idp.issuer);
  await logIn(await browser.signIn("mock"), "grace");
  const user = (await browser.session())?.user;
  assert.deepEqual([user?.name, user?.email], ["Grace Hopper", "grace@example.com"]);
});

test("with `idToken: true` the same provider tells nothing but who it is", async () => {
  const provider = idp.provider({ idToken: true });
  const browser = new Browser(createAuth(testConfig({ providers: [provider] })).handler).allow(idp.issuer);
  await logIn(await browser.signIn("mock"), "grace");
  assert.deepEqual((await browser.session())?.user, {});
});
