import assert from "node:assert/strict";
import { test } from "node:test";
import { clientProblems } from "../../../src/config/check_client.ts";
import type { ClientMetadata } from "../../../src/contract/client_metadata.ts";
import type { OidcProvider } from "../../../src/contract/provider.ts";
import { testConfig } from "../_builders.ts";

const oidc: OidcProvider = { id: "idp", name: "IdP", type: "oidc", issuer: "https://idp.test", clientId: "c" };

function problemsOf(provider: object): readonly string[] {
  return clientProblems({ ...oidc, ...provider } as OidcProvider).map(({ message }) => message);
}

const NOTHING: readonly (readonly [member: string, value: unknown, hint: string])[] = [
  ["introspection_encrypted_response_alg", "ECDH-ES", "introspection"],
  ["request_object_encryption_alg", "RSA-OAEP", "encrypted authorization requests"],
  ["request_uris", ["https://app.test/request"], "behind a URL of yours"],
  ["backchannel_logout_uri", "https://app.test/logout", "logout by the provider"],
  ["frontchannel_logout_uri", "https://app.test/logout", "logout by the provider"],
  ["client_id", "c", "`clientId` instead"],
  ["client_secret", "s", "`clientSecret` instead"],
  ["token_endpoint_auth_methods", "none", "remove it"],
  ["constructor", "x", "remove it"],
];

for (const [member, value, hint] of NOTHING) {
  test(`client.${member}, which does nothing, is a problem`, () => {
    const problems = problemsOf({ client: { [member]: value } });
    assert.equal(problems.length, 1);
    assert.ok(problems[0]?.includes(`\`client.${member}\``) && problems[0].includes(hint), problems[0]);
    const given = testConfig({ providers: [{ ...oidc, client: { [member]: value } as ClientMetadata }] });
    assert.ok(JSON.stringify([given.problems.map(String), given.warnings]).includes(`client.${member}`));
  });
}

test("members of client that work, that only inform, or that switch something off are no problem", () => {
  const client = {
    token_endpoint_auth_method: "client_secret_post",
    id_token_signed_response_alg: "ES256",
    userinfo_signed_response_alg: "ES256",
    id_token_encrypted_response_alg: "ECDH-ES",
    userinfo_encrypted_response_enc: "A256GCM",
    decryptionKeys: [],
    default_max_age: 60,
    require_auth_time: true,
    authorization_signed_response_alg: "ES256",
    request_object_signing_alg: "ES256",
    require_signed_request_object: true,
    require_pushed_authorization_requests: true,
    client_name: "App",
    redirect_uris: ["https://app.test/auth/callback/idp"],
    grant_types: ["authorization_code"],
    scope: "openid",
    dpop_bound_access_tokens: true,
    use_mtls_endpoint_aliases: true,
    tls_client_certificate_bound_access_tokens: true,
    tls_client_auth_subject_dn: "CN=app",
    introspection_encrypted_response_alg: undefined,
    request_object_encryption_alg: null,
  };
  assert.deepEqual(problemsOf({ client }), []);
  assert.deepEqual(problemsOf({ client: undefined }), []);
});

test("client, the tolerance for clocks and the audience of assertions must be what they are read as", () => {
  const wrong: readonly (readonly [option: string, provider: object])[] = [
    ...["x", 1, [], () => {}].map((client) => ["client", { client }] as const),
    ...[-1, 601, NaN, Infinity, "30", null].map((clockTolerance) => ["clockTolerance", { clockTolerance }] as const),
    ...["", " ", 1, null, ["issuer"]].map((clientAssertionAudience) =>
      ["token.clientAssertionAudience", { token: { clientAssertionAudience } }] as const
    ),
  ];
  for (const [option, provider] of wrong) {
    assert.equal(problemsOf(provider).length, 1, JSON.stringify(provider));
    assert.ok(problemsOf(provider)[0]?.includes(`\`${option}\``));
  }
  for (const clockTolerance of [0, 0.5, 30, 600]) assert.deepEqual(problemsOf({ clockTolerance }), []);
  for (const clientAssertionAudience of ["issuer", "token_endpoint", "https://other.test"]) {
    assert.deepEqual(problemsOf({ token: { clientAssertionAudience } }), []);
  }
  for (const token of [null, undefined, "https://idp.test/token", () => ({})]) {
    assert.deepEqual(problemsOf({ token }), []);
  }
});
