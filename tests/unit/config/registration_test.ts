import assert from "node:assert/strict";
import { test } from "node:test";
import type { OidcOptions } from "../../../src/contract/provider.ts";
import type { ResolvedOAuthProvider } from "../../../src/config/resolved_provider.ts";
import { google, type GoogleProfile } from "../../../src/providers/google.ts";
import type { ClientMetadata } from "../../../src/contract/client_metadata.ts";
import type { OidcProvider } from "../../../src/contract/provider.ts";
import { testConfig } from "../_builders.ts";

const oidc: OidcProvider = { id: "idp", name: "IdP", type: "oidc", issuer: "https://idp.test", clientId: "c" };

function problemsOf(provider: object): readonly string[] {
  return testConfig({ providers: [{ ...oidc, ...provider } as OidcProvider] }).providerProblems.map(({ message }) =>
    message
  );
}

const NOTHING: readonly (readonly [member: string, value: unknown, hint: string])[] = [
  ["introspection_encrypted_response_alg", "ECDH-ES", "introspection"],
  ["request_object_encryption_alg", "RSA-OAEP", "encrypted authorization requests"],
  ["request_uris", ["https://app.test/request"], "behind a URL of yours"],
  ["client_id_issued_at", 2893256800, "without effect"],
  ["client", "confidential", "without effect"],
  ["client_name#ja", "x", "without effect"],
  ["token_endpoint_auth_methods", "none", "without effect"],
  ["constructor", "x", "without effect"],
];

for (const [member, value, hint] of NOTHING) {
  test(`client.${member}, which does nothing, is named in a warning, and the provider stays`, () => {
    const client = { [member]: value, token_endpoint_auth_method: "client_secret_post" } as ClientMetadata;
    const { problems, warnings, providers } = testConfig({ providers: [{ ...oidc, client }] });
    assert.deepEqual(problems, []);
    const told = warnings.filter(([, message]) => message.includes(`\`${member}\``) && message.includes(hint));
    assert.deepEqual(told.map(([code]) => code), ["option-unknown"], JSON.stringify(warnings));
    assert.deepEqual({ ...(providers.get("idp") as ResolvedOAuthProvider).client }, {
      token_endpoint_auth_method: "client_secret_post",
    });
  });
}

/** What a provider answers to a registration (RFC 7591, section 3.2.1), and what others answer besides. */
const ANSWER = {
  client_id: "pasted",
  client_secret: "pasted secret",
  client_id_issued_at: 2893256800,
  client_secret_expires_at: 0,
  registration_access_token: "t",
  registration_client_uri: "https://idp.test/r",
  redirect_uris: ["https://app.test/auth/callback/idp"],
  grant_types: ["authorization_code"],
  client_name: "App",
  "client_name#ja": "x",
  token_endpoint_auth_method: "client_secret_post",
  id_token_signed_response_alg: "ES256",
  userinfo_signed_response_alg: null,
  client: "confidential",
  example_extension_parameter: "x",
};

const PASTED: Readonly<Record<string, object>> = {
  "into client": { ...oidc, clientId: undefined, client: ANSWER },
  "beside client": { ...oidc, clientId: undefined, ...ANSWER },
  "into client of a provider of the catalogue": google({ client: ANSWER as unknown as ClientMetadata }),
  "into a provider of the catalogue": google(ANSWER as unknown as OidcOptions<GoogleProfile>),
};

for (const [where, provider] of Object.entries(PASTED)) {
  test(`the answer to a registration that is pasted ${where} is read, and the rest is named`, () => {
    const { problems, warnings, providers } = testConfig({ providers: [provider as OidcProvider] });
    assert.deepEqual(problems, []);
    const { clientId, clientSecret, client } = [...providers.values()][0] as ResolvedOAuthProvider;
    assert.deepEqual({ clientId, clientSecret, client: { ...client } }, {
      clientId: "pasted",
      clientSecret: "pasted secret",
      client: { token_endpoint_auth_method: "client_secret_post", id_token_signed_response_alg: "ES256" },
    });
    const told = warnings.map(([, message]) => message).join("\n");
    for (const name of ["client_id_issued_at", "registration_access_token", "client"]) {
      assert.ok(told.includes(`\`${name}\``), `${name}: ${told}`);
    }
    assert.doesNotMatch(told, /pasted secret/);
  });
}

test("clientId and clientSecret win over what is pasted, and a warning says so", () => {
  const { warnings, providers } = testConfig({ providers: [{ ...oidc, client: { client_id: "other" } }] });
  assert.equal((providers.get("idp") as ResolvedOAuthProvider).clientId, "c");
  assert.ok(warnings.some(([, message]) => message.includes("`client.client_id`") && message.includes("ignored")));
});

test("members of client that work, that only inform, or that switch something off are no problem", () => {
  const client = {
    token_endpoint_auth_method: "client_secret_post",
    id_token_signed_response_alg: "ES256",
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
    post_logout_redirect_uris: ["https://app.test/auth/signout/idp"],
    backchannel_logout_uri: "https://app.test/auth/backchannel-logout/idp",
    backchannel_logout_session_required: true,
    frontchannel_logout_uri: "https://app.test/auth/frontchannel-logout/idp",
    frontchannel_logout_session_required: true,
    grant_types: ["authorization_code"],
    scope: "openid",
    dpop_bound_access_tokens: true,
    use_mtls_endpoint_aliases: true,
    tls_client_certificate_bound_access_tokens: true,
    tls_client_auth_subject_dn: "CN=app",
    introspection_encrypted_response_alg: undefined,
    request_object_encryption_alg: null,
    userinfo_signed_response_alg: null,
  };
  assert.deepEqual(problemsOf({ client }), []);
  assert.deepEqual(problemsOf({ client: undefined }), []);
});

test("the tolerance for clocks and the audience of assertions must be what they are read as", () => {
  const wrong: readonly (readonly [option: string, provider: object])[] = [
    ...[-1, 601, NaN, Infinity, "-1", {}].map((clockTolerance) => ["clockTolerance", { clockTolerance }] as const),
    ...["", " ", 1, null, ["issuer"]].map((clientAssertionAudience) =>
      ["token.clientAssertionAudience", { token: { clientAssertionAudience } }] as const
    ),
  ];
  for (const [option, provider] of wrong) {
    assert.equal(problemsOf(provider).length, 1, JSON.stringify(provider));
    assert.ok(problemsOf(provider)[0]?.includes(`\`${option}\``));
  }
  for (const clockTolerance of [0, 0.5, 30, 600, null]) assert.deepEqual(problemsOf({ clockTolerance }), []);
  for (const clientAssertionAudience of ["issuer", "token_endpoint", "https://other.test"]) {
    assert.deepEqual(problemsOf({ token: { clientAssertionAudience } }), []);
  }
  for (const token of [null, undefined, "https://idp.test/token", () => ({})]) {
    assert.deepEqual(problemsOf({ token }), []);
  }
});

test("client is ignored where it is not an object, and a warning says so", () => {
  for (const client of ["x", 1, [], () => {}]) {
    const { warnings, providers } = testConfig({ providers: [{ ...oidc, client } as unknown as OidcProvider] });
    assert.match(warnings.map(([, message]) => message).join(), /`client` of provider "idp" is .* and not an object/);
    assert.deepEqual({ ...(providers.get("idp") as ResolvedOAuthProvider).client }, {});
  }
});
