import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthConfig } from "../../../src/contract/config.ts";
import { plainFacts } from "../../../src/config/plain.ts";
import { resolveConfig, type ResolvedConfig } from "../../../src/config/resolve.ts";
import { discord } from "../../../src/providers/discord.ts";
import { github } from "../../../src/providers/github.ts";
import { google } from "../../../src/providers/google.ts";
import { twitch } from "../../../src/providers/twitch.ts";
import { ALL_PARTS } from "../../_support/config_parts.ts";
import { SECRET, testRuntime } from "../_builders.ts";

const CLIENT = { clientId: "id", clientSecret: "secret" };

type Members = Record<string, unknown>;

/** A plain configuration with every option that a plain one can have. */
function plainConfig(): Members {
  return {
    providers: [github(CLIENT), google(CLIENT), discord(CLIENT), twitch(CLIENT)],
    secret: SECRET,
    trustHost: true,
    basePath: "/api/auth",
    debug: false,
    useSecureCookies: true,
    callbacks: { jwt: () => ({}), session: () => ({}) },
    events: { signIn: () => {} },
    pages: { signIn: "/login", error: "/oops" },
    session: { strategy: "jwt", maxAge: 3600, updateAge: 60 },
  };
}

const VALUES: readonly unknown[] = [
  undefined,
  null,
  true,
  false,
  0,
  -1,
  0.5,
  NaN,
  Infinity,
  1e9,
  1e12,
  1n,
  "",
  " ",
  "/",
  "//x",
  "/a/../b",
  "/a?b",
  "auth",
  "true",
  "false",
  "jwt",
  "database",
  "JWT",
  "pkce",
  "none",
  "undefined",
  "text of at least 32 characters for a secret",
  "short",
  "x".repeat(64),
  "x".repeat(65),
  "http://example.com/x",
  "https://example.com/x",
  "https://user:password@example.com/x",
  "https://1.2.3.4.5/x",
  "https://xn--zzzzzz.com/x",
  "https://XN--zzzzzz.com/x",
  "https://EXAMPLE.com/x",
  "https://example.com\\x",
  "javascript:alert(1)",
  "#fff",
  "#FAB",
  "#fffff",
  "red;}",
  "M0 0",
  "M0 0<",
  [],
  [undefined],
  ["pkce"],
  ["none"],
  ["nonce"],
  ["short"],
  [SECRET, SECRET],
  new Array(2),
  {},
  { signIn: "/x" },
  { url: "https://example.com/x" },
  { url: "http://example.com/x" },
  { params: {} },
  { token_endpoint_auth_method: "client_secret_post" },
  { client_id: "id" },
  "yes",
  "no",
  "own domain",
  { names: ["example.com", "a1.example.com"], claim: "hd" },
  { names: ["example.com", undefined] },
  { names: ["EXAMPLE.com", "xn--zzzzzz.com", "x", ".com", "a.1"] },
  { claim: "" },
  { id_token_signed_response_alg: "none" },
  { request: "text" },
  { url: "https://example.com/x", other: 1 },
  () => {},
  class {},
  Promise.resolve({}),
  new Date(0),
  new Map(),
  new URL("https://example.com"),
  Symbol("x"),
];

/** Names that no option has, and those that the rules read. */
const NAMES: readonly string[] = [
  ...["adapter", "theme", "logger", "jwt", "account", "cookies", "protect", "experimental", "raw", "skipCSRFCheck"],
  ...["timeouts", "redirectProxyUrl", "redirectProxyOrigins", "redirectSchemes", "secrets", "provider", "callback"],
  ...["authorised", "signin", "signIn", "baseUrl", "__proto__", "constructor", "toString"],
];

const PROVIDER_NAMES: readonly string[] = [
  ...["id", "name", "type", "style", "issuer", "wellKnown", "authorization", "token", "userinfo", "jwks_endpoint"],
  ...["checks", "profile", "account", "idToken", "clientId", "clientSecret", "requiredOptions", "lacks", "client"],
  ...["allowDangerousEmailAccountLinking", "allowInsecureRequests", "securityProfile", "redirectProxyUrl", "logout"],
  ...["clockTolerance", "maxAge", "timeout", "options", "scope", "clientID", "authorizationUrl", "expectedIssuer"],
  ...["vouches", "ownDomains"],
];

const OPTION_NAMES = ["clientId", "clientSecret", "issuer", "id", "name", "checks", "authorization", "scope", "token"];

