import assert from "node:assert/strict";
import { createHmac, createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { test } from "node:test";
import { InvalidConfig, type OAuthCallbackError, OAuthProviderError } from "../../../src/kernel/errors.ts";
import type { ClientMetadata } from "../../../src/contract/client_metadata.ts";
import type { OAuthProvider, TokenEndpoint } from "../../../src/contract/provider.ts";
import { CLIENT, createIssuer, type Issuer, json } from "../../_support/issuer.ts";
import { NOW, visit } from "./_flow.ts";

test("a provider that refuses the code causes an OAuthCallbackError with its error code", async () => {
  for (
    const [status, error] of [
      [400, "invalid_grant"],
      [200, "bad_verification_code"],
      [500, "server_error"],
      [503, "try_later"],
    ] as const
  ) {
    const issuer = createIssuer();
    issuer.override("token", () => json({ error, error_description: "why" }, status, { "www-authenticate": "Basic" }));
    await assert.rejects(() => visit(issuer).signIn(issuer), (thrown: OAuthCallbackError) => {
      assert.deepEqual(thrown.cause, { error, error_description: "why", status });
      return thrown.type === "OAuthCallbackError";
    });
  }
});

test("a provider that refuses the client causes an OAuthProviderError with its error code", async () => {
  for (
    const [status, error, remedy] of [
      [401, "invalid_client", /`clientId` and `clientSecret`/],
      [400, "unauthorized_client", /`clientSecret`, and that \S+ is registered there/],
      [400, "invalid_request", /`clientSecret`, and that \S+ is registered there/],
      [400, "invalid_scope", /`clientSecret`, and that \S+ is registered there/],
      [400, "unsupported_grant_type", /`clientSecret`, and that \S+ is registered there/],
      [200, "incorrect_client_credentials", /`clientId` and `clientSecret`/],
      [200, "redirect_uri_mismatch", /register \S+ there as its redirect URI/],
      [400, "E-4711", /`clientSecret`, and that \S+ is registered there/],
    ] as const
  ) {
    const issuer = createIssuer();
    issuer.override("token", () => json({ error, error_description: "canary" }, status));
    await assert.rejects(() => visit(issuer).signIn(issuer), (thrown: OAuthProviderError) => {
      assert.deepEqual(thrown.cause, { error, error_description: "canary", status });
      assert.match(thrown.message, remedy);
      assert.doesNotMatch(thrown.message, /canary/);
      return thrown.type === "OAuthProviderError";
    });
  }
});

test("token_type is bearer or dpop, in upper or lower case", async () => {
  for (const [given, kept] of [["Bearer", "bearer"], ["BEARER", "bearer"], ["DPoP", "dpop"]] as const) {
    const issuer = createIssuer();
    issuer.grant({ token_type: given });
    const { account } = await visit(issuer, issuer.oauthProvider()).signIn(issuer);
    assert.equal(account.token_type, kept);
  }
});

test("members of a token response that are null are left out", async () => {
  const issuer = createIssuer();
  issuer.grant({ refresh_token: null, scope: null, id_token: null });
  const { account } = await visit(issuer, issuer.oauthProvider()).signIn(issuer);
  assert.equal("refresh_token" in account || "scope" in account || "id_token" in account, false);
});

async function tokenRequest(issuer: Issuer, provider: Partial<OAuthProvider>) {
  await visit(issuer, issuer.oauthProvider(provider)).signIn(issuer);
  const request = issuer.requests.find(({ endpoint }) => endpoint === "token");
  assert.ok(request);
  return request;
}

test("the token request is a form with code, redirect_uri and verifier", async () => {
  const issuer = createIssuer();
  const { method, headers, form } = await tokenRequest(issuer, {});
  assert.equal(method, "POST");
  assert.equal(headers.get("content-type"), "application/x-www-form-urlencoded");
  assert.equal(headers.get("accept"), "application/json");
  assert.deepEqual([...form.keys()].sort(), ["code", "code_verifier", "grant_type", "redirect_uri"]);
  assert.equal(form.get("grant_type"), "authorization_code");
  assert.equal(form.get("redirect_uri"), "https://app.test/auth/callback/idp");
});

test("parameters of the token endpoint are added to its URL, and to nothing else", async () => {
  const issuer = createIssuer();
  const token = { url: `${issuer.url}/token?tenant=1`, params: { appid: "a b", tenant: 2, none: undefined } };
  const { url, form } = await tokenRequest(issuer, { token });
  assert.equal(url, `${issuer.url}/token?tenant=2&appid=a+b`);
  assert.equal(form.has("appid"), false);
  const { form: signed } = await tokenRequest(createIssuer(), {
    token,
    client: { token_endpoint_auth_method: "client_secret_jwt" },
  });
  const [, claims = ""] = (signed.get("client_assertion") ?? "").split(".");
  assert.equal(JSON.parse(atob(claims)).aud, `${issuer.url}/token?tenant=1`);
});

test("without the pkce check no verifier is sent", async () => {
  const issuer = createIssuer();
  const { form } = await tokenRequest(issuer, { checks: ["state"] });
  assert.equal(form.has("code_verifier"), false);
});

test("client_secret_basic is the default and encodes like Auth.js", async () => {
  for (const client of [{}, { token_endpoint_auth_method: "client_secret_basic" }] as const) {
    const issuer = createIssuer();
    const secrets = { clientId: "id:ü ~", clientSecret: "a b+c%d!'()*-_.~/é" };
    const { headers, form } = await tokenRequest(issuer, { client, ...secrets });
    const [scheme, credentials = ""] = (headers.get("authorization") ?? "").split(" ");
    assert.equal(scheme, "Basic");
    assert.equal(atob(credentials), "id%3A%C3%BC+~:a+b%2Bc%25d!'()*-_.~%2F%C3%A9");
    assert.equal(form.has("client_id") || form.has("client_secret"), false);
  }
});

test("client_secret_post sends id and secret in the form", async () => {
  const issuer = createIssuer();
  const { headers, form } = await tokenRequest(issuer, {
    client: { token_endpoint_auth_method: "client_secret_post" },
  });
  assert.equal(headers.has("authorization"), false);
  assert.equal(form.get("client_id"), CLIENT.id);
  assert.equal(form.get("client_secret"), CLIENT.secret);
});

test("none sends only the id in the form, and needs no secret", async () => {
  const issuer = createIssuer();
  const client = { token_endpoint_auth_method: "none" } as const;
  const { headers, form } = await tokenRequest(issuer, { client, clientSecret: undefined });
  assert.equal(headers.has("authorization"), false);
  assert.equal(form.get("client_id"), CLIENT.id);
  assert.equal(form.has("client_secret"), false);
});

function parts(
  assertion: string,
): { header: Record<string, unknown>; claims: Record<string, unknown>; signed: string; signature: Buffer } {
  const [header = "", claims = "", signature = ""] = assertion.split(".");
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
  return {
    header: read(header),
    claims: read(claims),
    signed: `${header}.${claims}`,
    signature: Buffer.from(signature, "base64url"),
  };
}

test("client_secret_jwt sends an assertion signed with the secret", async () => {
  const issuer = createIssuer();
  const client = { token_endpoint_auth_method: "client_secret_jwt" } as const;
  const { form } = await tokenRequest(issuer, { client, issuer: issuer.url });
  const { header, claims, signed, signature } = parts(form.get("client_assertion") ?? "");
  assert.equal(header.alg, "HS256");
  assert.deepEqual(signature, createHmac("sha256", CLIENT.secret).update(signed).digest());
  assert.equal(claims.aud, issuer.url);
  assert.equal(claims.exp, NOW + 60);
  assert.equal(form.get("client_id"), CLIENT.id);
  assert.equal(form.has("client_secret"), false);
});

test("private_key_jwt sends a new, short-lived assertion each time, signed with the client's key", async () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const es256 = { name: "ECDSA", namedCurve: "P-256" };
  const pkcs8 = Uint8Array.from(privateKey.export({ type: "pkcs8", format: "der" }));
  const key = await crypto.subtle.importKey("pkcs8", pkcs8, es256, false, ["sign"]);
  const ids = new Set<unknown>();
  for (const clientPrivateKey of [key, { key }, { key, kid: "k1" }]) {
    const issuer = createIssuer();
    const { form } = await tokenRequest(issuer, {
      client: { token_endpoint_auth_method: "private_key_jwt" },
      clientSecret: undefined,
      issuer: issuer.url,
      token: { url: `${issuer.url}/token`, clientPrivateKey },
    });
    const { header, claims, signed, signature } = parts(form.get("client_assertion") ?? "");
    assert.equal(form.get("client_assertion_type"), "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    assert.equal(header.alg, "ES256");
    assert.equal(header.kid, "kid" in clientPrivateKey ? "k1" : undefined);
    assert.ok(
      verify("sha256", Buffer.from(signed), { key: createPublicKey(privateKey), dsaEncoding: "ieee-p1363" }, signature),
    );
    const { jti, ...others } = claims;
    ids.add(jti);
    assert.deepEqual(others, {
      aud: issuer.url,
      iss: CLIENT.id,
      sub: CLIENT.id,
      iat: NOW,
      nbf: NOW,
      exp: NOW + 60,
    });
  }
  assert.equal(ids.size, 3);
});

/** What the server lists, what the client has registered, and the name that assertions have then. */
const EDWARDS:
  readonly (readonly [offered: readonly string[] | undefined, registered: string | undefined, name: string])[] = [
    [["ES256", "EdDSA"], undefined, "EdDSA"],
    [["ES256", "Ed25519"], undefined, "Ed25519"],
    [["EdDSA", "Ed25519"], undefined, "Ed25519"],
    [["EdDSA", "Ed25519"], "EdDSA", "EdDSA"],
    [["EdDSA"], "Ed25519", "Ed25519"],
    [["ES256"], undefined, "EdDSA"],
    [undefined, undefined, "EdDSA"],
  ];

for (const [offered, registered, name] of EDWARDS) {
  test(`private_key_jwt by Ed25519 says ${name} to a server that lists ${offered}, registered as ${registered}`, async () => {
    const { privateKey } = await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]) as CryptoKeyPair;
    const issuer = createIssuer({ metadata: { token_endpoint_auth_signing_alg_values_supported: offered } });
    const client = { token_endpoint_auth_method: "private_key_jwt", token_endpoint_auth_signing_alg: registered };
    const provider = issuer.provider({ client, clientSecret: undefined, token: { clientPrivateKey: privateKey } });
    await visit(issuer, provider).signIn(issuer);
    const [request] = issuer.requests.filter(({ endpoint }) => endpoint === "token");
    assert.equal(parts(request?.form.get("client_assertion") ?? "").header.alg, name);
  });
}

