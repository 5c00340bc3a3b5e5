/** Whole sign-ins at a real OpenID Provider that demands pushed requests, signed requests and signed responses. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type AuthError, type ClientMetadata, createAuth, type OidcProvider } from "@x/auth";
import { Browser } from "../_support/browser.ts";
import { clientKey } from "../_support/front_issuer.ts";
import { recordLog, testConfig } from "../_support/service.ts";
import { startStrictProvider, type StrictProvider } from "../_support/strict_provider.ts";

const SITE = "http://localhost:3000";
const SECRET = "the secret of the client, longer than thirty-two characters";

const key = await clientKey();
const signing = { key: key.key, kid: "app" };

const PUSHED = { pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: true } };
const SIGNED = { requestObjects: { enabled: true, requireSignedRequestObject: true } };
const RESPONSES = { jwtResponseModes: { enabled: true } };

interface Demands {
  readonly features: object;
  /** Members of the registration. */
  readonly client?: Readonly<Record<string, unknown>>;
}

function startProvider({ features, client }: Demands): Promise<StrictProvider> {
  return startStrictProvider(() => ({
    features,
    clients: [{
      client_id: "app",
      client_secret: SECRET,
      redirect_uris: [`${SITE}/auth/callback/strict`],
      jwks: { keys: [{ ...key.jwk, kid: "app" }] },
      id_token_signed_response_alg: "ES256",
      request_object_signing_alg: "ES256",
      authorization_signed_response_alg: "ES256",
      ...client,
    }],
  }));
}

interface Result {
  readonly browser: Browser;
  readonly errors: readonly AuthError[];
  /** Names of the parameters that the browser carried to the provider; none if it was not sent there. */
  readonly sent: readonly string[];
  /** And of those that it carried back. */
  readonly returned: readonly string[];
}

/** Starts a sign-in, goes to the provider and comes back. */
async function visit(idp: StrictProvider, { client, ...options }: Partial<OidcProvider> = {}): Promise<Result> {
  const { logger, errors: logged } = recordLog();
  const errors = logged as AuthError[];
  const metadata: ClientMetadata = { id_token_signed_response_alg: "ES256", ...client };
  const { handler } = createAuth(testConfig({
    logger,
    providers: [{
      id: "strict",
      name: "Strict",
      type: "oidc",
      issuer: idp.issuer,
      clientId: "app",
      clientSecret: SECRET,
      ...options,
      client: metadata,
    }],
  }));
  const browser = new Browser(handler, { mayFail: true });
  const started = await browser.post("/auth/signin/strict", { csrfToken: await browser.csrf() });
  const location = new URL(started.headers.get("location") ?? "");
  if (location.origin !== idp.issuer) return { browser, errors, sent: [], returned: [] };
  const { url, fields, html } = await idp.visit(location.href);
  assert.ok(url, html);
  if (fields) await browser.follow(await browser.post(url.pathname, fields));
  else await browser.open(url.href);
  const returned = fields ? Object.keys(fields) : [...url.searchParams.keys()];
  return { browser, errors, sent: [...location.searchParams.keys()], returned };
}

async function signIn(demands: Demands, options: Partial<OidcProvider>): Promise<Result> {
  const idp = await startProvider(demands);
  try {
    const result = await visit(idp, options);
    assert.deepEqual(result.errors.map(String), []);
    assert.equal((await result.browser.session())?.user?.name, "Ada Lovelace");
    return result;
  } finally {
    await idp.close();
  }
}

const METHODS = ["client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt", "none"];

for (const method of METHODS) {
  test(`Ada signs in where requests must be pushed, and the client authenticates by ${method}`, async () => {
    const client = { token_endpoint_auth_method: method };
    const isSecretless = method === "none" || method === "private_key_jwt";
    const { sent } = await signIn(
      { features: PUSHED, client: { ...client, ...(isSecretless && { client_secret: undefined }) } },
      { client, token: { clientPrivateKey: signing }, ...(isSecretless && { clientSecret: undefined }) },
    );
    assert.deepEqual(sent, ["client_id", "request_uri"]);
  });
}

test("Ada signs in where requests must be signed", async () => {
  const { sent } = await signIn({ features: SIGNED }, { authorization: { requestObjectKey: signing } });
  assert.deepEqual(sent, ["client_id", "response_type", "scope", "request"]);
});

