/** The vendor that the tests of the catalogue sign in at sees each mistake of a provider: otherwise they would prove nothing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createAuth } from "../../../src/auth.ts";
import { customFetch, type OAuthProvider, type OidcProvider, type Provider } from "../../../src/contract/provider.ts";
import { readJson } from "../../../src/contract/provider_answers.ts";
import { CatalogueDouble } from "../../_support/catalogue_double.ts";
import { type Entry, type Facts, type Sample, Templates } from "../../_support/catalogue_facts.ts";
import { Visitor } from "../../_support/both_libraries.ts";
import { recordLog, SECRET } from "../../_support/service.ts";

const CLIENT = { clientId: "client 1", clientSecret: "0123456789abcdef0123456789abcdef" } as const;

const FACTS: Facts = {
  id: "vendor",
  name: "Vendor",
  type: "oauth",
  issuer: null,
  discovery: false,
  discovery_url: null,
  authorization_endpoint: "https://vendor.test/authorize?kept=1",
  token_endpoint: "https://vendor.test/token",
  userinfo_endpoint: "https://api.vendor.test/me",
  jwks_uri: null,
  refresh_endpoint: null,
  revocation_endpoint: null,
  endpoint_origin: "static",
  scopes: ["a", "b"],
  scope_separator: ",",
  extra_authorization_params: { app: "{client_id}", lang: "en" },
  response_mode: null,
  recommended_checks: ["state", "pkce"],
  pkce: "supported",
  token_endpoint_auth_method: "client_secret_post",
  id_token_signed_response_alg: null,
  required_options: [],
  profile_source: "userinfo",
  profile: { id: { path: "$.id", fallbacks: [] } },
  userinfo_quirks: {},
  brand: null,
  docs_url: null,
  status: "active",
};

const SAMPLE: Sample = {
  token: { access_token: "access-of-the-vendor", token_type: "bearer" },
  answers: { "GET https://api.vendor.test/me": { id: 1 } },
  demands: {
    "POST https://vendor.test/token": { form: { action: "*" } },
    "GET https://api.vendor.test/me": { headers: { "x-key": "{clientId}" }, query: { v: "2" } },
  },
  user: { id: "1" },
};

function entryOf(facts: Partial<Facts> = {}, sample: Partial<Sample> = {}): Entry {
  return { file: "vendor", facts: { ...FACTS, ...facts }, differences: {}, sample: { ...SAMPLE, ...sample } };
}

const AUTHORIZATION = {
  url: "https://vendor.test/authorize?kept=1",
  params: { scope: "a b", app: CLIENT.clientId, lang: "en" },
  scopeSeparator: ",",
};

const TOKEN = { url: "https://vendor.test/token", form: { action: "token" } };

/** A provider that does all that the vendor demands. */
const RIGHT: OAuthProvider = {
  id: "vendor",
  name: "Vendor",
  type: "oauth",
  authorization: AUTHORIZATION,
  token: TOKEN,
  userinfo: {
    url: "https://api.vendor.test/me",
    request: (context) => {
      const request = { headers: { "x-key": context.provider.clientId }, query: { v: "2" } };
      return readJson(context, "https://api.vendor.test/me", request);
    },
  },
  checks: ["state", "pkce"],
  client: { token_endpoint_auth_method: "client_secret_post" },
  profile: ({ id }) => ({ id: String(id) }),
};

async function signIn(entry: Entry, provider: Provider) {
  const double = new CatalogueDouble(entry, CLIENT);
  const { logger, errors } = recordLog();
  let isSignedIn = false;
  const { handler } = createAuth({
    secret: SECRET,
    trustHost: true,
    logger,
    providers: [{ ...provider, ...CLIENT, [customFetch]: double.fetch } as Provider],
    callbacks: { signIn: () => isSignedIn = true },
  });
  const visitor = new Visitor(handler);
  const location = await visitor.start("vendor");
  if (errors.length === 0) {
    const { params, posted } = double.consent(location);
    await visitor.comeBack("vendor", params, posted);
  }
  return { isSignedIn, fields: double.missed.map(({ field }) => field), errors: errors.map(String), double };
}

