import type { Mutant } from "./_mutant.ts";

const FAPI2 = ["tests/security/fapi2_musts_test.ts"];
const FILE = "src/oauth_client/fapi2.ts";

/** What the FAPI 2.0 Security Profile adds. */
export const fapi2: readonly Mutant[] = [
  {
    name: "FAPI-541: signatures may have any algorithm that the metadata lists",
    file: FILE,
    find: "listed.filter((alg) => ALGORITHMS.includes(alg))",
    replace: "listed",
    tests: FAPI2,
  },
  {
    name: "FAPI-5322: requests need not be pushed",
    file: FILE,
    find: "{ ...metadata, ...usable, require_pushed_authorization_requests: true }",
    replace: "{ ...metadata, ...usable }",
    tests: FAPI2,
  },
  {
    name: "FAPI-5322: responses need not name their issuer",
    file: FILE,
    find: "!metadata.authorization_response_iss_parameter_supported && !signedResponse",
    replace: "false",
    tests: FAPI2,
  },
  {
    name: "FAPI-5331: the client may have a shared secret",
    file: FILE,
    find: "!METHODS.includes(method)",
    replace: "false",
    tests: FAPI2,
  },
  {
    name: "FAPI-5331: access tokens need not be bound",
    file: FILE,
    find: "!client.dpop_bound_access_tokens && !client.tls_client_certificate_bound_access_tokens",
    replace: "false",
    tests: FAPI2,
  },
  {
    name: "FAPI-542: keys of RSA may be short",
    file: FILE,
    find: 'hash?.name === "SHA-256" && modulusLength >= 2048',
    replace: 'hash?.name === "SHA-256"',
    tests: FAPI2,
  },
  {
    name: "FAPI-533: a client that does not fit is not looked at",
    file: "src/oauth/start.ts",
    find: "if (provider.securityProfile) (await fapi2()).assertFapi2(provider, server, authMethod(provider, server));",
    replace: "",
    tests: FAPI2,
  },
  {
    name: "FAPI-0: every sign-in loads the profile",
    file: "src/oauth/start.ts",
    find: "if (provider.checks.pkce) assertS256(provider, server);",
    replace: "await fapi2();\n  if (provider.checks.pkce) assertS256(provider, server);",
    tests: ["tests/promises/loaded_modules_test.ts"],
  },
];
