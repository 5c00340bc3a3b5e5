/**
 * Signs in with an ordinary OpenID Provider and with an ordinary OAuth provider, reads the session and signs out. The test
 * that runs it looks at what was loaded meanwhile.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type Auth, createAuth, customFetch } from "@x/auth";
import { Browser } from "../_support/browser.ts";
import { createIssuer } from "../_support/issuer.ts";
import { testConfig } from "../_support/service.ts";

const issuer = createIssuer({ now: () => Math.floor(Date.now() / 1000) });
const { fetch } = issuer;
const connection = { [customFetch]: (...args: Parameters<typeof globalThis.fetch>) => fetch(new Request(...args)) };
const oidc = { ...issuer.provider(), id: "oidc", ...connection };
const oauth = { ...issuer.oauthProvider(), id: "oauth", ...connection };
const auth: Auth = createAuth(testConfig({ providers: [oidc, oauth] }));

for (const id of ["oidc", "oauth"]) {
  const browser = new Browser(auth.handler);
  const answer = await browser.post(`/auth/signin/${id}`, { csrfToken: await browser.csrf() });
  const { redirectUri, params } = await issuer.consent(answer.headers.get("location") ?? "");
  await browser.open(`${redirectUri}?${params}`);
  assert.equal((await browser.session())?.user?.name, "Ada");
  await browser.signOut();
  assert.equal(await browser.session(), null);
}
