import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryAdapter } from "../../../adapters/memory.ts";
import { type AuthConfig, raw, skipCSRFCheck } from "../../../src/contract/config.ts";
import { resolveNow } from "../../_support/resolved.ts";
import { github } from "../../../src/providers/github.ts";
import { passkey } from "../../../src/providers/passkey.ts";
import { SECRET, testConfig, testLog, testRuntime } from "../_builders.ts";

test("resolveConfig() writes every default", () => {
  const runtime = testRuntime({ AUTH_SECRET: SECRET });
  const { providers, brokenProviders, sealer: _, cookies, logger: __, runtime: used, providersToCheck, ...others } =
    resolveNow({}, runtime);
  assert.equal(used, runtime);
  assert.deepEqual([...providers, ...brokenProviders, ...providersToCheck()], []);
  assert.equal(cookies.secure.sessionToken.name, "__Secure-authjs.session-token");
  assert.equal(cookies.plain.sessionToken.name, "authjs.session-token");
  assert.deepEqual(others, {
    storage: null,
    basePath: "/auth",
    origin: null,
    trustHost: "loopback",
    secrets: [SECRET],
    session: {
      strategy: "jwt",
      maxAge: 2_592_000,
      updateAge: 86_400,
      generateSessionToken: null,
      migrateFrom: null,
      revalidate: 0,
      storesEverybody: true,
      cache: 0,
    },
    jwt: { secrets: [SECRET], secret: [SECRET], maxAge: 2_592_000, encode: null, decode: null },
    protect: null,
    sealsTokens: false,
    freshSignIn: false,
    features: [],
    actsAt: new Set(),
    mail: null,
    callbacks: { signIn: null, redirect: null, jwt: null, session: null, authorized: null },
    events: {},
    pages: {},
    theme: { colorScheme: "auto", logo: "", brandColor: "", buttonText: "" },
    providerProblems: [],
    redirectProxyOrigins: null,
    redirectSchemes: [],
    skipCSRFCheck: false,
    timeouts: { total: 10, request: 5, event: 10, authorize: 30 },
    problems: [],
    warnings: [],
  });
});

const BASE_PATHS: readonly (readonly [given: string | undefined, url: string | undefined, basePath: string])[] = [
  [undefined, undefined, "/auth"],
  [undefined, "https://app.test", "/auth"],
  [undefined, "https://app.test/api/auth/", "/api/auth"],
  ["/mine", "https://app.test/api/auth", "/mine"],
  ["/mine/", undefined, "/mine"],
  ["/", undefined, ""],
  ["", "https://app.test/x", ""],
];

for (const [basePath, AUTH_URL, expected] of BASE_PATHS) {
  test(`resolveConfig() mounts at ${JSON.stringify(expected)} for ${JSON.stringify({ basePath, AUTH_URL })}`, () => {
    assert.equal(testConfig({ basePath }, testRuntime({ AUTH_URL })).basePath, expected);
  });
}

const SECRETS: readonly (readonly [
  given: string | readonly string[] | undefined,
  env: string | undefined,
  secrets: readonly string[],
])[] = [
  ["a", "env", ["a"]],
  [["a", "b"], "env", ["a", "b"]],
  [undefined, "env", ["env"]],
  // What is set and cannot be used is a problem: nothing else stands in for it.
  [["", "b"], "env", []],
  ["", "env", []],
  [[], "env", []],
  [[""], "env", []],
  [undefined, undefined, []],
];

for (const [secret, AUTH_SECRET, secrets] of SECRETS) {
  test(`resolveConfig() takes the secrets ${JSON.stringify(secrets)} of ${JSON.stringify([secret, AUTH_SECRET])}`, () => {
    assert.deepEqual(testConfig({ secret }, testRuntime({ AUTH_SECRET })).secrets, secrets);
  });
}

test("resolveConfig() seals sessions with secrets of their own, and CSRF tokens with the common ones", () => {
  const { secrets, jwt } = testConfig({ secret: "common", jwt: { secret: ["own", "older"] } });
  assert.deepEqual([secrets, jwt.secrets], [["common"], ["own", "older"]]);
});

