/** The FAPI 2.0 security profile against a real provider that demands it, and with it whatever else it can demand. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { type AuthConfig, createAuth, type OidcProvider } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { Browser } from "../_support/browser.ts";
import { recordLog, testConfig } from "../_support/service.ts";
import { startStrictProvider, type StrictProvider } from "../_support/strict_provider.ts";

const SITE = "https://app.example";

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
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx: { body: string }, form: string) => void (ctx.body = form),
      },
    },
    clientAuthMethods: ["private_key_jwt"],
    clients: [{
      ...client,
      client_id: "app",
      token_endpoint_auth_signing_alg: "ES256",
      request_object_signing_alg: "ES256",
      grant_types: ["authorization_code", "refresh_token"],
      redirect_uris: [`${SITE}/auth/callback/bank`],
      post_logout_redirect_uris: [`${SITE}/auth/signout/bank`],
      jwks: { keys },
    }],
  }));
  const provider: OidcProvider = {
    id: "bank",
    name: "Bank",
    type: "oidc",
    issuer: bank.issuer,
    clientId: "app",
    authorization: { params: { scope: "openid profile email offline_access", prompt: "consent" } },
    logout: true,
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

const STRATEGIES: readonly AuthConfig["session"][] = [{ strategy: "database" }, { strategy: "jwt" }];

for (const session of STRATEGIES) {
  test(`FAPI 2.0 with all that a provider can demand: sign-in, API, refresh and logout, in ${session?.strategy}`, async () => {
    const { bank, provider } = await startBank();
    try {
      const { logger, errors } = recordLog();
      const adapter = memoryAdapter();
      const auth = createAuth(testConfig({ providers: [provider], adapter, session, logger }));
      const browser = new Browser(auth.handler, { origin: SITE }).allow(bank.issuer);
      await browser.signIn("bank");
      assert.equal(browser.url.href, `${SITE}/`, browser.html);
      const { user } = await browser.session() ?? {};
      assert.deepEqual(user, { name: "Ada Lovelace", email: "ada@example.com" });

      const url = new URL(SITE);
      const cookie = browser.cookies.headerFor(url, { sameSite: true, safe: true }) ?? "";
      const request = new Request(url, { headers: { cookie } });
      const token = await auth.accessToken(request, "bank");
      assert.equal(token.tokenType, "dpop");
      const answer = await token.fetch(`${bank.issuer}/me`);
      assert.equal(answer.headers.get("content-type"), "application/jwt; charset=utf-8", await answer.text());
      const stolen = await fetch(`${bank.issuer}/me`, { headers: { authorization: `Bearer ${token.accessToken}` } });
      await stolen.body?.cancel();
      assert.equal(stolen.status, 401);

      const fresh = await auth.accessToken(request, "bank", { refused: token.accessToken });
      assert.notEqual(fresh.accessToken, token.accessToken);
      assert.equal((await fresh.fetch(`${bank.issuer}/me`)).status, 200);

      await browser.open("/auth/signout?callbackUrl=/bye");
      await browser.submit({}, "/signout");
      assert.equal(browser.url.origin, bank.issuer);
      await browser.submit({ logout: "yes" }, "");
      assert.equal(browser.url.href, `${SITE}/bye`);
      assert.equal(await browser.session(), null);
      assert.deepEqual(errors, []);
    } finally {
      await bank.close();
    }
  });
}
