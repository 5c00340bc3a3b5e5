/** Which configurations are served without asking the rules. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { memoryAdapter } from "../../../adapters/memory.ts";
import { isPlain, readConfig } from "../../../src/config/read_config.ts";
import { resolveConfig, type ResolvedConfig } from "../../../src/config/resolve.ts";
import type { AuthConfig } from "../../../src/contract/config.ts";
import { discord } from "../../../src/providers/discord.ts";
import { github } from "../../../src/providers/github.ts";
import { google } from "../../../src/providers/google.ts";
import { twitch } from "../../../src/providers/twitch.ts";
import { resolveNow } from "../../_support/resolved.ts";
import { SECRET, testRuntime } from "../_builders.ts";

type Odd = Readonly<Record<string, unknown>>;
type Env = Readonly<Record<string, string>>;

const CLIENT = { clientId: "id", clientSecret: "secret" };
const idp = { id: "idp", name: "IdP", type: "oidc", issuer: "https://idp.test", clientId: "c" };

const PLAIN: Odd = {
  providers: [github(CLIENT), google(CLIENT), discord(CLIENT), twitch(CLIENT), idp],
  secret: SECRET,
  trustHost: true,
  basePath: "/api/auth",
  debug: false,
  useSecureCookies: true,
  protect: ["/members/*"],
  callbacks: { jwt: () => ({}), session: () => ({}), signIn: null },
  events: { signIn: () => {} },
  pages: { signIn: "/login", error: "/oops" },
  theme: { brandColor: "#346df1", buttons: "brand", language: "de" },
  timeouts: { total: 20 },
  session: { strategy: "jwt", maxAge: 3600, updateAge: 60 },
  jwt: { maxAge: 60 },
};

function isQuiet(config: Odd, env: Env = {}): boolean {
  return isPlain(readConfig(config as AuthConfig, testRuntime(env).env));
}

/** What a configuration becomes, as far as it can be compared. */
function shownOf({ logger: _, sealer: __, providersToCheck: ___, runtime: ____, ...others }: ResolvedConfig): string {
  return JSON.stringify(others, (_name, value) => {
    if (value instanceof Map) return [...value];
    return typeof value === "function" ? "function" : value;
  });
}

for (const [config, env] of [[PLAIN], [{ ...PLAIN, secret: undefined }, { AUTH_SECRET: SECRET }]] as const) {
  test(`the rules are not asked about ${Object.keys(config)} with ${inspect(env)}, and say nothing of it`, async () => {
    const runtime = testRuntime(env);
    assert.ok(isQuiet(config, env));
    const ruled = resolveNow(config as AuthConfig, runtime);
    assert.deepEqual([ruled.problems, ruled.warnings, ruled.providerProblems], [[], [], []]);
    assert.equal(shownOf(await resolveConfig(config as AuthConfig, runtime, undefined)), shownOf(ruled));
  });
}

/** A change of a plain configuration about which the rules have something to say. */
const ODD: readonly (readonly [config: Odd, env?: Env])[] = [
  [{ secret: "short" }],
  [{ secret: undefined }],
  [{ secret: undefined }, { AUTH_SECRET: SECRET, AUTH_SECRET_1: "short" }],
  [{ trustHost: false }],
  [{ trustHost: undefined }, { AUTH_TRUST_HOST: "false" }],
  [{ trustHost: "true" }],
  [{}, { AUTH_URL: "nonsense" }],
  [{}, { AUTH_URL: "example.com" }],
  [{}, { AUTH_URL: "https://example.com/auth" }],
  [{}, { AUTH_REDIRECT_PROXY_URL: "http://example.com/auth" }],
  [{}, { AUTH_GITHUB_ISSUER: "http://example.com" }],
  [{ redirectProxyUrl: "http://example.com/auth" }],
  [{ baseURL: "https://example.com" }],
  [{ callbacks: { signin: () => false } }],
  [{ pages: { signin: "/login" } }],
  [{ theme: { color: "red" } }],
  [{ debug: true }],
  [{ basePath: "/" }],
  [{ experimental: { enableWebAuthn: true } }],
  [{ raw: true }],
  [{ session: { strategy: "database" } }],
  [{ session: { revalidate: 60 } }],
  [{ session: { cache: { seconds: 5 } } }],
  [{ session: { migrateFrom: {} } }],
  [{ cookies: { state: { name: "a" }, nonce: { name: "a" } } }],
  [{ adapter: { ...memoryAdapter(), commit: undefined } }],
  [{ logger: { error: () => {}, warning: () => {} } }],
  ...[
    null,
    {},
    github,
    { ...idp, id: "x".repeat(65) },
    { ...idp, id: "a b" },
    { ...idp, id: "github" },
    { ...idp, name: undefined },
    { ...idp, clientId: undefined },
    { ...idp, issuer: undefined },
    { ...idp, issuer: "http://idp.test" },
    { ...idp, issuer: "https://user:password@idp.test" },
    { ...idp, issuer: "https://id p.test" },
    { ...idp, jwks_endpoint: "http://idp.test" },
    { ...idp, token: { url: "http://idp.test" } },
    { ...idp, token: { URL: "https://idp.test" } },
    { ...idp, checks: ["none"] },
    { ...idp, checks: { pkce: true } },
    { ...idp, type: "oauth", issuer: undefined, checks: ["nonce"] },
    { ...idp, style: { color: "red" } },
    { ...idp, client_id: "other" },
    { ...idp, client: { client_name: "x" } },
    { ...idp, client: { id_token_signed_response_alg: "HS256" } },
    { ...idp, allowInsecureRequests: true },
    { ...idp, allowDangerousEmailAccountLinking: true },
    { ...idp, vouches: "own domain" },
    { ...idp, clientID: "x" },
    { ...github(CLIENT), options: { ...CLIENT, scopes: "x" } },
    { id: "c", name: "C", type: "credentials" },
    { id: "m", name: "M", type: "email", sendVerificationRequest: () => {} },
    { id: "w", name: "W", type: "webauthn" },
  ].map((provider): readonly [Odd] => [{ providers: [github(CLIENT), provider] }]),
];

for (const [change, env] of ODD) {
  const config = { ...PLAIN, ...change };
  const shown = inspect([change, env], { depth: 3, breakLength: Infinity }).replaceAll(/\s+/g, " ").slice(0, 200);
  test(`the rules are asked about ${shown}`, () => {
    const { problems, warnings, providerProblems } = resolveNow(config as AuthConfig, testRuntime(env));
    assert.ok(problems.length + warnings.length + providerProblems.length > 0);
    assert.ok(!isQuiet(config, env));
  });
}
