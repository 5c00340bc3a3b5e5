import assert from "node:assert/strict";
import { test } from "node:test";
import ReferenceApple from "@auth/core/providers/apple";
import ReferenceCredentials from "@auth/core/providers/credentials";
import ReferenceGitHub from "@auth/core/providers/github";
import ReferenceGoogle from "@auth/core/providers/google";
import ReferenceKeycloak from "@auth/core/providers/keycloak";
import type { Profile } from "../../../src/kernel/model.ts";
import {
  customFetch,
  type EmailProvider,
  type OAuthProvider,
  type OidcProvider,
  type ProviderInput,
} from "../../../src/contract/provider.ts";
import type { ResolvedCredentialsProvider, ResolvedOAuthProvider } from "../../../src/config/resolved_provider.ts";
import { credentials } from "../../../src/providers/credentials.ts";
import { github } from "../../../src/providers/github.ts";
import { google } from "../../../src/providers/google.ts";
import { merge } from "../../../src/config/merge_provider.ts";
import { resolveEmail } from "../../../src/config/resolve_provider.ts";
import { testConfig, testRuntime } from "../_builders.ts";

type Env = Readonly<Record<string, string>>;

const oidc: OidcProvider = { id: "idp", name: "IdP", type: "oidc", issuer: "https://idp.test/", clientId: "c" };
const oauth: OAuthProvider = {
  id: "oa",
  name: "OA",
  type: "oauth",
  clientId: "c",
  authorization: "https://oa.test/authorize",
  token: "https://oa.test/token",
  userinfo: "https://oa.test/me",
};

/** Resolves a provider within a configuration that is otherwise in order. */
function resolved(provider: unknown, env: Env = {}, redirectProxyUrl?: string) {
  const config = testConfig({ providers: [provider as ProviderInput], redirectProxyUrl }, testRuntime(env));
  assert.deepEqual(config.problems.map(({ message }) => message), []);
  const [only] = config.providers.values();
  assert.ok(only);
  return only;
}

function resolvedOAuth(provider: unknown, env: Env = {}, redirectProxyUrl?: string): ResolvedOAuthProvider {
  const found = resolved(provider, env, redirectProxyUrl);
  assert.ok(found.type === "oauth" || found.type === "oidc");
  return found;
}

test("a provider with an issuer alone is discovered, with PKCE and the scopes of OpenID Connect", () => {
  const { profile: _profile, account: _account, ...facts } = resolvedOAuth(oidc);
  assert.deepEqual(facts, {
    id: "idp",
    name: "IdP",
    type: "oidc",
    style: {},
    clientId: "c",
    clientSecret: undefined,
    issuer: "https://idp.test/",
    wellKnown: "https://idp.test/.well-known/openid-configuration",
    authorization: { url: undefined, params: { scope: "openid profile email" }, handler: undefined },
    token: { url: undefined, params: {}, handler: undefined },
    userinfo: { url: undefined, params: {}, handler: undefined },
    jwksUri: undefined,
    checks: { pkce: true, state: true, nonce: true },
    formPost: false,
    securityProfile: undefined,
    signedResponse: false,
    clockTolerance: 30,
    hasSharedIssuer: false,
    client: {},
    redirectProxyUrl: undefined,
    profileFrom: "both",
    vouches: "yes",
    ownDomains: { names: [], claim: null },
    tenancy: null,
    allowDangerousEmailAccountLinking: false,
    allowInsecureRequests: false,
    expectedIssuer: undefined,
    logout: false,
    logoutFallback: undefined,
    fetch: undefined,
  });
});

test("a provider with all of its endpoints is not discovered", () => {
  const { wellKnown, authorization, token, userinfo, profileFrom } = resolvedOAuth(oauth);
  assert.equal(wellKnown, undefined);
  assert.equal(profileFrom, "userinfo");
  assert.deepEqual([authorization.url, token.url, userinfo.url], [
    ...["https://oa.test/authorize", "https://oa.test/token", "https://oa.test/me"],
  ]);
});

