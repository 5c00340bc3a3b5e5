import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { inspect } from "node:util";
import type { Adapter, CompleteAdapter } from "../../../src/contract/adapter.ts";
import { memoryAdapter } from "../../../adapters/memory.ts";
import type { AuthConfig } from "../../../src/contract/config.ts";
import { ConfigError } from "../../../src/kernel/errors.ts";
import type { EmailProvider, OAuthProvider, OidcProvider, WebAuthnOptions } from "../../../src/contract/provider.ts";
import { credentials } from "../../../src/providers/credentials.ts";
import { passkey } from "../../../src/providers/passkey.ts";
import { webauthn } from "../../../src/providers/webauthn.ts";
import { SECRET, testConfig, testRuntime } from "../_builders.ts";

type Env = Readonly<Record<string, string>>;

/** What is wrong with the service, and with the providers that are left out. */
function problemsOf(config: AuthConfig, env: Env = {}): readonly ConfigError[] {
  const { problems, brokenProviders } = testConfig(config, testRuntime(env));
  return [...problems, ...[...brokenProviders.values()].flatMap(({ problems }) => problems)];
}

const oidc: OidcProvider = { id: "idp", name: "IdP", type: "oidc", issuer: "https://idp.test", clientId: "c" };
const oauth: OAuthProvider = {
  id: "oa",
  name: "OA",
  type: "oauth",
  clientId: "c",
  authorization: "https://oa.test/authorize",
  token: "https://oa.test/token",
  userinfo: "https://oa.test/me",
};
const typed = credentials({ authorize: () => null });
const mail: EmailProvider = { id: "email", name: "Email", type: "email", sendVerificationRequest: () => {} };
const as = <T>(value: unknown): T => value as T;

function without(operation: keyof CompleteAdapter): Adapter {
  const { [operation]: _, ...others } = memoryAdapter();
  return others;
}

function withPasskey(options: WebAuthnOptions): AuthConfig {
  return { adapter: memoryAdapter(), providers: [passkey(options)] };
}

const VALID: readonly (readonly [name: string, config: AuthConfig])[] = [
  ["an email provider with a deadline and a key", {
    adapter: memoryAdapter(),
    providers: [{ ...mail, timeout: 0.5, apiKey: "k", needsApiKey: true }],
  }],
  ["no provider", {}],
  ["every kind of provider", { providers: [oidc, oauth, typed] }],
  ["endpoints on this machine", { providers: [{ ...oidc, issuer: "http://localhost:4000" }] }],
  ["endpoints on loopback addresses", {
    providers: [{ ...oidc, issuer: "http://127.0.0.1:4000" }, { ...oidc, id: "b", issuer: "http://[::1]:4000" }],
  }],
  ["metadata in place of an issuer", {
    providers: [{ ...oauth, issuer: undefined, authorization: undefined, wellKnown: "https://oa.test/.well-known/x" }],
  }],
  ["handlers in place of endpoints", {
    providers: [{
      ...oauth,
      clientId: undefined,
      authorization: () => "https://oa.test/",
      token: () => ({}),
      userinfo: () => ({}),
    }],
  }],
  ["requests in place of endpoints", {
    providers: [{ ...oauth, token: { request: () => ({}) }, userinfo: { request: () => ({}) } }],
  }],
  ["passkeys", withPasskey({})],
  [
    "passkeys of several sites",
    withPasskey({
      relayingParty: {
        id: ["app.test", "localhost"],
        origin: ["https://app.test", "http://localhost:3000", "android:apk-key-hash:a"],
      },
    }),
  ],
  ["a version of a browser library", withPasskey({ simpleWebAuthnBrowserVersion: "v9.0.1" })],
  [
    "passkeys of every algorithm",
    withPasskey({
      registrationOptions: { supportedAlgorithmIDs: [-7, -8, -35, -36, -37, -38, -39, -257, -258, -259] },
    }),
  ],
  ["no browser library", withPasskey({ simpleWebAuthnBrowserVersion: false })],
  ["two kinds of passkeys, one of them offered where people type", {
    adapter: memoryAdapter(),
    providers: [passkey(), webauthn({ enableConditionalUI: false, formFields: {} })],
  }],
  ["passkeys that were switched on", { ...withPasskey({}), experimental: { enableWebAuthn: true } }],
  ["every check", { providers: [{ ...oidc, checks: ["pkce", "state", "nonce"] }, { ...oauth, checks: ["none"] }] }],
  ["algorithms of public keys", {
    providers: [{
      ...oidc,
      clientSecret: undefined,
      client: { id_token_signed_response_alg: "ES256", userinfo_signed_response_alg: "EdDSA" },
    }],
  }],
  ["algorithms of the client secret", {
    providers: [{
      ...oidc,
      clientSecret: "s",
      client: { id_token_signed_response_alg: "HS256", userinfo_signed_response_alg: "HS512" },
    }],
  }],
  ["a mount point of its own", { basePath: "/api/v1/auth" }],
  ["the root as mount point", { basePath: "/" }],
  ["no mount point", { basePath: "" }],
  ["durations at their least", { session: { maxAge: 1, updateAge: 0 }, jwt: { maxAge: 1 } }],
  ["stored sessions that are kept", { adapter: memoryAdapter(), session: { cache: { seconds: 3600 } } }],
  ["the jwt strategy", { session: { strategy: "jwt" } }],
  ["pages", { pages: { signIn: "/in?x=1", error: "https://other.test/error", newUser: undefined } }],
  ["protected paths", { protect: ["/members/*", "/teams/*/admin"] }],
  ["protected paths in one case", { protect: { routes: ["/Members/*"], ignoreCase: false } }],
  ["paths for a second factor", { protect: { routes: ["/admin/*"], level: 2, maxAge: "1h", methods: ["hwk"] } }],
  ["paths of both kinds", { protect: ["/members/*", { routes: ["/admin/*"], level: 2 }] }],
  ["a theme", { theme: { brandColor: "#346df1", buttonText: "white", colorScheme: "dark" } }],
  ["an empty colour", { theme: { brandColor: "" } }],
  ["cookies of its own", { cookies: { sessionToken: { name: "__Host-sid", options: { sameSite: "strict" } } } }],
  ["plain cookies", { useSecureCookies: false, cookies: { csrfToken: { name: "csrf" } } }],
  ["an adapter", { adapter: memoryAdapter(), providers: [oidc, typed, mail] }],
  ["an adapter without sessions, for sessions in cookies", {
    adapter: without("createSession"),
    session: { strategy: "jwt" },
    providers: [oidc, mail],
  }],
  ["an adapter without tokens, where no mail is sent", { adapter: without("useVerificationToken"), providers: [oidc] }],
  ["a redirect proxy", {
    redirectProxyUrl: "https://proxy.test/auth",
    redirectProxyOrigins: ["https://*.app.test", "http://localhost:3000", "https://app.test:8443"],
  }],
];