const ENVIRONMENTS: readonly Readonly<Record<string, string>>[] = [
  {},
  { AUTH_SECRET: SECRET },
  { AUTH_SECRET: "short" },
  { AUTH_SECRET: SECRET, AUTH_SECRET_1: "short" },
  { AUTH_URL: "https://example.com/auth", AUTH_SECRET: SECRET },
  { AUTH_URL: "https://example.com", AUTH_SECRET: SECRET },
  { AUTH_URL: "example.com", AUTH_SECRET: SECRET },
  { AUTH_URL: "nonsense" },
  { AUTH_TRUST_HOST: "false", AUTH_SECRET: SECRET },
  { AUTH_REDIRECT_PROXY_URL: "https://example.com/auth" },
  { AUTH_GITHUB_ISSUER: "http://example.com", AUTH_GOOGLE_ID: "other" },
];

/** A plain configuration, and what the environment may complete. */
function* basics(): Generator<Members> {
  yield plainConfig();
  for (const name of ["secret", "trustHost", "basePath"]) yield { ...plainConfig(), [name]: undefined };
  yield { providers: [github({}), google(CLIENT)] };
}

/** Each member of each part of a configuration, with each value. */
function* variants(): Generator<Members> {
  for (const value of VALUES) {
    for (const name of [...Object.keys(plainConfig()), ...NAMES]) yield withMember(plainConfig(), name, value);
    for (const part of ["callbacks", "events", "pages", "session"]) {
      const members = plainConfig()[part] as Members;
      for (
        const name of [...Object.keys(members), "authorized", "signin", "texts", "revalidate", "generateSessionToken"]
      ) {
        yield { ...plainConfig(), [part]: withMember(members, name, value) };
      }
    }
    for (const make of [github, google, twitch]) {
      for (const name of PROVIDER_NAMES) yield { ...plainConfig(), providers: [withMember(make(CLIENT), name, value)] };
      for (const name of OPTION_NAMES) {
        yield { ...plainConfig(), providers: [make(withMember(CLIENT, name, value) as typeof CLIENT)] };
      }
      for (const part of ["style", "authorization", "token", "userinfo", "client"]) {
        for (const name of ["bg", "mark", "text", "fixed", "url", "params", "request", "conform", "x"]) {
          const provider = make(CLIENT) as unknown as Members;
          yield {
            ...plainConfig(),
            providers: [{ ...provider, [part]: withMember(provider[part] ?? {}, name, value) }],
          };
        }
      }
    }
    yield { ...plainConfig(), providers: [github(CLIENT), value] };
  }
  yield { ...plainConfig(), providers: [github(CLIENT), github(CLIENT)] };
  yield { ...plainConfig(), providers: [github] };
}

function withMember(owner: object, name: string, value: unknown): Members {
  const copy: Members = { ...owner };
  Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}

/** What a configuration becomes, as far as it can be compared. */
function shownOf({ logger: _, sealer: __, providersToCheck: ___, runtime: ____, ...others }: ResolvedConfig): string {
  return JSON.stringify(others, (_name, value) => {
    if (value instanceof Map) return [...value];
    return typeof value === "function" ? "function" : value;
  });
}

test("the rules have nothing to say about a configuration that is plain, and it becomes the same without them", () => {
  let plain = 0;
  let others = 0;
  for (const env of ENVIRONMENTS) {
    const runtime = testRuntime(env);
    for (const members of env === ENVIRONMENTS[0] ? [...basics(), ...variants()] : basics()) {
      const config = members as AuthConfig;
      const facts = plainFacts(config, runtime.env);
      if (facts === null) {
        others++;
        continue;
      }
      plain++;
      const full = resolveConfig(config, runtime, ALL_PARTS);
      const said = [...full.problems, ...full.warnings, ...full.providerProblems];
      assert.deepEqual(said.map(String), []);
      assert.equal(full.brokenProviders.size, 0);
      const short = resolveConfig(config, runtime, { ...ALL_PARTS, mistakes: facts });
      assert.equal(shownOf(short), shownOf(full));
    }
  }
  // Neither "always" nor "never".
  assert.ok(plain > 300 && others > 4000, `${plain} plain, ${others} others`);
});

test("what most write is plain", () => {
  const runtime = testRuntime({ AUTH_SECRET: SECRET, AUTH_GITHUB_ID: "id", AUTH_GITHUB_SECRET: "secret" });
  assert.ok(plainFacts({ providers: [github()] }, runtime.env));
  assert.ok(plainFacts(plainConfig() as AuthConfig, testRuntime({}).env));
});

test("what throws when it is read is left to the rules", () => {
  const providers = [Object.defineProperty({ ...github(CLIENT) }, "name", {
    enumerable: true,
    get: () => {
      throw new Error("no name");
    },
  })];
  assert.equal(plainFacts({ providers, secret: SECRET }, testRuntime({}).env), null);
});
