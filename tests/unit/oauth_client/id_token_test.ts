/** What the table in `tests/security/id_token_test.ts` does not show: which id_tokens are verified, and with which keys. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { AccessDenied, OAuthProviderError } from "../../../src/kernel/errors.ts";
import { idTokenProblem, readIdToken } from "../../../src/oauth_client/id_token.ts";
import { installEmptyingResponse } from "../../_support/hostile_globals.ts";
import { CLIENT, createIssuer, encode, type Issuer, signJws } from "../../_support/issuer.ts";
import { NOW, visit } from "../oauth/_flow.ts";

test("an OAuth provider without an issuer stores an id_token and never reads it", async () => {
  const issuer = createIssuer();
  issuer.rewrite(() => "not.a.token");
  const { account, profile } = await visit(issuer, issuer.oauthProvider()).signIn(issuer);
  assert.equal(account.id_token, "not.a.token");
  assert.equal(profile?.iss, undefined);
  assert.equal(issuer.count("jwks"), 0);
});

test("an OAuth provider with an issuer and without keys stores an id_token and never reads it", async () => {
  const issuer = createIssuer();
  issuer.claim({ aud: "other" });
  assert.ok(await visit(issuer, issuer.oauthProvider({ issuer: issuer.url })).signIn(issuer));
  assert.equal(issuer.requests.map(({ endpoint }) => endpoint).join(), "token,userinfo");
});

test("an OAuth provider with an issuer and keys has its id_token verified, if there is one", async () => {
  const provider = (issuer: Issuer) => issuer.oauthProvider({ issuer: issuer.url, userinfo: undefined });
  const issuer = createIssuer();
  assert.ok(await visit(issuer, provider(issuer)).signIn(issuer));
  assert.equal(issuer.count("jwks"), 1);
  issuer.claim({ aud: "other" });
  await assert.rejects(() => visit(issuer, provider(issuer)).signIn(issuer), OAuthProviderError);
  const without = createIssuer();
  without.grant({ id_token: undefined });
  assert.ok(await visit(without, provider(without)).signIn(without));
});

test("OpenID Connect with explicit endpoints verifies with jwks_endpoint and needs no metadata", async () => {
  const issuer = createIssuer();
  const { url } = issuer;
  const provider = issuer.provider({
    authorization: `${url}/authorize`,
    token: `${url}/token`,
    userinfo: `${url}/userinfo`,
    jwks_endpoint: `${url}/jwks`,
  });
  assert.ok(await visit(issuer, provider).signIn(issuer));
  assert.deepEqual([issuer.count("discovery"), issuer.count("jwks")], [0, 1]);
});

test("max_age of a caller does not loosen the one that is configured", async () => {
  const issuer = createIssuer();
  issuer.claim({ auth_time: NOW - 1000 });
  const browser = visit(issuer, issuer.provider({ authorization: { params: { max_age: 100 } } }));
  const { params } = await issuer.consent(await browser.start({ max_age: "99999" }));
  await assert.rejects(() => browser.finish(params), AccessDenied);
});

test("expectedIssuer gets the claims with large numbers as text", async () => {
  const issuer = createIssuer({ metadata: { issuer: "https://idp.test/{tid}" } });
  issuer.claim({ tid: 2 ** 63 });
  const seen: unknown[] = [];
  const expectedIssuer = ({ tid }: Readonly<Record<string, unknown>>) => (seen.push(tid), issuer.url);
  assert.ok(await visit(issuer, issuer.provider({ expectedIssuer })).signIn(issuer));
  assert.deepEqual(seen, [JSON.stringify(2 ** 63)]);
});

test("a hundred made-up key ids cause one reload of the keys a minute", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer);
  await browser.signIn(issuer);
  for (let i = 0; i < 100; i++) {
    issuer.header({ kid: `made-up-${i}` });
    await assert.rejects(() => browser.signIn(issuer), OAuthProviderError);
  }
  assert.equal(issuer.count("jwks"), 2);
  browser.runtime.advance(61);
  issuer.claim({ iat: NOW + 61 });
  await assert.rejects(() => browser.signIn(issuer), OAuthProviderError);
  assert.equal(issuer.count("jwks"), 3);
});

test("a rotation of keys is noticed where id_tokens have no kid", async () => {
  const issuer = createIssuer();
  issuer.header({ kid: undefined });
  const browser = visit(issuer);
  await browser.signIn(issuer);
  issuer.rotate();
  await browser.signIn(issuer);
  assert.equal(issuer.count("jwks"), 2);
});

test("a key that was withdrawn is accepted for five more minutes at most", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer);
  await browser.signIn(issuer);
  const withdrawn = issuer.keys[0];
  issuer.rotate();
  assert.ok(withdrawn);
  issuer.rewrite((idToken) => {
    const claims = Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString();
    return signJws(claims, { alg: "RS256", kid: withdrawn.kid }, withdrawn);
  });
  await browser.signIn(issuer);
  browser.runtime.advance(301);
  issuer.claim({ iat: NOW + 301, exp: NOW + 600 });
  await assert.rejects(() => browser.signIn(issuer), OAuthProviderError);
});

test("sign-ins go on with a Response of the framework that empties what it is given", async () => {
  const restore = installEmptyingResponse();
  try {
    const issuer = createIssuer();
    const browser = visit(issuer);
    for (let round = 0; round < 2; round++) await browser.signIn(issuer);
    assert.deepEqual([browser.signedIn.length, issuer.count("jwks")], [2, 1]);
  } finally {
    restore();
  }
});

test("readIdToken() accepts only the canonical form of the last character", () => {
  const good = `${encode({ alg: "RS256" })}.${encode({ a: 12 })}`;
  for (const signature of ["AAAA", "AA"]) assert.ok(readIdToken(`${good}.${signature}`));
  for (const signature of ["AB", "AAB", "A"]) {
    assert.throws(() => readIdToken(`${good}.${signature}`), OAuthProviderError);
  }
});

test("readIdToken() accepts 128 KiB and not one character more, and refuses megabytes without reading them", () => {
  const header = encode({ alg: "RS256" });
  const start = `${header}.${encode({ iss: "x" })}.`;
  const sized = (length: number) => start + "A".repeat(length - start.length);
  // No base64url text has a length of 4n + 1.
  const longest = (131_072 - start.length) % 4 === 1 ? 131_071 : 131_072;
  assert.ok(readIdToken(sized(longest)));
  for (const length of [131_073, 131_074, 270_000, 5_000_000]) {
    for (const token of [sized(length), "A".repeat(length), `${header}.${"A".repeat(length)}.AAAA`]) {
      assert.throws(() => readIdToken(token), { name: "OAuthProviderError", message: /too long/ });
    }
  }
});

// The protocol library refuses HMAC where none is registered: this rule holds should a later version of it accept it.
test("idTokenProblem() accepts signatures with public keys, and those of a shared secret if they are registered", () => {
  const claims = { sub: "a", exp: NOW + 1, iat: NOW };
  const problemOf = (alg: unknown, registered?: string) =>
    idTokenProblem({ header: { alg }, claims }, { now: NOW, clientId: CLIENT.id, alg: registered, tolerance: 30 });
  for (const alg of ["RS256", "PS512", "ES384", "EdDSA"]) assert.equal(problemOf(alg), null);
  for (const alg of ["HS256", "HS512", "none", "", null, undefined, ["RS256"]]) {
    assert.equal(problemOf(alg), "its alg is not one with a public key");
    assert.equal(problemOf(alg, "HS384"), "its alg is not one with a public key");
  }
  for (const alg of ["HS256", "HS384", "HS512"]) assert.equal(problemOf(alg, alg), null);
});