const { authorization, token, userinfo } = oauth;
const keys = "https://idp.test/jwks";
const DISCOVERY: readonly (readonly [name: string, provider: object, wellKnown: boolean])[] = [
  ["an oidc provider with keys and endpoints", { ...oidc, authorization, token, jwks_endpoint: keys }, false],
  ["an oidc provider without keys", { ...oidc, authorization, token, userinfo }, true],
  [
    "an oidc provider that asks for userinfo",
    { ...oidc, authorization, token, jwks_endpoint: keys, idToken: false },
    true,
  ],
  ["an oidc provider that knows its userinfo", {
    ...oidc,
    authorization,
    token,
    userinfo,
    jwks_endpoint: keys,
    idToken: false,
  }, false],
  ["an oauth provider without token endpoint", { ...oauth, token: undefined, issuer: "https://oa.test" }, true],
  ["an oauth provider without userinfo", { ...oauth, userinfo: undefined, issuer: "https://oa.test" }, true],
  ["an oauth provider with handlers", { ...oauth, token: () => ({}), userinfo: { request: () => ({}) } }, false],
];

for (const [name, provider, wellKnown] of DISCOVERY) {
  test(`${name} is ${wellKnown ? "" : "not "}discovered`, () => {
    assert.equal(resolvedOAuth(provider).wellKnown !== undefined, wellKnown);
  });
}

test("a URL for the metadata wins over the issuer's own", () => {
  const wellKnown = "https://idp.test/other/metadata";
  assert.equal(resolvedOAuth({ ...oidc, wellKnown }).wellKnown, wellKnown);
});

const AUTHORIZE = "https://oa.test/authorize";

const SCOPES: readonly (readonly [authorization: unknown, oauth: string | undefined, oidc: string | undefined])[] = [
  [AUTHORIZE, "openid profile email", "openid profile email"],
  [{ url: AUTHORIZE }, "openid profile email", "openid profile email"],
  [{ params: { prompt: "login" } }, "openid profile email", "openid profile email"],
  [() => AUTHORIZE, "openid profile email", "openid profile email"],
  [`${AUTHORIZE}?tenant=scope`, "openid profile email", "openid profile email"],
  [{ params: { scope: "a" } }, "a", "a"],
  [{ url: `${AUTHORIZE}?scope=b`, params: { scope: "a" } }, "a", "a"],
  [{ url: AUTHORIZE, params: { scope: undefined } }, "openid profile email", "openid profile email"],
  [`${AUTHORIZE}?scope=b`, undefined, undefined],
  [{ url: `${AUTHORIZE}?scope=b` }, undefined, undefined],
  [{ url: new URL(`${AUTHORIZE}?tenant=1&scope=b`) }, undefined, undefined],
  [`${AUTHORIZE}?scope`, undefined, undefined],
  [`${AUTHORIZE}?scope=`, undefined, undefined],
  [undefined, undefined, "openid profile email"],
];

test("the scope of OpenID Connect is the default only where neither parameters nor URL have one", () => {
  for (const [authorization, plain, openid] of SCOPES) {
    const given = { authorization, issuer: "https://oa.test" } as object;
    assert.equal(resolvedOAuth({ ...oauth, ...given }).authorization.params.scope, plain, String(authorization));
    assert.equal(resolvedOAuth({ ...oidc, ...given }).authorization.params.scope, openid, String(authorization));
  }
});

test("parameters of endpoints become text, lists one text or several, objects JSON, absent ones nothing", () => {
  const params = {
    scope: "a b",
    max_age: 60,
    prompt: undefined,
    x: null,
    claims: { id_token: { email: null } },
    list: ["a", 2, null, { b: 1 }],
    acr_values: ["gold", undefined, "silver"],
    y: true,
  };
  const url = new URL("https://oa.test/authorize?tenant=1");
  const { authorization } = resolvedOAuth({ ...oauth, authorization: { url, params } });
  assert.equal(authorization.url, "https://oa.test/authorize?tenant=1");
  assert.deepEqual(authorization.params, {
    scope: "a b",
    max_age: "60",
    claims: '{"id_token":{"email":null}}',
    list: ["a", "2", '{"b":1}'],
    acr_values: "gold silver",
    y: "true",
  });
});

