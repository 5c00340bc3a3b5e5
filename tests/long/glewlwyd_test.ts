/** Sign-ins with Glewlwyd. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createAuth, type OidcProvider } from "@x/auth";
import { Client } from "../_support/both_services.ts";
import { type Glewlwyd, skipsWithoutGlewlwyd, startGlewlwyd } from "../_support/glewlwyd.ts";
import { testConfig } from "../_support/service.ts";

const CALLBACK = "http://localhost:3000/auth/callback/glewlwyd";
const SECRET = "a-secret-of-more-than-32-characters-as-it-should-be";

const curve = { namedCurve: "P-256" };

/** Keys of the client. The server knows the public ones. */
const keys = {
  signing: await crypto.subtle.generateKey({ name: "ECDSA", ...curve }, true, ["sign", "verify"]),
  encryption: await crypto.subtle.generateKey({ name: "ECDH", ...curve }, true, ["deriveBits"]),
};

describe("Glewlwyd", { skip: skipsWithoutGlewlwyd() }, () => {
  let server: Glewlwyd;
  before(async () => {
    server = await startGlewlwyd();
  });
  after(async () => await server?.stop());

  async function signIn(clientId: string, options: Partial<OidcProvider> = {}): Promise<Client> {
    const provider: OidcProvider = {
      id: "glewlwyd",
      name: "Glewlwyd",
      type: "oidc",
      issuer: server.issuer,
      clientId,
      clientSecret: SECRET,
      ...options,
    };
    const { handler } = createAuth(
      testConfig({ providers: [provider] }),
    );
    const client = new Client({ name: "here", handler });
    const location = await client.post("/auth/signin/glewlwyd", { callbackUrl: "/" });
    const back = await server.visit(clientId, location ?? "");
    assert.equal(back.origin + back.pathname, CALLBACK, back.href);
    const response = await client.send(back.pathname + back.search);
    assert.equal(response.headers.get("location"), "http://localhost:3000/", await response.text());
    return client;
  }

  const basic = { client: { token_endpoint_auth_method: "client_secret_basic" } };

  /** How each client is registered there, and configured here. */
  const clients: Readonly<Record<string, { readonly there?: object; readonly here: Partial<OidcProvider> }>> = {
    client_secret_basic: { here: basic },
    client_secret_post: { here: { client: { token_endpoint_auth_method: "client_secret_post" } } },
    // It takes its own URL for the audience of an assertion, as OpenID Connect Core, section 9, has it.
    client_secret_jwt: {
      here: {
        client: { token_endpoint_auth_method: "client_secret_jwt" },
        token: { clientAssertionAudience: "token_endpoint" },
      },
    },
    private_key_jwt: {
      here: {
        client: { token_endpoint_auth_method: "private_key_jwt" },
        token: {
          clientAssertionAudience: "token_endpoint",
          clientPrivateKey: { key: keys.signing.privateKey, kid: "s" },
        },
      },
    },
    pushed_request: { here: { ...basic, authorization: { pushed: true } } },
    signed_request: {
      here: {
        client: { ...basic.client, request_object_signing_alg: "ES256" },
        authorization: { requestObjectKey: { key: keys.signing.privateKey, kid: "s" } },
      },
    },
    signed_response: { here: { ...basic, authorization: { params: { response_mode: "jwt" } } } },
    bound_tokens: { here: { client: { ...basic.client, dpop_bound_access_tokens: true } } },
    encrypted_id_token: {
      there: { alg: "ECDH-ES", enc: "A256GCM", encrypt_id_token: "1", alg_kid: "e" },
      here: {
        client: {
          ...basic.client,
          id_token_encrypted_response_alg: "ECDH-ES",
          id_token_encrypted_response_enc: "A256GCM",
          decryptionKeys: [{ key: keys.encryption.privateKey, kid: "e" }],
        },
      },
    },
  };

  async function publicKeys(): Promise<object> {
    const exported = await Promise.all(
      Object.values(keys).map(({ publicKey }) => crypto.subtle.exportKey("jwk", publicKey)),
    );
    const uses = [{ kid: "s", use: "sig", alg: "ES256" }, { kid: "e", use: "enc", alg: "ECDH-ES" }];
    return {
      keys: exported.map(({ key_ops: _, ext: __, ...key }, index) => ({ ...key, ...uses[index] })),
    };
  }

  for (const [name, { there, here }] of Object.entries(clients)) {
    it(`signs people in with ${name}, and tells their name at userinfo`, async () => {
      await server.register(name, {
        password: SECRET,
        client_secret: SECRET,
        redirect_uri: [CALLBACK],
        authorization_type: ["code", "refresh_token"],
        token_endpoint_auth_method: [here.client?.token_endpoint_auth_method],
        jwks: await publicKeys(),
        ...there,
      });
      const { user } = await (await signIn(name, here)).json("/auth/session");
      assert.deepEqual(user, { name: "Ada Lovelace", email: "ada@example.com" });
    });
  }
});
