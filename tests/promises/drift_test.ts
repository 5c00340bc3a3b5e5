import { test } from "node:test";
import assert from "node:assert/strict";
import { driftOf, type Metadata, metadataUrlOf, type Recorded } from "../../scripts/check_drift.ts";
import { loadCatalogue } from "../../scripts/provider_docs.ts";
import { readFileSync } from "node:fs";
import { type OAuthProvider, oauthProvider, oidcProvider } from "../../src/contract/provider.ts";

const ISSUER = "https://id.acme.example";

const FACTS: Recorded = {
  issuer: ISSUER,
  discovery_url: `${ISSUER}/.well-known/openid-configuration`,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  userinfo_endpoint: null,
  jwks_uri: `${ISSUER}/jwks`,
};

const METADATA: Metadata = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  jwks_uri: `${ISSUER}/jwks`,
  code_challenge_methods_supported: ["S256"],
  token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
  id_token_signing_alg_values_supported: ["RS256", "ES256"],
  scopes_supported: ["openid", "email"],
};

const PROVIDER = oidcProvider({
  id: "acme",
  name: "Acme",
  issuer: ISSUER,
  authorization: { params: { scope: "openid email" } },
  checks: ["state", "pkce", "nonce"],
  client: { token_endpoint_auth_method: "client_secret_post", id_token_signed_response_alg: "ES256" },
}, {});

test("a provider that publishes what its file says has not drifted", () => {
  assert.deepEqual(driftOf(PROVIDER, FACTS, METADATA), []);
});

test("each change of the metadata is reported once", () => {
  const rows: [change: Metadata, line: RegExp][] = [
    [{ issuer: "https://id.acme.test" }, /^issuer is/],
    [{ authorization_endpoint: `${ISSUER}/v2/authorize` }, /^authorization_endpoint is/],
    [{ token_endpoint: `${ISSUER}/v2/token` }, /^token_endpoint is/],
    [{ jwks_uri: undefined }, /^jwks_uri is no longer published/],
    [{ code_challenge_methods_supported: ["plain"] }, /^code_challenge_methods_supported has no S256/],
    [{ token_endpoint_auth_methods_supported: ["private_key_jwt"] }, /has no client_secret_post/],
    [{ id_token_signing_alg_values_supported: ["RS256"] }, /has no ES256/],
    [{ scopes_supported: ["openid"] }, /^scopes_supported has no email/],
    [
      { authorization_response_iss_parameter_supported: true },
      /^authorization_response_iss_parameter_supported is true/,
    ],
  ];
  for (const [change, line] of rows) {
    const lines = driftOf(PROVIDER, FACTS, { ...METADATA, ...change });
    assert.equal(lines.length, 1, JSON.stringify(change));
    assert.match(lines[0] ?? "", line);
  }
});

test("PKCE and logout that a provider offers now are reported", () => {
  const provider = { ...PROVIDER, checks: ["state", "nonce"] as const, logoutFallback: { url: "/logout" } };
  const lines = driftOf(provider, FACTS, { ...METADATA, end_session_endpoint: `${ISSUER}/end` });
  assert.deepEqual(lines, [
    "code_challenge_methods_supported has S256 now: `checks` can have pkce",
    "end_session_endpoint is published now: `logoutFallback` is not needed",
  ]);
});

test("metadata that does not say what it offers is not drift", () => {
  const { issuer, authorization_endpoint, token_endpoint, jwks_uri } = METADATA;
  assert.deepEqual(driftOf(PROVIDER, FACTS, { issuer, authorization_endpoint, token_endpoint, jwks_uri }), []);
});

test("an endpoint of a plain provider is compared without its query", () => {
  const endpoints = {
    authorization: { url: `${ISSUER}/authorize?theme=dark` },
    token: `${ISSUER}/token`,
    userinfo: { url: new URL(`${ISSUER}/me`) },
  };
  const plain: OAuthProvider = oauthProvider({ id: "acme", name: "Acme", checks: ["state", "pkce"], ...endpoints }, {});
  const lines = driftOf(plain, { ...FACTS, userinfo_endpoint: `${ISSUER}/old` }, {
    ...METADATA,
    userinfo_endpoint: `${ISSUER}/userinfo`,
  });
  assert.deepEqual(lines, [`userinfo_endpoint is ${ISSUER}/userinfo, here ${ISSUER}/me`]);
});

test("only metadata at a fixed URL is read", () => {
  const rows: [facts: Recorded, url: string | undefined][] = [
    [FACTS, `${ISSUER}/.well-known/openid-configuration`],
    [{ issuer: ISSUER }, `${ISSUER}/.well-known/openid-configuration`],
    [{ discovery_url: "https://{domain}/.well-known/openid-configuration" }, undefined],
    [{ issuer: "https://{domain}" }, undefined],
  ];
  for (const [facts, url] of rows) assert.equal(metadataUrlOf(PROVIDER, facts), url);
});

test("no provider has drifted from the endpoints that were recorded for it", async () => {
  let compared = 0;
  for (const { provider } of await loadCatalogue()) {
    const file = new URL(`../catalogue/${provider.id.replaceAll("-", "_")}.json`, import.meta.url);
    const { facts, differences = {} } = JSON.parse(readFileSync(file, "utf8"));
    if (metadataUrlOf(provider, facts) === undefined || facts.endpoint_origin !== "discovery") continue;
    const recorded = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
    const known = Object.keys(differences).some((name) => /endpoint|issuer|jwks/.test(name));
    assert.deepEqual(known ? [] : driftOf(provider, facts, recorded), [], provider.id);
    compared++;
  }
  assert.ok(compared >= 15, `only ${compared} were compared`);
});