const CHECKS: readonly (readonly [given: readonly string[] | undefined, checks: string])[] = [
  [undefined, "pkce state nonce"],
  [["pkce"], "pkce state"],
  [["pkce", "state"], "pkce state"],
  [["nonce"], "state nonce"],
  [["none", "pkce"], "pkce state"],
  [["none"], ""],
  [[], "state"],
];

for (const [given, expected] of CHECKS) {
  test(`checks ${JSON.stringify(given)} over those of the facts become ${JSON.stringify(expected)}`, () => {
    const facts = { ...oidc, checks: given ? ["pkce", "state", "nonce"] : undefined };
    const { checks } = resolvedOAuth({ ...facts, options: { checks: given } });
    const names = Object.entries(checks).filter(([, on]) => on).map(([name]) => name);
    assert.equal(names.join(" "), expected);
  });
}

test("a redirect proxy demands state of a provider without checks, and a slash at its end does not count", () => {
  const provider = { ...oidc, checks: ["none"] } as const;
  const { checks, redirectProxyUrl } = resolvedOAuth(provider, {}, "https://proxy.test/auth/");
  assert.equal(checks.state, true);
  assert.equal(redirectProxyUrl, "https://proxy.test/auth/callback/idp");
});

test("a provider's own redirect proxy wins over the service's, and that over the environment's", () => {
  const env = { AUTH_REDIRECT_PROXY_URL: "https://env.test/auth" };
  assert.equal(resolvedOAuth(oidc, env).redirectProxyUrl, "https://env.test/auth/callback/idp");
  assert.equal(resolvedOAuth(oidc, env, "https://a.test/auth").redirectProxyUrl, "https://a.test/auth/callback/idp");
  const own = { ...oidc, redirectProxyUrl: "https://own.test/auth" };
  assert.equal(resolvedOAuth(own, env, "https://a.test/auth").redirectProxyUrl, "https://own.test/auth/callback/idp");
});

test("an answer that is posted does not go through a redirect proxy", () => {
  for (
    const authorization of [
      { params: { response_mode: "form_post" } },
      { params: { response_mode: "form_post.jwt" } },
      "https://oa.test/authorize?response_mode=form_post",
      "https://oa.test/authorize?response_mode=form%5Fpost",
    ]
  ) {
    const provider = { ...oidc, authorization, checks: ["none"] } as const;
    const { formPost, redirectProxyUrl, checks } = resolvedOAuth(provider, {}, "https://a.test/auth");
    assert.deepEqual([formPost, redirectProxyUrl, checks.state], [true, undefined, false]);
  }
});

const RESPONSES: readonly (readonly [provider: object, signed: boolean, posted: boolean])[] = [
  [{}, false, false],
  [{ authorization: { params: { response_mode: "query" } } }, false, false],
  [{ authorization: { params: { response_mode: "form_post" } } }, false, true],
  [{ authorization: { params: { response_mode: "jwt" } } }, true, false],
  [{ authorization: { params: { response_mode: "query.jwt" } } }, true, false],
  [{ authorization: { params: { response_mode: "form_post.jwt" } } }, true, true],
  [{ authorization: "https://oa.test/authorize?response_mode=form_post.jwt" }, true, true],
  [
    {
      authorization: { url: "https://oa.test/authorize?response_mode=form_post", params: { response_mode: "query" } },
    },
    false,
    false,
  ],
  [{ client: { authorization_signed_response_alg: "ES256" } }, true, false],
  [{ client: { authorization_encrypted_response_alg: "ECDH-ES" } }, true, false],
  [{ client: { authorization_signed_response_alg: null } }, false, false],
];

for (const [provider, signed, posted] of RESPONSES) {
  test(`a response is ${signed ? "" : "not "}signed and ${posted ? "" : "not "}posted with ${JSON.stringify(provider)}`, () => {
    const { signedResponse, formPost } = resolvedOAuth({ ...oidc, ...provider });
    assert.deepEqual([signedResponse, formPost], [signed, posted]);
  });
}