test("a provider that does all that the vendor demands signs in", async () => {
  const { isSignedIn, fields, errors } = await signIn(entryOf(), RIGHT);
  assert.deepEqual({ isSignedIn, fields, errors }, { isSignedIn: true, fields: [], errors: [] });
});

/** Mistakes of a provider, and the demands that they miss. */
const MISTAKES: Readonly<Record<string, readonly [change: Partial<OAuthProvider>, field: string]>> = {
  "another authorization endpoint": [
    { authorization: { ...AUTHORIZATION, url: "https://vendor.test/oauth?kept=1" } },
    "authorization_endpoint",
  ],
  "a lost parameter of the endpoint": [
    { authorization: { ...AUTHORIZATION, url: "https://vendor.test/authorize" } },
    "authorization_endpoint",
  ],
  "a scope too few": [
    { authorization: { ...AUTHORIZATION, params: { ...AUTHORIZATION.params, scope: "a" } } },
    "scopes",
  ],
  "a scope too many": [
    { authorization: { ...AUTHORIZATION, params: { ...AUTHORIZATION.params, scope: "a b c" } } },
    "scopes",
  ],
  "another separator": [{ authorization: { ...AUTHORIZATION, scopeSeparator: " " } }, "scopes"],
  "a parameter that is missing": [
    { authorization: { ...AUTHORIZATION, params: { scope: "a b", lang: "en" } } },
    "extra_authorization_params",
  ],
  "a parameter that nobody knows": [
    { authorization: { ...AUTHORIZATION, params: { ...AUTHORIZATION.params, more: "1" } } },
    "extra_authorization_params",
  ],
  "another response_mode": [
    { authorization: { ...AUTHORIZATION, params: { ...AUTHORIZATION.params, response_mode: "query" } } },
    "response_mode",
  ],
  "no PKCE": [{ checks: ["state"] }, "recommended_checks"],
  "no state": [{ checks: ["none"] }, "recommended_checks"],
  "another method of PKCE": [{ authorization: { ...AUTHORIZATION, codeChallengeMethod: "plain" } }, "pkce"],
  "another token endpoint": [{ token: { ...TOKEN, url: "https://vendor.test/tokens" } }, "endpoint"],
  "the secret in a header": [
    { client: { token_endpoint_auth_method: "client_secret_basic" } },
    "token_endpoint_auth_method",
  ],
  "no secret": [{ client: { token_endpoint_auth_method: "none" } }, "token_endpoint_auth_method"],
  "a parameter of the token request that is missing": [{ token: TOKEN.url }, "demands"],
  "another code": [{ token: { ...TOKEN, request: tokenHandler({ code: "another" }) } }, "protocol"],
  "another redirect_uri": [
    { token: { ...TOKEN, request: tokenHandler({ redirect_uri: "https://x.test/" }) } },
    "protocol",
  ],
  "another verifier": [{ token: { ...TOKEN, request: tokenHandler({ code_verifier: "another" }) } }, "protocol"],
  "another grant": [{ token: { ...TOKEN, request: tokenHandler({ grant_type: "password" }) } }, "protocol"],
  "another userinfo endpoint": [{ userinfo: "https://api.vendor.test/you" }, "endpoint"],
  "a header of userinfo that is missing": [{ userinfo: "https://api.vendor.test/me?v=2" }, "demands"],
  "no access token": [
    { userinfo: { url: "https://api.vendor.test/me", request: userinfoHandler({ scheme: null }) } },
    "token",
  ],
  "another scheme": [
    { userinfo: { url: "https://api.vendor.test/me", request: userinfoHandler({ scheme: "OAuth" }) } },
    "token",
  ],
};

