/** What the FAPI 2.0 Security Profile demands of a client, and of the provider that the client may use. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { OidcProvider } from "@x/auth";
import { InvalidConfig, OAuthProviderError } from "../../src/kernel/errors.ts";
import { clientKey, createFrontIssuer } from "../_support/front_issuer.ts";
import { type Change, makeKey } from "../_support/issuer.ts";
import { visit } from "../unit/oauth/_flow.ts";

const key = await clientKey();
const rsaKey = await signingKey(rsa("RSASSA-PKCS1-v1_5"));

function rsa(name: string, modulusLength = 2048): RsaHashedKeyGenParams {
  return { name, modulusLength, publicExponent: new Uint8Array([1, 0, 1]), hash: "SHA-256" };
}

async function signingKey(algorithm: RsaHashedKeyGenParams | EcKeyGenParams): Promise<CryptoKey> {
  return (await crypto.subtle.generateKey(algorithm, false, ["sign", "verify"]) as CryptoKeyPair).privateKey;
}

/** What a provider announces that fits the profile. */
const METADATA: Change = {
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  token_endpoint_auth_methods_supported: ["private_key_jwt"],
  id_token_signing_alg_values_supported: ["RS256", "ES256"],
  dpop_signing_alg_values_supported: ["RS256", "ES256"],
};

const CLIENT: Partial<OidcProvider> = {
  securityProfile: "fapi2",
  clientSecret: undefined,
  token: { clientPrivateKey: key.key },
};

async function start(metadata: Change, overrides: Partial<OidcProvider>) {
  const issuer = createFrontIssuer({ metadata: { ...METADATA, ...metadata } });
  issuer.keys.splice(0, issuer.keys.length, makeKey("ES256"));
  const browser = visit(issuer, issuer.provider({ ...CLIENT, ...overrides }));
  return { issuer, browser, location: await browser.start() };
}

test("a sign-in under the profile is pushed, bound to a key, and authenticated by a key", async () => {
  const { issuer, location } = await start({}, {});
  assert.deepEqual([...new URL(location).searchParams.keys()].toSorted(), ["client_id", "request_uri"]);
  const form = issuer.pushed[0]?.form;
  assert.ok(form?.get("client_assertion") && form.get("dpop_jkt") && form.get("code_challenge"));
  assert.equal(form?.get("code_challenge_method"), "S256");
});

const PROVIDERS: readonly (readonly [demand: string, metadata: Change, says: RegExp])[] = [
  ["5.3.2.2: it accepts pushed requests", { pushed_authorization_request_endpoint: undefined }, /pushed_authorization/],
  ["5.3.2.2: it supports PKCE with S256", { code_challenge_methods_supported: ["plain"] }, /S256/],
  ["5.3.2.2: it says that it supports PKCE", { code_challenge_methods_supported: undefined }, /S256/],
  ["5.3.2.2: its responses name it", { authorization_response_iss_parameter_supported: undefined }, /_iss_parameter/],
  ["5.4.1: it signs with PS256, ES256 or EdDSA", { id_token_signing_alg_values_supported: ["RS256"] }, /one of PS256/],
  ["5.4.1: it lists what it signs with", { id_token_signing_alg_values_supported: undefined }, /one of PS256/],
];

for (const [demand, metadata, says] of PROVIDERS) {
  test(`section ${demand}; another provider is refused`, async () => {
    await assert.rejects(
      start(metadata, {}),
      (error) => error instanceof OAuthProviderError && says.test(error.message),
    );
  });
}

test("section 5.3.2.2: signed responses name their issuer as well", async () => {
  const metadata = {
    authorization_response_iss_parameter_supported: undefined,
    authorization_signing_alg_values_supported: ["ES256"],
  };
  await start(metadata, { authorization: { params: { response_mode: "jwt" } } });
});

const CLIENTS: readonly (readonly [demand: string, overrides: Partial<OidcProvider>, says: RegExp])[] = [
  [
    "5.3.3.1: the client has no shared secret",
    { clientSecret: "x", token: {} },
    /authenticates by client_secret_basic/,
  ],
  [
    "5.3.3.1: the client authenticates by a key, even if it has a secret besides",
    { clientSecret: "x", client: { token_endpoint_auth_method: "client_secret_post" } },
    /authenticates by client_secret_post/,
  ],
  ["5.3.3.1: a public client is none", { client: { token_endpoint_auth_method: "none" } }, /authenticates by none/],
  [
    "5.3.3.1: assertions are for the issuer",
    { token: { clientPrivateKey: key.key, clientAssertionAudience: "token_endpoint" } },
    /clientAssertionAudience/,
  ],
  ["5.3.3.1: access tokens are bound", { client: { dpop_bound_access_tokens: false } }, /must be bound/],
  ["5.3.3.2: requests have PKCE", { checks: ["state", "nonce"] }, /`checks`/],
  ["5.4.1: no signature is RS256", { token: { clientPrivateKey: rsaKey } }, /clientPrivateKey/],
  ["5.4.1: no id_token is RS256", { client: { id_token_signed_response_alg: "RS256" } }, /id_token_signed/],
  ["5.4.1: no answer is RS256", { client: { userinfo_signed_response_alg: "RS256" } }, /userinfo_signed/],
  ["5.4.1: no response is RS256", { client: { authorization_signed_response_alg: "RS256" } }, /authorization_signed/],
  ["5.4.1: no request is RS256", { authorization: { requestObjectKey: rsaKey } }, /requestObjectKey/],
];

for (const [demand, overrides, says] of CLIENTS) {
  test(`section ${demand}`, async () => {
    await assert.rejects(start({}, overrides), (error) => error instanceof InvalidConfig && says.test(error.message));
  });
}

test("section 5.4.2: keys of RSA have at least 2048 bits, and those of curves are of P-256", async () => {
  const keys = [
    await signingKey(rsa("RSA-PSS", 1024)),
    await signingKey({ name: "ECDSA", namedCurve: "P-384" }),
  ];
  for (const clientPrivateKey of keys) {
    await assert.rejects(start({}, { token: { clientPrivateKey } }), /`token.clientPrivateKey` must sign/);
  }
  await start({}, { token: { clientPrivateKey: await signingKey(rsa("RSA-PSS")) } });
});

test("section 5.4.1: an id_token with RS256 is refused although the metadata lists that too", async () => {
  const { issuer, browser, location } = await start({}, {});
  issuer.keys.splice(0, issuer.keys.length, makeKey("RS256"));
  const { params } = await issuer.consent(location);
  params.set("iss", issuer.url);
  await assert.rejects(browser.finish(params), OAuthProviderError);
  assert.deepEqual(browser.signedIn, []);
});

test("section 5.3.2.2: a response without iss is refused", async () => {
  const { issuer, browser, location } = await start({}, {});
  const { params } = await issuer.consent(location);
  params.delete("iss");
  await assert.rejects(browser.finish(params), OAuthProviderError);
});