test("metadata is needed for signed responses and pushed requests, also where all other endpoints are configured", () => {
  const explicit = { ...oauth, issuer: "https://oa.test" };
  const wellKnown = "https://oa.test/.well-known/openid-configuration";
  const client = { require_pushed_authorization_requests: true };
  assert.equal(resolvedOAuth(explicit).wellKnown, undefined);
  assert.equal(resolvedOAuth({ ...explicit, client }).wellKnown, wellKnown);
  const authorization = { url: "https://oa.test/authorize", pushed: true };
  assert.equal(resolvedOAuth({ ...explicit, authorization }).wellKnown, wellKnown);
  const signed = { ...explicit, client: { authorization_signed_response_alg: "ES256" } };
  assert.equal(resolvedOAuth(signed).wellKnown, wellKnown);
  assert.equal(resolvedOAuth({ ...signed, jwks_endpoint: "https://oa.test/jwks" }).wellKnown, undefined);
});

test("what the developer wrote wins over the environment, the environment over the catalogue", () => {
  const env = { AUTH_GITHUB_ID: "env-id", AUTH_GITHUB_SECRET: "env-secret", AUTH_GITHUB_ISSUER: "https://env.test" };
  const read = (provider: unknown) => {
    const { clientId, clientSecret, issuer } = resolvedOAuth(provider, env);
    return [clientId, clientSecret, issuer];
  };
  assert.deepEqual(read(github()), ["env-id", "env-secret", "https://env.test"]);
  assert.deepEqual(read(github), ["env-id", "env-secret", "https://env.test"]);
  const written = { clientId: "mine", clientSecret: "my-secret", issuer: "https://mine.test" };
  assert.deepEqual(read(github(written)), ["mine", "my-secret", "https://mine.test"]);
  assert.deepEqual(read({ ...oauth, id: "github", ...written }), ["mine", "my-secret", "https://mine.test"]);
  assert.deepEqual(read({ ...oauth, id: "github", clientId: undefined }), ["env-id", "env-secret", "https://env.test"]);
});

test("an id from the options names the variables of the environment", () => {
  const { id, clientId } = resolvedOAuth(github({ id: "work" }), { AUTH_WORK_ID: "w", AUTH_GITHUB_ID: "g" });
  assert.deepEqual([id, clientId], ["work", "w"]);
});

test("options win over facts member by member, and lists as a whole", () => {
  const { authorization, style, name } = resolvedOAuth(github({
    clientId: "c",
    name: "Work",
    authorization: { params: { prompt: "select_account" } },
    style: { bg: "#000" },
  }));
  assert.equal(name, "Work");
  assert.equal(authorization.url, "https://github.com/login/oauth/authorize");
  assert.deepEqual(authorization.params, { scope: "read:user user:email", prompt: "select_account" });
  assert.deepEqual(style, { ...github().style, bg: "#000" });
});

test("an option that is undefined leaves the fact alone", () => {
  const { checks, token } = resolvedOAuth(github({ clientId: "c", checks: undefined, token: undefined }));
  assert.deepEqual([checks.state, token.url], [true, "https://github.com/login/oauth/access_token"]);
});

test("merge() replaces lists, dates and instances, and makes no prototype of what it is given", () => {
  const url = new URL("https://a.test");
  const options = JSON.parse('{"__proto__":{"polluted":1},"list":[9],"nested":{"__proto__":{"polluted":1},"b":2}}');
  const merged = merge({ list: [1, 2, 3], nested: { a: 1, url: {} }, gone: 1 }, {
    ...options,
    nested: { ...options.nested, url },
  });
  assert.deepEqual(merged, { list: [9], nested: { a: 1, url, b: 2 }, gone: 1 });
  assert.equal((merged as { polluted?: unknown }).polluted, undefined);
});

test("merge() changes neither side", () => {
  const facts = Object.freeze({ nested: Object.freeze({ a: 1 }) });
  assert.deepEqual(merge(facts, Object.freeze({ nested: Object.freeze({ b: 2 }) })), { nested: { a: 1, b: 2 } });
});