type TokenRequest = Extract<Exclude<OAuthProvider["token"], string>, (...args: never) => unknown>;

function tokenHandler(lies: Readonly<Record<string, string>>): TokenRequest {
  return async ({ provider, params, checks, fetch }) => {
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      code: params.get("code") ?? "",
      redirect_uri: provider.callbackUrl,
      client_id: provider.clientId,
      client_secret: provider.clientSecret ?? "",
      code_verifier: checks.code_verifier ?? "",
      action: "token",
      ...lies,
    });
    // Bun leaves the type out.
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return await (await fetch(TOKEN.url, { method: "POST", headers, body: String(body) })).json();
  };
}

type UserinfoRequest = Extract<Exclude<OAuthProvider["userinfo"], string>, (...args: never) => unknown>;

function userinfoHandler(lies: Parameters<typeof readJson>[2]): UserinfoRequest {
  return (context) => {
    const request = { headers: { "x-key": context.provider.clientId }, query: { v: "2" }, ...lies };
    return readJson(context, "https://api.vendor.test/me", request);
  };
}

test("a token handler and a userinfo handler that lie about nothing sign in", async () => {
  const { isSignedIn, fields } = await signIn(entryOf(), {
    ...RIGHT,
    token: { ...TOKEN, request: tokenHandler({}) },
    userinfo: { url: "https://api.vendor.test/me", request: userinfoHandler({}) },
  });
  assert.deepEqual({ isSignedIn, fields }, { isSignedIn: true, fields: [] });
});

for (const [mistake, [change, field]] of Object.entries(MISTAKES)) {
  test(`the vendor sees ${mistake}`, async () => {
    const { fields, isSignedIn } = await signIn(entryOf(), { ...RIGHT, ...change } as Provider);
    assert.ok(fields.includes(field), fields.join());
    const isOfUrl = !["endpoint", "demands", "protocol", "token", "token_endpoint_auth_method"].includes(field);
    assert.equal(isSignedIn, isOfUrl, "what does not fit is refused");
  });
}

const OIDC: Partial<Facts> = {
  type: "oidc",
  issuer: "https://{tenant}.vendor.test/",
  discovery: true,
  jwks_uri: "https://{tenant}.vendor.test/keys",
  endpoint_origin: "discovery",
  authorization_endpoint: "https://{tenant}.vendor.test/authorize",
  token_endpoint: "{issuer}/token",
  userinfo_endpoint: null,
  scopes: ["openid", "profile", "email"],
  scope_separator: " ",
  extra_authorization_params: {},
  recommended_checks: ["state", "pkce", "nonce"],
  token_endpoint_auth_method: "client_secret_basic",
  profile_source: "id_token",
};

const RIGHT_OIDC: OidcProvider = {
  id: "vendor",
  name: "Vendor",
  type: "oidc",
  issuer: "https://ada.vendor.test",
  checks: ["state", "pkce", "nonce"],
};

function oidcEntry(facts: Partial<Facts> = {}, sample: Partial<Sample> = {}): Entry {
  const options = { issuer: "https://ada.vendor.test" };
  const claims = { sub: "1", name: "Ada", email: "ada@example.com" };
  return entryOf({ ...OIDC, ...facts }, { options, claims, answers: {}, demands: {}, ...sample });
}

test("a vendor with OpenID Connect has the metadata of its facts, and signs what the algorithm says", async () => {
  for (const alg of [null, "ES256", "ES384", "HS256"]) {
    const client = alg?.startsWith("HS") ? { client: { id_token_signed_response_alg: alg } } : {};
    const entry = oidcEntry({ id_token_signed_response_alg: alg });
    const { isSignedIn, fields, errors } = await signIn(entry, { ...RIGHT_OIDC, ...client });
    assert.deepEqual({ isSignedIn, fields, errors }, { isSignedIn: true, fields: [], errors: [] }, String(alg));
  }
});

