import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthConfig } from "../../../src/contract/config.ts";
import { asBoolean, inferFromEnv, inferProvider, type Inferred, setEnvDefaults } from "../../../src/config/env.ts";
import { credentials } from "../../../src/providers/credentials.ts";
import { github } from "../../../src/providers/github.ts";
import { google } from "../../../src/providers/google.ts";

type Env = Readonly<Record<string, string | undefined>>;

const NOTHING: Inferred = {
  origin: null,
  basePath: undefined,
  secret: [],
  trustHost: "loopback",
  redirectProxyUrl: undefined,
  problem: undefined,
  mended: undefined,
  oddTrust: undefined,
};
const URL_PROBLEM = "Cannot use the environment variable AUTH_URL: it must be an http(s) URL";

const ROWS: readonly (readonly [env: Env, inferred: Partial<Inferred>])[] = [
  [{}, {}],
  [{ AUTH_URL: "" }, {}],
  [{ AUTH_URL: "https://app.test" }, { trustHost: "any", origin: "https://app.test" }],
  [{ AUTH_URL: "https://app.test/" }, { trustHost: "any", origin: "https://app.test" }],
  [{ AUTH_URL: "https://app.test//" }, { trustHost: "any", origin: "https://app.test" }],
  [{ AUTH_URL: "https://app.test/api/auth" }, { trustHost: "any", origin: "https://app.test", basePath: "/api/auth" }],
  [{ AUTH_URL: "https://app.test/api/auth/" }, { trustHost: "any", origin: "https://app.test", basePath: "/api/auth" }],
  [{ AUTH_URL: "HTTPS://APP.test:443/x?y#z" }, {
    ...{ trustHost: "any", origin: "https://app.test", basePath: "/x" },
    mended: "the environment variable AUTH_URL is more than an origin and a path: it is read as https://app.test/x",
  }],
  [{ AUTH_TRUST_HOST: "shop.example" }, { trustHost: "any", oddTrust: "shop.example" }],
  [{ AUTH_TRUST_HOST: " Yes " }, { trustHost: "any" }],
  [{ AUTH_SECRET: "  " }, {}],
  [{ AUTH_URL: "http://localhost:3000" }, { trustHost: "any", origin: "http://localhost:3000" }],
  [{ AUTH_URL: "https://app.test", NODE_ENV: "production" }, { trustHost: "any", origin: "https://app.test" }],
  [{ AUTH_URL: "https://app.test", AUTH_TRUST_HOST: "false" }, { trustHost: "any", origin: "https://app.test" }],
  [{ NEXTAUTH_URL: "https://old.test/auth" }, { trustHost: "any", origin: "https://old.test", basePath: "/auth" }],
  [{ AUTH_URL: "https://app.test", NEXTAUTH_URL: "https://old.test" }, {
    trustHost: "any",
    origin: "https://app.test",
  }],
  [{ AUTH_URL: "", NEXTAUTH_URL: "https://old.test" }, { trustHost: "any", origin: "https://old.test" }],
  ...([
    ["app.test", "https://app.test"],
    ["www.app.test:8443", "https://www.app.test:8443"],
    ["//app.test", "https://app.test"],
    [" app.test ", "https://app.test"],
    ["localhost", "http://localhost"],
    ["localhost:3000", "http://localhost:3000"],
    ["127.0.0.1:3000", "http://127.0.0.1:3000"],
    ["[::1]:3000", "http://[::1]:3000"],
    ["10.0.0.1", "https://10.0.0.1"],
    ['"https://app.test"', "https://app.test"],
    ["'http://app.test:3000'", "http://app.test:3000"],
  ] as const).map(([AUTH_URL, origin]): readonly [Env, Partial<Inferred>] => {
    const mended = `the environment variable AUTH_URL is not a URL with a scheme: it is read as ${origin}`;
    return [{ AUTH_URL }, { trustHost: "any", origin, mended }];
  }),
  [{ AUTH_URL: "app.test/api/auth" }, {
    trustHost: "any",
    origin: "https://app.test",
    basePath: "/api/auth",
    mended: "the environment variable AUTH_URL is not a URL with a scheme: it is read as https://app.test",
  }],
  ...["true", "1", "1.5", "app", "my app.test", "user@app.test", "app.test?x", "app.test#x", "app.test:x", "/auth", "'"]
    .map((AUTH_URL): readonly [Env, Partial<Inferred>] => [{ AUTH_URL }, { problem: URL_PROBLEM }]),
  [{ AUTH_URL: "https://" }, { problem: URL_PROBLEM }],
  [{ AUTH_URL: "javascript:alert(1)" }, { problem: URL_PROBLEM }],
  [{ AUTH_URL: "ftp://app.test" }, { problem: URL_PROBLEM }],
  [{ AUTH_URL: "%", NODE_ENV: "production" }, { problem: URL_PROBLEM }],
  [{ AUTH_URL: "%", NEXTAUTH_URL: "https://old.test" }, { problem: URL_PROBLEM }],
  [{ NODE_ENV: "production" }, {}],
  [{ NODE_ENV: "development" }, { trustHost: "any" }],
  [{ NODE_ENV: "test" }, { trustHost: "any" }],
  [{ NODE_ENV: "Development" }, {}],
  [{ NODE_ENV: "staging" }, {}],
  [{ NODE_ENV: "development", AUTH_TRUST_HOST: "false" }, { trustHost: "none" }],
  [{ NODE_ENV: "" }, {}],
  [{ NODE_ENV: "production", AUTH_TRUST_HOST: "true" }, { trustHost: "any" }],
  [{ NODE_ENV: "production", AUTH_TRUST_HOST: "1" }, { trustHost: "any" }],
  [{ NODE_ENV: "production", VERCEL: "1" }, { trustHost: "any" }],
  [{ NODE_ENV: "production", CF_PAGES: "1" }, { trustHost: "any" }],
  [{ NODE_ENV: "production", VERCEL: "0" }, {}],
  [{ NODE_ENV: "production", VERCEL: "" }, {}],
  [{ NODE_ENV: "production", VERCEL: "1", AUTH_TRUST_HOST: "false" }, { trustHost: "none" }],
  [{ AUTH_TRUST_HOST: "false" }, { trustHost: "none" }],
  [{ AUTH_TRUST_HOST: "0" }, { trustHost: "none" }],
  [{ AUTH_TRUST_HOST: "" }, { trustHost: "none" }],
  [{ AUTH_SECRET: "s" }, { secret: ["s"] }],
  [{ AUTH_SECRET: "" }, {}],
  [{ AUTH_SECRET: "s0", AUTH_SECRET_1: "s1", AUTH_SECRET_2: "s2", AUTH_SECRET_3: "s3" }, {
    secret: ["s3", "s2", "s1", "s0"],
  }],
  [{ AUTH_SECRET: "s0", AUTH_SECRET_2: "s2" }, { secret: ["s2", "s0"] }],
  [{ AUTH_SECRET_1: "s1" }, { secret: ["s1"] }],
  [{ AUTH_SECRET: "s0", AUTH_SECRET_1: "", AUTH_SECRET_4: "s4" }, { secret: ["s0"] }],
  [{ NEXTAUTH_SECRET: "old" }, { secret: ["old"] }],
  [{ AUTH_SECRET: "s0", NEXTAUTH_SECRET: "old" }, { secret: ["s0"] }],
  [{ AUTH_SECRET: "", NEXTAUTH_SECRET: "old" }, { secret: ["old"] }],
  [{ AUTH_REDIRECT_PROXY_URL: "https://proxy.test/auth" }, { redirectProxyUrl: "https://proxy.test/auth" }],
  [{ AUTH_REDIRECT_PROXY_URL: "" }, {}],
];