test("a provider's functions are called on the provider they came from", async () => {
  class Custom {
    readonly id = "custom";
    readonly name = "Custom";
    readonly type = "oidc" as const;
    readonly issuer = "https://idp.test";
    readonly clientId = "c";
    readonly suffix = "!";
    profile = function (this: Custom, { sub }: { sub?: string | null }) {
      return { id: `${sub}${this.suffix}` };
    };
  }
  assert.deepEqual(await resolvedOAuth(new Custom()).profile({ sub: "1" }, {}), { id: "1!" });
});

test("the default profile takes the id as text and never invents one", async () => {
  const { profile } = resolvedOAuth(oidc);
  const read = async (claims: Profile) => ({ ...await profile(claims, {}) });
  assert.deepEqual(await read({ sub: "1", name: "Ada", email: "a@b.c", picture: "https://p.test" }), {
    ...{ id: "1", name: "Ada", email: "a@b.c", image: "https://p.test" },
  });
  assert.equal((await read({ id: 7 })).id, "7");
  assert.equal((await read({ id: 0 })).id, "0");
  assert.equal((await read({})).id, undefined);
  assert.equal((await read({ id: null, sub: null })).id, undefined);
  assert.equal((await read({ nickname: "n", preferred_username: "p" })).name, "n");
  assert.equal((await read({ preferred_username: "p", picture: { url: "x" } })).name, "p");
});

test("the default account keeps the token set and nothing else of an answer", async () => {
  const tokens = {
    access_token: "a",
    id_token: "i",
    refresh_token: "r",
    expires_at: 1,
    scope: "s",
    token_type: "bearer" as const,
    session_state: "x",
  };
  assert.deepEqual(await resolvedOAuth(oidc).account({ ...tokens, expires_in: 5, other: "y" }), tokens);
});

test("a fetch is known by its symbol's description, from options first", () => {
  const [mine, theirs] = [() => Promise.reject(), () => Promise.reject()];
  assert.equal(resolvedOAuth(google({ clientId: "c", [customFetch]: mine })).fetch, mine);
  assert.equal(resolvedOAuth({ ...oidc, [customFetch]: mine }).fetch, mine);
  assert.equal(
    resolvedOAuth({ ...oidc, [Symbol("custom-fetch")]: theirs, options: { [customFetch]: mine } }).fetch,
    mine,
  );
  assert.equal(resolvedOAuth({ ...oidc, [Symbol("other")]: theirs }).fetch, undefined);
  assert.equal(resolvedOAuth({ ...oidc, [Symbol("custom-fetch")]: "x" }).fetch, undefined);
});

test("credentials bring their fields, and authorize of the options wins", async () => {
  const provider = resolved(credentials({ credentials: { pin: { label: "PIN" } }, authorize: () => ({ id: "1" }) }));
  assert.deepEqual((provider as ResolvedCredentialsProvider).credentials, { pin: { label: "PIN" } });
  const { authorize } = provider as ResolvedCredentialsProvider;
  assert.deepEqual(await authorize({}, new Request("https://app.test")), { id: "1" });
});

const REFERENCE: readonly (readonly [name: string, provider: unknown, expected: object])[] = [
  ["GitHub", ReferenceGitHub({ clientId: "c", clientSecret: "s" }), {
    id: "github",
    type: "oauth",
    wellKnown: undefined,
    issuer: "https://github.com/login/oauth",
    checks: { pkce: true, state: true, nonce: false },
  }],
  ["Google", ReferenceGoogle({ clientId: "c", clientSecret: "s" }), {
    id: "google",
    type: "oidc",
    wellKnown: "https://accounts.google.com/.well-known/openid-configuration",
  }],
  ["Keycloak", ReferenceKeycloak({ clientId: "c", clientSecret: "s", issuer: "https://k.test/realms/x" }), {
    id: "keycloak",
    type: "oidc",
    wellKnown: "https://k.test/realms/x/.well-known/openid-configuration",
  }],
  ["Apple", ReferenceApple({ clientId: "c", clientSecret: "s" }), {
    id: "apple",
    type: "oidc",
    formPost: true,
    client: { token_endpoint_auth_method: "client_secret_post" },
    checks: { pkce: false, state: true, nonce: true },
  }],
  ["Credentials", ReferenceCredentials({ credentials: { pin: {} }, authorize: () => ({ id: "1" }) }), {
    id: "credentials",
    type: "credentials",
    credentials: { pin: {} },
  }],
  ["GitHub as a factory", ReferenceGitHub, { id: "github", clientId: "env" }],
  ["Keycloak as a factory", ReferenceKeycloak, { id: "keycloak", clientId: "env", issuer: "https://env.test" }],
];