test("resolveConfig() lets session tokens live as long as sessions unless it is told", () => {
  assert.equal(testConfig({ session: { maxAge: 60 } }).jwt.maxAge, 60);
  assert.equal(testConfig({ session: { maxAge: 60 }, jwt: { maxAge: 30 } }).jwt.maxAge, 30);
});

const TRUST: readonly (readonly [
  given: boolean | undefined,
  env: Readonly<Record<string, string>>,
  trust: "any" | "loopback" | "none",
])[] = [
  [undefined, {}, "loopback"],
  [undefined, { NODE_ENV: "production" }, "loopback"],
  [undefined, { NODE_ENV: "development" }, "any"],
  [true, { NODE_ENV: "production" }, "any"],
  [true, { AUTH_TRUST_HOST: "false" }, "any"],
  [false, { AUTH_URL: "https://app.test" }, "none"],
  [false, { NODE_ENV: "development" }, "none"],
  [undefined, { NODE_ENV: "production", AUTH_URL: "https://app.test" }, "any"],
];

for (const [trustHost, env, trust] of TRUST) {
  test(`resolveConfig() trusts ${trust} host for ${trustHost} and ${JSON.stringify(env)}`, () => {
    assert.equal(testConfig({ trustHost }, testRuntime(env)).trustHost, trust);
  });
}

test("resolveConfig() chooses the cookies' prefix by the connection unless it is told", () => {
  const names = (useSecureCookies?: boolean) => {
    const { cookies: { secure, plain } } = testConfig({ useSecureCookies });
    return [secure.csrfToken.name, plain.csrfToken.name];
  };
  assert.deepEqual(names(), ["__Host-authjs.csrf-token", "authjs.csrf-token"]);
  assert.deepEqual(names(true), ["__Host-authjs.csrf-token", "__Host-authjs.csrf-token"]);
  assert.deepEqual(names(false), ["authjs.csrf-token", "authjs.csrf-token"]);
});

test("resolveConfig() recognizes the marker skipCSRFCheck by its description, and only as a symbol", () => {
  const isSkipped = (value: unknown) => testConfig({ skipCSRFCheck: value as symbol }).skipCSRFCheck;
  for (const value of [skipCSRFCheck, Symbol("skip-csrf-check")]) assert.equal(isSkipped(value), true);
  for (const value of [raw, true, "skip-csrf-check", 1, {}, Symbol(), Symbol("x")]) {
    assert.equal(isSkipped(value), false);
  }
});

test("resolveConfig() freezes what it makes and changes nothing it was given", () => {
  const config = Object.freeze({
    secret: Object.freeze([SECRET, "older"]),
    trustHost: true,
    basePath: "/x/",
    pages: Object.freeze({ signIn: "/in" }),
    theme: Object.freeze({ brandColor: "#fff" }),
    session: Object.freeze({ maxAge: 60 }),
    cookies: Object.freeze({ state: Object.freeze({ name: "s" }) }),
    providers: Object.freeze([github({ clientId: "c" })]),
  });
  const before = JSON.stringify(config);
  const resolved = resolveNow(config, testRuntime());
  assert.equal(JSON.stringify(config), before);
  const made = [resolved, resolved.session, resolved.jwt, resolved.callbacks, resolved.pages, resolved.theme];
  const more = [resolved.cookies, resolved.timeouts, resolved.secrets, resolved.jwt.secrets, resolved.warnings];
  assert.ok([...made, ...more, ...resolved.providers.values()].every(Object.isFrozen));
});

test("resolveConfig() keeps no hold on lists and records of the configuration", () => {
  const secret = [SECRET];
  const pages = { signIn: "/in" };
  const resolved = testConfig({ secret, pages });
  secret.push("later");
  pages.signIn = "/later";
  assert.deepEqual([resolved.secrets, resolved.pages], [[SECRET], { signIn: "/in" }]);
});