for (const [env, inferred] of ROWS) {
  test(`inferFromEnv() reads ${JSON.stringify(env)}`, () => {
    assert.deepEqual(inferFromEnv((name) => env[name]), { ...NOTHING, ...inferred });
  });
}

const BOOLEANS: readonly (readonly [text: string | undefined, value: boolean | undefined])[] = [
  [undefined, undefined],
  ["", false],
  [" ", false],
  ["false", false],
  ["FALSE", false],
  [" false ", false],
  ["0", false],
  ["no", false],
  ["Off", false],
  ["true", true],
  ["1", true],
  ["yes", true],
  ["on", true],
  ["falsey", true],
  ["00", true],
];

for (const [text, value] of BOOLEANS) {
  test(`asBoolean() takes ${JSON.stringify(text)} for ${value}`, () => assert.equal(asBoolean(text), value));
}

test("inferProvider() reads the four variables of a provider by its id", () => {
  const env: Env = {
    AUTH_MY_IDP_2_ID: "id",
    AUTH_MY_IDP_2_SECRET: "secret",
    AUTH_MY_IDP_2_ISSUER: "https://idp.test",
    AUTH_MY_IDP_2_KEY: "key",
  };
  assert.deepEqual(inferProvider((name) => env[name], "my-idp-2"), {
    clientId: "id",
    clientSecret: "secret",
    issuer: "https://idp.test",
    apiKey: "key",
  });
});