test("Ada signs in where requests must be signed and pushed", async () => {
  const client = { token_endpoint_auth_method: "client_secret_basic" };
  const options = { client, token: { clientPrivateKey: signing } };
  const { sent } = await signIn({ features: { ...SIGNED, ...PUSHED } }, options);
  assert.deepEqual(sent, ["client_id", "request_uri"]);
});

for (const response_mode of ["jwt", "query.jwt", "form_post.jwt"]) {
  test(`Ada signs in where the response is signed and comes by ${response_mode}`, async () => {
    const client = { authorization_signed_response_alg: "ES256" };
    const options = { client, authorization: { params: { response_mode } } };
    const { returned } = await signIn({ features: RESPONSES }, options);
    assert.deepEqual(returned, ["response"]);
  });
}

for (const response_mode of ["query.jwt", "form_post.jwt"]) {
  test(`Ada signs in where the response is signed and encrypted and comes by ${response_mode}`, async () => {
    const pair = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
    // Deno writes an `alg` there, ECDH, that does not exist.
    const { key_ops: _, ext: __, alg: ___, ...jwk } = await crypto.subtle.exportKey("jwk", pair.publicKey);
    const registered = {
      authorization_signed_response_alg: "ES256",
      authorization_encrypted_response_alg: "ECDH-ES",
      authorization_encrypted_response_enc: "A256GCM",
    };
    const demands = {
      features: { ...RESPONSES, encryption: { enabled: true } },
      client: { ...registered, jwks: { keys: [{ ...key.jwk, kid: "app" }, { ...jwk, use: "enc", kid: "enc" }] } },
    };
    const { returned } = await signIn(demands, {
      client: { ...registered, decryptionKeys: [{ key: pair.privateKey, kid: "enc" }] },
      authorization: { params: { response_mode } },
    });
    assert.deepEqual(returned, ["response"]);
  });
}

test("Ada signs in where requests are pushed and signed, and responses are signed, with FAPI 2.0", async () => {
  const demands = {
    features: { ...PUSHED, ...SIGNED, ...RESPONSES, fapi: { enabled: true, profile: "2.0" } },
    client: {
      token_endpoint_auth_method: "private_key_jwt",
      token_endpoint_auth_signing_alg: "ES256",
      client_secret: undefined,
      require_pushed_authorization_requests: true,
      require_signed_request_object: true,
    },
  };
  const { sent, returned } = await signIn(demands, {
    token: { clientPrivateKey: signing },
    clientSecret: undefined,
    client: { authorization_signed_response_alg: "ES256", token_endpoint_auth_method: "private_key_jwt" },
  });
  assert.deepEqual([sent, returned], [["client_id", "request_uri"], ["response"]]);
});

interface Failure {
  readonly name: string;
  readonly options: Partial<OidcProvider>;
  /** The error and the message in the log. */
  readonly error: string;
  readonly says: RegExp;
}

const FAILURES: readonly Failure[] = [
  {
    name: "an error that the provider signs",
    // It asks for a login that the provider shows no page for.
    options: {
      client: { authorization_signed_response_alg: "ES256" },
      authorization: { params: { scope: "openid", prompt: "none" } },
    },
    error: "login_required",
    says: /answered with an error/,
  },
  {
    name: "a request that is refused when it is pushed",
    options: { authorization: { params: { scope: "openid", response_mode: "nonsense" } } },
    error: "unsupported_response_mode",
    says: /pushed authorization request endpoint refused the request/,
  },
  {
    name: "a client secret that is wrong when a request is pushed",
    options: { clientSecret: "wrong, and longer than thirty-two characters as well" },
    error: "invalid_client",
    says: /pushed authorization request endpoint refused the request/,
  },
];

for (const { name, options, error, says } of FAILURES) {
  test(`${name} comes to the log with its description, and nobody signs in`, async () => {
    const idp = await startProvider({ features: { ...PUSHED, ...RESPONSES } });
    try {
      const { browser, errors } = await visit(idp, options);
      assert.equal(errors.length, 1);
      assert.match(errors[0]?.message ?? "", says);
      assert.equal(errors[0]?.cause?.error, error);
      assert.equal(typeof errors[0]?.cause?.error_description, "string");
      assert.equal(await browser.session(), null);
    } finally {
      await idp.close();
    }
  });
}