for (const [name, config] of VALID) {
  test(`configProblems() finds nothing wrong with ${name}`, () => {
    assert.deepEqual(problemsOf(config).map(({ message }) => message), []);
  });
}

/** Neither text nor a list of texts; of a list of bytes each would be a secret of its own. */
const NO_SECRETS: readonly unknown[] = [
  new Uint8Array(32).fill(7),
  Buffer.from("a secret that is long enough, as bytes"),
  new Uint16Array(32),
  new ArrayBuffer(32),
  [...new Uint8Array(32)],
  42,
  0n,
  true,
  false,
  {},
  { 0: SECRET, length: 1 },
  Object(SECRET),
  new Set([SECRET]),
  Symbol("secret"),
  () => SECRET,
  [SECRET, ""],
  [SECRET, undefined],
  [SECRET, null],
  [[SECRET]],
  [SECRET, [SECRET]],
  [SECRET, 7],
  // deno-lint-ignore no-sparse-arrays -- what is refused
  [SECRET, , SECRET],
  new Array(3),
];

const INVALID: readonly (readonly [option: string, config: AuthConfig, type: string, env?: Env])[] = [
  ["trustHost", { trustHost: false }, "UntrustedHost"],
  ["AUTH_URL", { trustHost: false }, "UntrustedHost"],
  ["secret", { secret: "" }, "MissingSecret"],
  ["AUTH_SECRET", { secret: [] }, "MissingSecret"],
  ["secret", { secret: [""] }, "MissingSecret"],
  ...["", [], [""]].map((secret) => ["secret", { secret }, "MissingSecret", { AUTH_SECRET: SECRET }] as const),
  ...NO_SECRETS.flatMap((value) => {
    const secret = as<string>(value);
    return [
      ["`secret`", { secret }, "InvalidConfig"] as const,
      ["`secret`", { secret }, "InvalidConfig", { AUTH_SECRET: SECRET }] as const,
      ["`jwt.secret`", { jwt: { secret } }, "InvalidConfig"] as const,
      [
        '`secret` of provider "email"',
        { adapter: memoryAdapter(), providers: [{ ...mail, secret }] },
        "InvalidConfig",
      ] as const,
    ];
  }),
  ...["", [], [""]].flatMap((value) => {
    const secret = as<string>(value);
    return [
      ["`jwt.secret`", { jwt: { secret } }, "InvalidConfig"] as const,
      ["`secret`", { adapter: memoryAdapter(), providers: [{ ...mail, secret }] }, "InvalidConfig"] as const,
    ];
  }),
  ...["", ["a secret"], ...NO_SECRETS].map((value) =>
    ["clientSecret", { providers: [{ ...oidc, clientSecret: as<string>(value) }] }, "InvalidConfig"] as const
  ),
  ["AUTH_URL", {}, "InvalidConfig", { AUTH_URL: "app" }],
  ...["//auth", "/a//b", "/a?b", "/a#b", "/a\\b", "https://app.test/auth"].map((basePath) =>
    ["basePath", { basePath }, "InvalidConfig"] as const
  ),
  ["id", { providers: [oidc, { ...oauth, id: "idp" }] }, "InvalidConfig"],
  ["issuer", { providers: [{ ...oidc, issuer: undefined }] }, "InvalidEndpoints"],
  ["authorization", { providers: [{ ...oauth, authorization: undefined }] }, "InvalidEndpoints"],
  ["token", { providers: [{ ...oauth, token: undefined }] }, "InvalidEndpoints"],
  ["userinfo", { providers: [{ ...oauth, userinfo: undefined }] }, "InvalidEndpoints"],
  ["userinfo", { providers: [{ ...oauth, userinfo: { params: {} } }] }, "InvalidEndpoints"],
  ["clientId", { providers: [{ ...oidc, clientId: undefined }] }, "InvalidConfig"],
  ["AUTH_MY_IDP_ID", { providers: [{ ...oidc, id: "my-idp", clientId: "" }] }, "InvalidConfig"],
  ...["http://idp.test", "idp.test", "javascript:x", "https://user@idp.test", "http://127.0.0.1.evil.test"].flatMap((
    url,
  ) => [
    ["issuer", { providers: [{ ...oidc, issuer: url }] }, "InvalidConfig"] as const,
    ["wellKnown", { providers: [{ ...oidc, wellKnown: url }] }, "InvalidConfig"] as const,
    ["jwks_endpoint", { providers: [{ ...oidc, jwks_endpoint: url }] }, "InvalidConfig"] as const,
    ["authorization", { providers: [{ ...oauth, authorization: url }] }, "InvalidConfig"] as const,
    ["authorization", { providers: [{ ...oauth, authorization: { url } }] }, "InvalidConfig"] as const,
    ["token", { providers: [{ ...oauth, token: { url } }] }, "InvalidConfig"] as const,
    ["userinfo", { providers: [{ ...oauth, userinfo: { url } }] }, "InvalidConfig"] as const,
  ]),
  ["checks", { providers: [{ ...oidc, checks: as(["pkce", "x"]) }] }, "InvalidConfig"],
  ["checks", { providers: [{ ...oidc, checks: as("pkce,pckse") }] }, "InvalidConfig"],
  ["nonce", { providers: [{ ...oauth, checks: ["pkce", "nonce"] }] }, "InvalidConfig"],
  ...(["id_token_signed_response_alg", "userinfo_signed_response_alg"] as const).flatMap((option) =>
    [
      ...["none", "", "rs256", "RSA-OAEP", "HS1", as<string>(["RS256"])].map((alg) =>
        [option, { providers: [{ ...oidc, clientSecret: "s", client: { [option]: alg } }] }, "InvalidConfig"] as const
      ),
      [option, { providers: [{ ...oidc, clientSecret: undefined, client: { [option]: "HS256" } }] }, "InvalidConfig"],
      [option, {
        providers: [{
          ...oidc,
          clientSecret: "s",
          client: { [option]: "HS256", token_endpoint_auth_method: "none" },
        }],
      }, "InvalidConfig"],
    ] as const
  ),
  ["authorize", { providers: [{ id: "c", name: "C", type: "credentials" }] }, "MissingAuthorize"],
  ["authorize", { providers: [{ id: "c", name: "C", type: "credentials", authorize: as(1) }] }, "MissingAuthorize"],
  ["session.strategy", { session: { strategy: as<"jwt">("cookie") } }, "InvalidConfig"],
  ["session.strategy", { session: { strategy: "database" }, providers: [typed] }, "MissingAdapter"],
  ["session.strategy", { session: { strategy: "database" }, providers: [oidc, typed] }, "MissingAdapter"],
  ["adapter", { session: { strategy: "database" } }, "MissingAdapter"],
  ["adapter", { providers: [mail] }, "MissingAdapter"],
  ["adapter", { adapter: as<Adapter>("sqlite") }, "InvalidConfig"],
  ["createSession", { adapter: without("createSession") }, "MissingAdapterMethods"],
  ["getUserByAccount", { adapter: without("getUserByAccount"), providers: [oidc] }, "MissingAdapterMethods"],
  [
    "linkAccount",
    { adapter: without("linkAccount"), session: { strategy: "jwt" }, providers: [oidc] },
    "MissingAdapterMethods",
  ],
  ["useVerificationToken", { adapter: without("useVerificationToken"), providers: [mail] }, "MissingAdapterMethods"],
  ["sendVerificationRequest", {
    adapter: memoryAdapter(),
    providers: [{ ...mail, sendVerificationRequest: as(undefined) }],
  }, "InvalidConfig"],
  ...[0, -1, NaN, Infinity, 601, "1m", [5]].map((timeout) =>
    [
      'provider "email": its `timeout`',
      { adapter: memoryAdapter(), providers: [{ ...mail, timeout: as<number>(timeout) }] },
      "InvalidConfig",
    ] as const
  ),
  ...["", undefined].map((apiKey) =>
    [
      "AUTH_EMAIL_KEY",
      { adapter: memoryAdapter(), providers: [{ ...mail, apiKey, needsApiKey: true }] },
      "InvalidConfig",
    ] as const
  ),
  ...[0, -1, NaN, "1m"].map((maxAge) =>
    [
      "maxAge",
      { adapter: memoryAdapter(), providers: [{ ...mail, maxAge: as<number>(maxAge) }] },
      "InvalidConfig",
    ] as const
  ),
  ["experimental.enableWebAuthn", {
    adapter: memoryAdapter(),
    providers: [passkey()],
    experimental: { enableWebAuthn: false },
  }, "ExperimentalFeatureNotEnabled"],
  ["adapter", { providers: [passkey()] }, "MissingAdapter"],
  ...([
    "createUser",
    "getUser",
    "linkAccount",
    "getAuthenticator",
    "createAuthenticator",
    "listAuthenticatorsByUserId",
    "updateAuthenticatorCounter",
    "getUserByEmail",
    "getUserByAccount",
  ] as const).map((operation) =>
    [
      operation,
      { adapter: without(operation), session: { strategy: "jwt" }, providers: [passkey()] },
      "MissingAdapterMethods",
    ] as const
  ),
  ["enableConditionalUI", { adapter: memoryAdapter(), providers: [passkey(), webauthn()] }, "DuplicateConditionalUI"],
  ["formFields", {
    adapter: memoryAdapter(),
    providers: [passkey({ formFields: { email: { autocomplete: "username" } } })],
  }, "MissingWebAuthnAutocomplete"],
  ["formFields", { adapter: memoryAdapter(), providers: [passkey({ formFields: {} })] }, "MissingWebAuthnAutocomplete"],
  ...["1", "v", "v1.2.3.4", "v1.x", "latest"].map((version) =>
    ["simpleWebAuthnBrowserVersion", withPasskey({ simpleWebAuthnBrowserVersion: version }), "InvalidConfig"] as const
  ),
  ...["https://app.test/", "app.test", "null", ["https://app.test", "x"]].map((origin) =>
    ["relayingParty.origin", withPasskey({ relayingParty: { origin } }), "InvalidConfig"] as const
  ),
  ...[[], [-53], [-7, -65535], ["-7"], -7, null].map((supportedAlgorithmIDs) =>
    [
      "registrationOptions.supportedAlgorithmIDs",
      withPasskey({ registrationOptions: { supportedAlgorithmIDs: supportedAlgorithmIDs as number[] } }),
      "InvalidConfig",
    ] as const
  ),
  ...["https://app.test", "app.test:443", "", "App.test"].map((id) =>
    ["relayingParty.id", withPasskey({ relayingParty: { id } }), "InvalidConfig"] as const
  ),
  ["allowCredentialsByEmail", withPasskey({ allowCredentialsByEmail: as("yes") }), "InvalidConfig"],
  ["allowCredentialsByEmail", withPasskey({ allowCredentialsByEmail: as(null) }), "InvalidConfig"],
  ...["yes", null, 1].map((value) => ["confirm", withPasskey({ confirm: as(value) }), "InvalidConfig"] as const),
  ["confirm", withPasskey({ confirm: true }), "InvalidConfig"],
  ...[0, NaN, "1m"].flatMap((value) => {
    const timeout = as<number>(value);
    return [{ timeout }, { authenticationOptions: { timeout } }, { registrationOptions: { timeout } }].map((options) =>
      ["timeout", withPasskey(options), "InvalidConfig"] as const
    );
  }),
  ...[0, -1, 1.5, NaN, Infinity, 3601, "60", undefined].map((seconds) =>
    [
      "session.cache.seconds",
      { adapter: memoryAdapter(), session: { cache: { seconds: as<number>(seconds) } } },
      "InvalidConfig",
    ] as const
  ),
  ["session.cache", { adapter: memoryAdapter(), session: { cache: as<{ seconds: number }>(60) } }, "InvalidConfig"],
  ["session.cache", { adapter: memoryAdapter(), session: { strategy: "jwt", cache: { seconds: 9 } } }, "InvalidConfig"],
  ["session.cache", { session: { cache: { seconds: 9 } } }, "InvalidConfig"],
  ["cookies.state", { cookies: { state: { name: "a;b" } } }, "InvalidConfig"],
  ["cookies.state", { cookies: { state: { options: { path: "/;x" } } } }, "InvalidConfig"],
  ["cookies.state", { cookies: { state: { options: { domain: "a\r\nb" } } } }, "InvalidConfig"],
  ["cookies.csrfToken", { cookies: { csrfToken: { options: { domain: "app.test" } } } }, "InvalidConfig"],
  [
    "cookies.sessionToken",
    { cookies: { sessionToken: { name: "__Host-a", options: { path: "/x" } } } },
    "InvalidConfig",
  ],
  ["cookies.state.name", { cookies: { state: { name: "a" }, sessionToken: { name: "a" } } }, "InvalidConfig"],
  [
    "cookies.sessionToken",
    { cookies: { state: { name: "authjs.session-token" } }, useSecureCookies: false },
    "InvalidConfig",
  ],
  ["redirectProxyUrl", { providers: [oidc], redirectProxyUrl: "http://proxy.test/auth" }, "InvalidConfig"],
  ["redirectProxyUrl", { providers: [oidc], redirectProxyUrl: "proxy.test" }, "InvalidConfig"],
  ["redirectProxyUrl", { providers: [oauth] }, "InvalidConfig", { AUTH_REDIRECT_PROXY_URL: "http://proxy.test/auth" }],
  ...["app.test", "https://app.test/", "https://app.test/x", "https://", "*", "https://a b", "https://u@app.test"].map((
    origin,
  ) => ["redirectProxyOrigins", { redirectProxyOrigins: [origin] }, "InvalidConfig"] as const),
];