test("resolveConfig() calls callbacks on the object they came from", async () => {
  class Application {
    readonly answer = "https://app.test/x";
    redirect() {
      return this.answer;
    }
  }
  const { callbacks } = testConfig({ callbacks: new Application() });
  assert.equal(await callbacks.redirect?.({ url: "", baseUrl: "" }), "https://app.test/x");
});

test("resolveConfig() makes no provider of a configuration with problems", () => {
  assert.equal(testConfig({ secret: "", providers: [github({ clientId: "c" })] }).providers.size, 0);
  assert.equal(testConfig({ providers: [github({ clientId: "c" })] }).providers.size, 1);
});

const WARNINGS: readonly (readonly [
  code: string,
  config: Parameters<typeof testConfig>[0],
  env?: Readonly<Record<string, string>>,
])[] = [
  ["debug-enabled", { debug: true }],
  ["weak-secret", { secret: "x".repeat(31) }],
  ["weak-secret", { secret: [SECRET, "short"] }],
  ["csrf-disabled", { skipCSRFCheck }],
  ["env-url-basepath-redundant", { basePath: "/x/" }, { AUTH_URL: "https://app.test/x" }],
  ["env-url-basepath-mismatch", { basePath: "/y" }, { AUTH_URL: "https://app.test/x" }],
  ["experimental-webauthn", { experimental: { enableWebAuthn: true } }],
  [
    "redirect-proxy-closed",
    { redirectProxyUrl: "https://proxy.test/auth" },
    { AUTH_URL: "https://proxy.test", AUTH_REDIRECT_PROXY_URL: "https://other.test/auth" },
  ],
  ["no-checks", { providers: [github({ clientId: "c", checks: ["none"] })] }],
];

for (const [code, config, env] of WARNINGS) {
  test(`resolveConfig() warns ${code} of ${String(Object.keys(config ?? {}))}`, () => {
    const resolved = testConfig({ logger: testLog().logger, ...config }, testRuntime(env));
    assert.deepEqual(resolved.warnings.map(([code]) => code), [code]);
    assert.deepEqual(resolved.problems, []);
  });
}

test("resolveConfig() warns where passkeys can be added in sessions of any age", () => {
  const { commit: _, ...plain } = memoryAdapter();
  const codes = (config: AuthConfig) => testConfig(config).warnings.map(([code]) => code);
  const without = "adapter-without-commit";
  assert.deepEqual(codes({ adapter: plain, providers: [passkey()] }), ["sign-in-time-unknown", without]);
  assert.deepEqual(codes({ adapter: plain, providers: [passkey()], session: { strategy: "jwt" } }), [without]);
  assert.deepEqual(codes({ adapter: plain }), [without]);
  assert.deepEqual(codes({ adapter: memoryAdapter(), providers: [passkey()] }), []);
});

test("resolveConfig() does not warn of what is as it should be", () => {
  const config = { secret: "x".repeat(32), debug: false, experimental: { enableWebAuthn: false }, basePath: "/y" };
  assert.deepEqual(testConfig(config, testRuntime({ AUTH_URL: "https://app.test/" })).warnings, []);
  const proxied = { redirectProxyUrl: "https://proxy.test/auth", redirectProxyOrigins: [] };
  const proxy = testRuntime({ AUTH_URL: "https://proxy.test" });
  assert.deepEqual(testConfig(proxied, proxy).warnings, []);
  const preview = testRuntime({ AUTH_URL: "https://preview.test" });
  assert.deepEqual(testConfig({ ...proxied, redirectProxyOrigins: undefined }, preview).warnings, []);
  for (const checks of [[], ["pkce"], ["none", "pkce"]] as const) {
    assert.deepEqual(testConfig({ providers: [github({ clientId: "c", checks })] }).warnings, [], "state is demanded");
  }
});

test("basePath is kept as the paths of requests are written", () => {
  const table = [["/a b", "/a%20b"], ["/é", "/%C3%A9"], ["/a.b(c", "/a.b(c"], ["/auth/", "/auth"], ["/", ""], ["", ""]];
  for (const [basePath, kept] of table) assert.equal(testConfig({ basePath }).basePath, kept);
});
