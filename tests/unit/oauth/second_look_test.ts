/** Providers whose metadata or keys change while they are cached. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { OAuthProviderError } from "../../../src/kernel/errors.ts";
import { createIssuer, type Issuer, json, makeKey, type SigningKey } from "../../_support/issuer.ts";
import { Visit, visit } from "./_flow.ts";

/** Changes what the metadata says from now on. */
function announce(issuer: Issuer, change: object): void {
  issuer.override("discovery", async (_request, honest) => json({ ...await (await honest()).json(), ...change }));
}

async function fails(browser: Visit, issuer: Issuer): Promise<void> {
  await assert.rejects(() => browser.signIn(issuer), OAuthProviderError);
}

test("an algorithm that is not in the cached metadata leads to one new discovery, and the sign-in succeeds", async () => {
  const issuer = createIssuer({ metadata: { id_token_signing_alg_values_supported: ["RS256"] } });
  const browser = visit(issuer);
  await browser.signIn(issuer);
  issuer.rotate("ES256");
  announce(issuer, { id_token_signing_alg_values_supported: ["ES256"] });
  await browser.signIn(issuer);
  assert.equal(issuer.count("discovery"), 2);
  assert.equal(issuer.count("token"), 2);
});

test("an algorithm that stays unknown leads to one discovery in a minute", async () => {
  const issuer = createIssuer({ metadata: { id_token_signing_alg_values_supported: ["RS256"] } });
  const browser = visit(issuer);
  await browser.signIn(issuer);
  issuer.rotate("ES256");
  for (let sign = 0; sign < 3; sign++) await fails(browser, issuer);
  assert.equal(issuer.count("discovery"), 2);
  browser.runtime.advance(59);
  await fails(browser, issuer);
  assert.equal(issuer.count("discovery"), 2);
  browser.runtime.advance(1);
  await fails(browser, issuer);
  assert.equal(issuer.count("discovery"), 3);
});

test("an algorithm that the configuration excludes leads to no discovery", async () => {
  const issuer = createIssuer();
  const client = { id_token_signed_response_alg: "PS256" };
  const browser = visit(issuer, issuer.provider({ client }));
  await fails(browser, issuer);
  assert.equal(issuer.count("discovery"), 1);
});

test("keys that have moved are found by one new discovery", async () => {
  for (const old of [404, 410, 500, 200]) {
    const issuer = createIssuer();
    const before = issuer.keys.map(({ jwk }) => jwk);
    let moved = false;
    const browser = new Visit([issuer.provider()], {
      fetch: (request) => {
        const { pathname } = new URL(request.url);
        if (pathname === "/keys2") return json({ keys: issuer.keys.map(({ jwk }) => jwk) });
        return moved && pathname === "/jwks" ? json({ keys: before }, old) : issuer.fetch(request);
      },
    });
    await browser.signIn(issuer);
    announce(issuer, { jwks_uri: `${issuer.url}/keys2` });
    issuer.rotate("RS256");
    moved = true;
    await browser.signIn(issuer);
    await browser.signIn(issuer);
    assert.equal(issuer.count("discovery"), 2, String(old));
  }
});

test("keys that cannot be verified at the new place either are refused", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer);
  await browser.signIn(issuer);
  announce(issuer, { jwks_uri: `${issuer.url}/keys2` });
  issuer.override("token", async (_request, honest) => {
    const body = await (await honest()).json();
    const [header, claims] = body.id_token.split(".");
    return json({ ...body, id_token: `${header}.${claims}.AAAA` });
  });
  await fails(browser, issuer);
});

test("a discovery that fails leaves the metadata that is cached", async () => {
  const issuer = createIssuer({ metadata: { id_token_signing_alg_values_supported: ["RS256"] } });
  const browser = visit(issuer);
  await browser.signIn(issuer);
  issuer.override("discovery", () => json({}, 404));
  const [key] = issuer.keys;
  issuer.rotate("ES256");
  await fails(browser, issuer);
  issuer.keys.splice(0, 1, ...(key ? [key] : []));
  await browser.signIn(issuer);
  assert.equal(issuer.count("discovery"), 2);
});

test("metadata that a second look finds must still name the issuer", async () => {
  const issuer = createIssuer({ metadata: { id_token_signing_alg_values_supported: ["RS256"] } });
  const browser = visit(issuer);
  await browser.signIn(issuer);
  const [key] = issuer.keys;
  issuer.rotate("ES256");
  announce(issuer, { issuer: "https://evil.test", id_token_signing_alg_values_supported: ["ES256"] });
  await fails(browser, issuer);
  issuer.keys.splice(0, 1, ...(key ? [key] : []));
  await browser.signIn(issuer);
});

test("concurrent sign-ins share a second look", async () => {
  const issuer = createIssuer({ metadata: { id_token_signing_alg_values_supported: ["RS256"] } });
  const { runtime, config } = visit(issuer);
  const visits = Array.from({ length: 16 }, () => Object.assign(visit(issuer), { runtime, config }));
  const answers = await Promise.all(visits.map(async (browser) => await issuer.consent(await browser.start())));
  issuer.rotate("ES256");
  announce(issuer, { id_token_signing_alg_values_supported: ["ES256"] });
  await Promise.all(visits.map((browser, at) => browser.finish(answers[at]?.params ?? {})));
  assert.equal(issuer.count("discovery"), 2);
});

/** Another key under the kid of the issuer's. */
function sameKid(issuer: Issuer): SigningKey {
  const kid = issuer.keys[0]?.kid ?? "";
  const key = makeKey("RS256");
  return { ...key, kid, jwk: { ...key.jwk, kid } };
}

test("a new key under the same kid is fetched once when a signature fails", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer);
  await browser.signIn(issuer);
  issuer.keys.splice(0, 1, sameKid(issuer));
  await browser.signIn(issuer);
  assert.equal(issuer.count("jwks"), 2);
  assert.equal(issuer.count("discovery"), 1);
});

test("signatures that stay wrong under a known kid lead to one request for keys in a minute", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer);
  await browser.signIn(issuer);
  const honest = [...issuer.keys];
  const other = sameKid(issuer);
  issuer.override("jwks", () => json({ keys: honest.map(({ jwk }) => jwk) }));
  issuer.keys.splice(0, 1, other);
  for (let sign = 0; sign < 4; sign++) await fails(browser, issuer);
  assert.equal(issuer.count("jwks"), 2);
  assert.ok(issuer.count("discovery") <= 2);
});