function shown(config: AuthConfig, env: Env = {}): string {
  return inspect({ ...config, ...env }, { depth: 4, breakLength: Infinity }).replaceAll(/\s+/g, " ").slice(0, 120);
}

for (const [option, config, type, env] of INVALID) {
  test(`configProblems() names ${option} in ${shown(config, env)}`, () => {
    const found = problemsOf(config, env).find((problem) => problem.type === type && problem.message.includes(option));
    assert.ok(found, `${problemsOf(config, env).map(({ message }) => message)}`);
    assert.ok(found instanceof ConfigError);
    assert.match(found.message, /^Cannot /);
  });
}

test("configProblems() lists the most basic problem first, and all of them", () => {
  const types = problemsOf({ trustHost: false, secret: "", basePath: "//x", protect: ["x"] }).map(({ type }) => type);
  assert.deepEqual(types, ["UntrustedHost", "MissingSecret", "InvalidConfig", "InvalidConfig"]);
});

test("configProblems() remembers nothing from one configuration to the next", () => {
  assert.equal(problemsOf({ providers: [mail, passkey()] }).length, 2);
  assert.deepEqual(problemsOf({ providers: [oidc] }), []);
});

test("configProblems() never shows a secret", () => {
  const secret = "canary-secret";
  const provider = { ...oidc, clientSecret: "canary-client", clientId: undefined, issuer: "http://idp.test" };
  const problems = problemsOf({ secret, providers: [provider], basePath: "//x" });
  assert.ok(problems.length >= 3);
  for (const { message, cause } of problems) assert.doesNotMatch(message + JSON.stringify(cause), /canary/);
});