test("an assertion for which the client is registered with another algorithm is not sent", async () => {
  const { privateKey } = await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]) as CryptoKeyPair;
  const issuer = createIssuer();
  const client = { token_endpoint_auth_method: "private_key_jwt", token_endpoint_auth_signing_alg: "ES256" };
  const provider = issuer.provider({ client, clientSecret: undefined, token: { clientPrivateKey: privateKey } });
  await assert.rejects(() => visit(issuer, provider).signIn(issuer), /token_endpoint_auth_signing_alg` is ES256/);
  assert.equal(issuer.count("token"), 0);
});

test("the audience of an assertion is the token endpoint where the provider has no issuer", async () => {
  const issuer = createIssuer();
  const { form } = await tokenRequest(issuer, { client: { token_endpoint_auth_method: "client_secret_jwt" } });
  assert.equal(parts(form.get("client_assertion") ?? "").claims.aud, `${issuer.url}/token`);
});

test("an unknown token_endpoint_auth_method, or one without its secret or key, is an InvalidConfig", async () => {
  const wrong: readonly Partial<OAuthProvider>[] = [
    { client: { token_endpoint_auth_method: "tls_client_auth" } as unknown as ClientMetadata },
    { client: { token_endpoint_auth_method: "constructor" } as unknown as ClientMetadata },
    { client: { token_endpoint_auth_method: "private_key_jwt" } },
    { clientSecret: undefined },
    { clientSecret: undefined, client: { token_endpoint_auth_method: "client_secret_post" } },
    { clientSecret: undefined, client: { token_endpoint_auth_method: "client_secret_jwt" } },
  ];
  for (const overrides of wrong) {
    const issuer = createIssuer();
    await assert.rejects(() => tokenRequest(issuer, overrides), InvalidConfig, JSON.stringify(overrides));
    assert.equal(issuer.count("token"), 0);
  }
});

test("token.conform may replace a token response", async () => {
  const issuer = createIssuer();
  issuer.override("token", () => new Response("access_token=a&token_type=bearer"));
  const conform: TokenEndpoint["conform"] = async (response) => {
    return Response.json(Object.fromEntries(new URLSearchParams(await response.text())));
  };
  const token = { url: `${issuer.url}/token`, conform };
  const { account } = await visit(issuer, issuer.oauthProvider({ token })).signIn(issuer);
  assert.equal(account.access_token, "a");
  const honest = createIssuer();
  const leave = async (response: Response) => void await response.text();
  const left = honest.oauthProvider({
    token: { url: `${honest.url}/token`, conform: leave as TokenEndpoint["conform"] },
  });
  assert.ok(await visit(honest, left).signIn(honest));
});

test("a token handler gets provider, parameters, checks and the limited fetch, and may wrap its tokens", async () => {
  for (const wrap of [true, false]) {
    const issuer = createIssuer();
    const provider = issuer.oauthProvider({
      issuer: issuer.url,
      checks: ["pkce", "state", "nonce"],
      token: async ({ provider, params, checks, fetch }) => {
        assert.equal(provider.callbackUrl, "https://app.test/auth/callback/idp");
        assert.equal(checks.code_verifier?.length, 43);
        assert.equal(checks.nonce?.length, 43);
        assert.equal(checks.state, params.get("state"));
        assert.equal(params.code, params.get("code"));
        assert.equal(params.state, params.get("state"));
        assert.equal(String(provider.userinfo.url), `${issuer.url}/userinfo`);
        provider.userinfo.url?.searchParams.set("changed", "1");
        const body = new URLSearchParams({
          code: params.get("code") ?? "",
          code_verifier: checks.code_verifier ?? "",
          redirect_uri: provider.callbackUrl,
        });
        const { access_token } = await (await fetch(`${issuer.url}/token`, { method: "POST", body })).json();
        const tokens = { access_token, custom: 1 };
        return wrap ? { tokens } : tokens;
      },
    });
    const { account } = await visit(issuer, provider).signIn(issuer);
    assert.match(account.access_token ?? "", /^access-/);
    assert.equal(account.custom, 1);
    assert.equal(account.token_type, "bearer");
  }
});

test("an id_token of a token handler is verified like any other", async () => {
  const issuer = createIssuer();
  const claims = { iss: issuer.url, aud: CLIENT.id, sub: "ada-1", iat: NOW, exp: NOW + 60 };
  const tokens = (change: object) => ({ checks: { nonce } }: { readonly checks: { readonly nonce?: string } }) => ({
    access_token: "a",
    id_token: issuer.sign({ ...claims, nonce, ...change }),
  });
  const good = issuer.provider({ token: tokens({}) });
  assert.ok(await visit(issuer, good).signIn(issuer));
  const bad = issuer.provider({ token: tokens({ aud: "x" }) });
  await assert.rejects(() => visit(issuer, bad).signIn(issuer), OAuthProviderError);
});