test("inferProvider() takes an empty variable for unset", () => {
  const nothing = { clientId: undefined, clientSecret: undefined, issuer: undefined, apiKey: undefined };
  assert.deepEqual(inferProvider(() => "", "github"), nothing);
});

test("setEnvDefaults() writes what the configuration does not say", () => {
  const config: AuthConfig = { providers: [github()] };
  setEnvDefaults({
    AUTH_URL: "https://app.test/api/auth",
    AUTH_SECRET: "s0",
    AUTH_SECRET_1: "s1",
    AUTH_REDIRECT_PROXY_URL: "https://proxy.test/auth",
    AUTH_GITHUB_ID: "id",
    AUTH_GITHUB_SECRET: "secret",
  }, config);
  const { providers, ...others } = config;
  assert.deepEqual(others, {
    basePath: "/api/auth",
    secret: ["s1", "s0"],
    trustHost: true,
    redirectProxyUrl: "https://proxy.test/auth",
  });
  const [provider] = providers ?? [];
  assert.ok(typeof provider === "object" && provider.type === "oauth");
  assert.deepEqual([provider.clientId, provider.clientSecret], ["id", "secret"]);
});

test("setEnvDefaults() leaves open whom to trust where only some hosts are believed", () => {
  const trustOf = (env: Env) => {
    const config: AuthConfig = {};
    setEnvDefaults(env, config);
    return config.trustHost;
  };
  assert.equal(trustOf({}), undefined);
  assert.equal(trustOf({ NODE_ENV: "production" }), undefined);
  assert.equal(trustOf({ NODE_ENV: "development" }), true);
  assert.equal(trustOf({ AUTH_TRUST_HOST: "true" }), true);
  assert.equal(trustOf({ AUTH_TRUST_HOST: "false" }), false);
});

test("setEnvDefaults() keeps what the configuration says", () => {
  const config: AuthConfig = {
    basePath: "/mine",
    secret: "mine",
    trustHost: false,
    redirectProxyUrl: "https://mine.test/auth",
  };
  setEnvDefaults(
    { AUTH_URL: "https://app.test/x", AUTH_SECRET: "s", AUTH_REDIRECT_PROXY_URL: "https://p.test" },
    config,
  );
  assert.deepEqual(config, {
    basePath: "/mine",
    secret: "mine",
    trustHost: false,
    redirectProxyUrl: "https://mine.test/auth",
    providers: undefined,
  });
});

test("setEnvDefaults() defaults the path to /auth", () => {
  for (const env of [{}, { AUTH_URL: "https://app.test/" }]) {
    const config: AuthConfig = {};
    setEnvDefaults(env, config);
    assert.equal(config.basePath, "/auth");
  }
});

test("setEnvDefaults() calls factories, and finds a provider by the id it was given", () => {
  const config: AuthConfig = { providers: [google, github({ id: "work" }), credentials({ authorize: () => null })] };
  setEnvDefaults({ AUTH_GOOGLE_ID: "g", AUTH_WORK_ID: "w", AUTH_GITHUB_ID: "x" }, config);
  const ids = config.providers?.map((provider) => "clientId" in provider ? provider.clientId : null);
  assert.deepEqual(ids, ["g", "w", null]);
});