/** Mistakes of a provider with OpenID Connect, and what the log says or the vendor misses. */
const OIDC_MISTAKES: Readonly<Record<string, readonly [change: Partial<OidcProvider>, seen: RegExp]>> = {
  "no nonce": [{ checks: ["state", "pkce"] }, /recommended_checks/],
  "another issuer": [{ issuer: "https://eve.vendor.test" }, /endpoint|metadata/],
  "an algorithm that is not the vendor's": [{ client: { id_token_signed_response_alg: "ES256" } }, /"alg" header/],
  "another client authentication": [
    { client: { token_endpoint_auth_method: "client_secret_post" } },
    /token_endpoint_auth_method/,
  ],
  "a userinfo endpoint that there is not": [{ idToken: false }, /userinfo/],
};

for (const [mistake, [change, seen]] of Object.entries(OIDC_MISTAKES)) {
  test(`the vendor with OpenID Connect sees ${mistake}`, async () => {
    const { fields, errors } = await signIn(oidcEntry(), { ...RIGHT_OIDC, ...change });
    assert.match([...fields, ...errors].join(), seen);
  });
}

test("claims of the sample that are false are refused: the vendor's signature is the only right thing about them", async () => {
  const now = Math.floor(Date.now() / 1000);
  for (const lie of [{ iss: "https://eve.test" }, { aud: "another" }, { exp: now - 3600 }, { nonce: "another" }]) {
    const claims = { sub: "1", name: "Ada", email: "ada@example.com", ...lie };
    const { isSignedIn, errors } = await signIn(oidcEntry({}, { claims }), RIGHT_OIDC);
    assert.equal(isSignedIn, false, JSON.stringify(lie));
    assert.match(errors.join(), /OAuthProviderError/);
  }
});

test("placeholders of facts are filled from options, from values and from the issuer, and unknown ones are an error", () => {
  const rows: readonly (readonly [Partial<Facts>, Partial<Sample>, string])[] = [
    [{ issuer: "https://{tenant}.test/" }, { options: { issuer: "https://ada.test" } }, "https://ada.test/"],
    [{ issuer: "https://{tenant}.test/{policy}" }, { options: { tenant: "a", policy: "b" } }, "https://a.test/b"],
    [{ issuer: "https://{tenant_id}.test" }, { options: { tenantID: "a" } }, "https://a.test"],
    [{ issuer: "https://{tenant}.test" }, { values: { tenant: "common" } }, "https://common.test"],
    [{ issuer: "{issuer}" }, { options: { issuer: "https://ada.test/x/" } }, "https://ada.test/x/"],
    [{ issuer: "https://{host}/a" }, { options: { issuer: "https://own.test/b" } }, "https://own.test/b"],
  ];
  for (const [facts, sample, issuer] of rows) {
    assert.equal(new Templates({ ...FACTS, ...facts }, sample, "client").issuer, issuer);
  }
  assert.throws(() => new Templates({ ...FACTS, issuer: "https://{tenant}.test" }, {}, "client"), /\{tenant\}/);
});

test("answers and tokens are sent as they are written, statuses and headers too", async () => {
  const text = '{"access_token":"a-text","token_type":"bearer","user":90071992547409931}';
  const { double } = await signIn(entryOf({}, { token: text }), RIGHT);
  assert.ok(double.secrets.has("a-text"));
  const answers = { "GET https://api.vendor.test/me": { $status: 418, $headers: { "x-tea": "1" }, $body: "short" } };
  const { double: other } = await signIn(entryOf({}, { answers }), RIGHT);
  const headers = { authorization: "Bearer access-of-the-vendor", "x-key": CLIENT.clientId };
  const response = await other.fetch("https://api.vendor.test/me?v=2", { headers });
  assert.deepEqual([response.status, response.headers.get("x-tea"), await response.text()], [418, "1", "short"]);
});
