/** The FAPI 2.0 security profile against a real provider that demands it, and with it whatever else it can demand. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { createAuth, type OidcProvider } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { Client } from "../_support/both_services.ts";
import { testConfig } from "../_support/service.ts";
import { startStrictProvider, type StrictProvider } from "../_support/strict_provider.ts";

const CALLBACK = "https://app.example/auth/callback/bank";

async function jwkOf(key: CryptoKey, members: object): Promise<object> {
  const { key_ops: _, ext: __, ...jwk } = await crypto.subtle.exportKey("jwk", key);
  return { ...jwk, ...members };
}

async function startBank(): Promise<{ bank: StrictProvider; provider: OidcProvider }> {
  const signing = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
  const encryption = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
  const keys = await Promise.all([
    jwkOf(signing.publicKey, { kid: "signing", alg: "ES256", use: "sig" }),
    jwkOf(encryption.publicKey, { kid: "encryption", alg: "ECDH-ES", use: "enc" }),
  ]);
  const client = {
    token_endpoint_auth_method: "private_key_jwt",
    id_token_signed_response_alg: "ES256",
    id_token_encrypted_response_alg: "ECDH-ES",
    id_token_encrypted_response_enc: "A256GCM",
    userinfo_signed_response_alg: "PS256",
    authorization_signed_response_alg: "ES256",
    dpop_bound_access_tokens: true,
    require_pushed_authorization_requests: true,
  };
  const bank = await startStrictProvider(() => ({
    features: {
      fapi: { enabled: true, profile: "2.0" },
      pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: true },
      dPoP: { enabled: true, requireNonce: () => true, nonceSecret: Buffer.alloc(32, 1) },
      jwtResponseModes: { enabled: true },
      jwtUserinfo: { enabled: true },
      encryption: { enabled: true },
      requestObjects: { enabled: true, requireSignedRequestObject: true },
      rpInitiatedLogout: { enabled: true },
    },
    clientAuthMethods: ["private_key_jwt"],
    clients: [{
      ...client,
      client_id: "app",
      token_endpoint_auth_signing_alg: "ES256",
      request_object_signing_alg: "ES256",
      grant_types: ["authorization_code", "refresh_token"],
      redirect_uris: [CALLBACK],
      jwks: { keys },
    }],
  }));
  const provider: OidcProvider = {
    id: "bank",
    name: "Bank",
    type: "oidc",
    issuer: bank.issuer,
    clientId: "app",
    authorization: { params: { scope: "openid profile email" } },
    token: { clientPrivateKey: { key: signing.privateKey, kid: "signing" } },
    securityProfile: "fapi2",
    client: {
      id_token_encrypted_response_alg: "ECDH-ES",
      id_token_encrypted_response_enc: "A256GCM",
      userinfo_signed_response_alg: "PS256",
      authorization_signed_response_alg: "ES256",
      decryptionKeys: [{ key: encryption.privateKey, kid: "encryption" }],
    },
  };
  return { bank, provider };
}

test("somebody signs in where PAR, JAR, JARM, DPoP, private_key_jwt, encrypted id_tokens and signed userinfo are required", async () => {
  const { bank, provider } = await startBank();
  try {
    const { handler } = createAuth(
      testConfig({
        providers: [provider],
        adapter: memoryAdapter(),
        session: { strategy: "jwt" },
      }),
    );
    const client = new Client({ name: "here", handler }, "https://app.example");
    const location = await client.post("/auth/signin/bank", { callbackUrl: "/" });
    const { url, html } = await bank.visit(location ?? "");
    assert.equal(url && url.origin + url.pathname, CALLBACK, html);
    assert.deepEqual([...url?.searchParams.keys() ?? []], ["response"]);
    const response = await client.send(`${url?.pathname}${url?.search}`);
    assert.equal(response.headers.get("location"), "https://app.example/");
    const { user } = await client.json("/auth/session");
    assert.deepEqual(user, { name: "Ada Lovelace", email: "ada@example.com" });
  } finally {
    await bank.close();
  }
});