const REFERENCE_ENV = {
  AUTH_GITHUB_ID: "env",
  AUTH_GITHUB_SECRET: "s",
  AUTH_KEYCLOAK_ID: "env",
  AUTH_KEYCLOAK_ISSUER: "https://env.test",
};

for (const [name, provider, expected] of REFERENCE) {
  test(`a provider object of Auth.js is a provider here: ${name}`, () => {
    const env: Env = name.endsWith("factory") ? REFERENCE_ENV : {};
    const found: Readonly<Record<string, unknown>> = { ...resolved(provider, env) };
    for (const [member, value] of Object.entries(expected)) assert.deepEqual(found[member], value, member);
  });
}

test("whoever sends an email is given the provider anew each time", async () => {
  const given: EmailProvider[] = [];
  const sendVerificationRequest: EmailProvider["sendVerificationRequest"] = ({ provider }) => {
    given.push({ ...provider });
    Object.assign(provider, { from: "somebody@else.test" });
  };
  const email: EmailProvider = {
    id: "email",
    name: "Email",
    type: "email",
    from: "us@app.test",
    sendVerificationRequest,
  };
  const { sendVerificationRequest: send } = resolveEmail(email, ["secret"]);
  const added = {
    signinUrl: "https://app.test/auth/signin/email",
    callbackUrl: "https://app.test/auth/callback/email",
    timeout: 5,
  };
  const request = { identifier: "ada@app.test", url: "https://app.test/", token: "t", expires: new Date(), theme: {} };
  for (let round = 0; round < 2; round++) await send({ ...request, request: new Request("https://app.test/") }, added);
  assert.deepEqual(given.map(({ from }) => from), ["us@app.test", "us@app.test"]);
});

const TENANT = "https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/v2.0";
const METADATA = ".well-known/openid-configuration";
const BELIEVED: readonly (readonly [name: string, provider: object, vouches: string, tenancy: string | null])[] = [
  ["any provider", oidc, "yes", null],
  ["Google", { ...oidc, issuer: "https://accounts.google.com" }, "own domain", null],
  ["Google with a slash", { ...oidc, issuer: "https://accounts.google.com/" }, "own domain", null],
  ["Google by its metadata", noIssuer(`https://accounts.google.com/${METADATA}`), "own domain", null],
  [
    "Google, if the developer believes it",
    { ...oidc, issuer: "https://accounts.google.com", vouches: "yes" },
    "yes",
    null,
  ],
  ["a site with a name like Google's", { ...oidc, issuer: "https://accounts.google.com.evil.test" }, "yes", null],
  ["one tenant of Microsoft", { ...oidc, issuer: TENANT }, "yes", "one"],
  ["all tenants of Microsoft", { ...oidc, issuer: "https://login.microsoftonline.us/common/v2.0" }, "yes", "many"],
  [
    "all tenants by their metadata",
    noIssuer(`https://login.microsoftonline.com/organizations/v2.0/${METADATA}`),
    "yes",
    "many",
  ],
];

function noIssuer(wellKnown: string): object {
  const { issuer: _, ...others } = oidc;
  return { ...others, wellKnown };
}

for (const [name, provider, vouches, tenancy] of BELIEVED) {
  test(`the word of ${name} on an address counts: ${vouches}`, () => {
    const resolved = resolvedOAuth(provider as typeof oidc);
    assert.deepEqual([resolved.vouches, resolved.tenancy], [vouches, tenancy]);
  });
}
