import assert from "node:assert/strict";
import { test } from "node:test";
import { belowIssuer } from "../../../src/contract/endpoint_url.ts";
import {
  type OAuthOptions,
  type OAuthProvider,
  oauthProvider,
  type OidcOptions,
  oidcProvider,
  type Provider,
} from "../../../src/contract/provider.ts";
import { testConfig, testRuntime } from "../_builders.ts";

type Env = Readonly<Record<string, string>>;

function selfHosted(options: OAuthOptions = {}): OAuthProvider {
  return oauthProvider({
    id: "self-hosted",
    name: "Self-hosted",
    requiredOptions: ["issuer"],
    authorization: { url: belowIssuer(options.issuer, "/authorize"), params: { scope: "read" } },
    token: belowIssuer(options.issuer, "/token"),
    userinfo: belowIssuer(options.issuer, "/me"),
  }, { clientId: "c", ...options });
}

function endpointsOf(provider: OAuthProvider | typeof selfHosted, env: Env = {}) {
  const { providers, brokenProviders } = testConfig({ providers: [provider] }, testRuntime(env));
  const [found] = providers.values();
  const problems = [...brokenProviders.values()].flatMap(({ problems }) => problems.map(({ message }) => message));
  if (found?.type !== "oauth") return problems;
  return [found.authorization.url, found.token.url, found.userinfo.url, found.wellKnown, found.authorization.params];
}

const AT_GIT = [
  "https://git.test/sub/authorize",
  "https://git.test/sub/token",
  "https://git.test/sub/me",
  undefined,
  { scope: "read" },
];

test("endpoints below an issuer are found, whether the issuer is an option or in the environment", () => {
  const env = { AUTH_SELF_HOSTED_ISSUER: "https://git.test/sub/" };
  assert.deepEqual(endpointsOf(selfHosted({ issuer: "https://git.test/sub" })), AT_GIT);
  assert.deepEqual(endpointsOf(selfHosted({ issuer: "https://git.test/sub//" })), AT_GIT);
  assert.deepEqual(endpointsOf(selfHosted(), env), AT_GIT);
  assert.deepEqual(endpointsOf(selfHosted, env), AT_GIT);
  assert.deepEqual(
    endpointsOf(selfHosted({ issuer: "https://git.test/sub" }), {
      AUTH_SELF_HOSTED_ISSUER: "https://other.test",
    }),
    AT_GIT,
  );
});

test("metadata in a place of its own below an issuer is found, whether the issuer is an option or in the environment", () => {
  const provider = (options: OidcOptions = {}) =>
    oidcProvider({
      id: "tenants",
      name: "Tenants",
      wellKnown: belowIssuer(options.issuer, "/.well-known/openid-configuration?tenant=1"),
    }, { clientId: "c", ...options });
  const wellKnownOf = (given: Provider, env: Env = {}) => {
    const [found] = testConfig({ providers: [given] }, testRuntime(env)).providers.values();
    return found?.type === "oidc" ? found.wellKnown : undefined;
  };
  const expected = "https://id.test/.well-known/openid-configuration?tenant=1";
  assert.equal(wellKnownOf(provider({ issuer: "https://id.test/" })), expected);
  assert.equal(wellKnownOf(provider(), { AUTH_TENANTS_ISSUER: "https://id.test" }), expected);
  assert.equal(wellKnownOf(provider()), undefined);
});

test("a required option that is missing is named, with its environment variable", () => {
  const problem =
    'Cannot use provider "self-hosted": set its `issuer` or the environment variable AUTH_SELF_HOSTED_ISSUER';
  assert.deepEqual(endpointsOf(selfHosted()), [problem]);
  assert.deepEqual(endpointsOf(selfHosted), [problem]);
  assert.deepEqual(endpointsOf({ ...selfHosted(), requiredOptions: ["account", "userinfo"] }), [
    'Cannot use provider "self-hosted": set its `account`',
    'Cannot use provider "self-hosted": set its `userinfo`',
  ]);
});

test("a URL without a scheme is not a path below an issuer", () => {
  const provider = { ...selfHosted({ issuer: "https://git.test" }), token: "//evil.test/token" };
  assert.deepEqual(endpointsOf(provider), [
    'Cannot use provider "self-hosted": its `token` must be an https URL, not "//evil.test/token"',
  ]);
});
