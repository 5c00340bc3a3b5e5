/** Whole sign-ins at a real OpenID Provider that demands pushed requests, signed requests and signed responses. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type ClientMetadata, createAuth, type OidcProvider } from "@x/auth";
import { Browser } from "../_support/browser.ts";
import { clientKey } from "../_support/front_issuer.ts";
import { logIn } from "../_support/identity_provider.ts";
import { recordLog, testConfig } from "../_support/service.ts";
import { startStrictProvider, type StrictProvider } from "../_support/strict_provider.ts";

const key = await clientKey();
const registration = {
  jwks: { keys: [{ ...key.jwk, kid: "app" }] },
  id_token_signed_response_alg: "ES256",
  request_object_signing_alg: "ES256",
  authorization_signed_response_alg: "ES256",
};
const token = { clientPrivateKey: { key: key.key, kid: "app" } };

const PUSHED = { pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: true } };
const SIGNED = { requestObjects: { enabled: true, requireSignedRequestObject: true } };
const RESPONSES = { jwtResponseModes: { enabled: true } };

interface Demands {
  readonly features: Readonly<Record<string, unknown>>;
  readonly client?: Readonly<Record<string, unknown>>;
}

/** Signs Ada in, and gives what the provider's URL carried and what came back. */
async function signIn(
  demands: Demands,
  provider: Partial<OidcProvider>,
): Promise<{ sent: string[]; returned: string[] }> {
  const idp = await startStrictProvider({ ...demands, client: { ...registration, ...demands.client } });
  const { logger, errors } = recordLog();
  try {
    const browser = await visitorOf(idp, provider, logger);
    await logIn(await browser.signIn("strict"));
    assert.deepEqual(errors.map(String), []);
    assert.equal((await browser.session())?.user?.name, "ada of userinfo");
    const visited = (path: string) => [
      ...browser.history.find(({ pathname }) => pathname === path)?.searchParams.keys() ?? [],
    ];
    return { sent: visited("/auth"), returned: visited("/auth/callback/strict") };
  } finally {
    await idp.close();
  }
}

function visitorOf(
  idp: StrictProvider,
  { client, ...provider }: Partial<OidcProvider>,
  logger: ReturnType<typeof recordLog>["logger"],
): Browser {
  const metadata: ClientMetadata = { id_token_signed_response_alg: "ES256", ...client };
  const providers = [idp.provider({ ...provider, client: metadata })];
  return new Browser(createAuth(testConfig({ providers, logger })).handler, { mayFail: true }).allow(idp.issuer);
}

const METHODS = ["client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt", "none"];

for (const method of METHODS) {
  test(`a person signs in where requests must be pushed, and the client authenticates by ${method}`, async () => {
    const client = { token_endpoint_auth_method: method };
    const secret = method === "none" ? { clientSecret: undefined } : {};
    const registered = method === "none" || method === "private_key_jwt" ? { client_secret: undefined } : {};
    const { sent } = await signIn({ features: PUSHED, client: { ...client, ...registered } }, {
      client,
      token,
      ...secret,
    });
    assert.deepEqual(sent, ["client_id", "request_uri"]);
  });
}

test("a person signs in where requests must be signed", async () => {
  const { sent } = await signIn({ features: SIGNED }, { authorization: { requestObjectKey: token.clientPrivateKey } });
  assert.deepEqual(sent, ["client_id", "response_type", "scope", "request"]);
});

test("a person signs in where requests must be signed and pushed", async () => {
  const client = { token_endpoint_auth_method: "client_secret_basic" };
  const { sent } = await signIn({ features: { ...SIGNED, ...PUSHED } }, { client, token });
  assert.deepEqual(sent, ["client_id", "request_uri"]);
});

for (const response_mode of ["jwt", "query.jwt", "form_post.jwt"]) {
  test(`a person signs in where the response is signed and comes by ${response_mode}`, async () => {
    const client = { authorization_signed_response_alg: "ES256" };
    const { returned } = await signIn({ features: RESPONSES }, {
      client,
      authorization: { params: { response_mode } },
    });
    if (response_mode !== "form_post.jwt") assert.deepEqual(returned, ["response"]);
  });
}

test("a person signs in where requests are pushed and signed, and responses are signed, as FAPI 2.0 has it", async () => {
  const fapi = { fapi: { enabled: true, profile: "2.0" } };
  const { sent, returned } = await signIn({
    features: { ...PUSHED, ...SIGNED, ...RESPONSES, ...fapi },
    client: {
      token_endpoint_auth_method: "private_key_jwt",
      token_endpoint_auth_signing_alg: "ES256",
      client_secret: undefined,
      require_pushed_authorization_requests: true,
    },
  }, {
    token,
    clientSecret: undefined,
    client: { authorization_signed_response_alg: "ES256", token_endpoint_auth_method: "private_key_jwt" },
  });
  assert.deepEqual([sent, returned], [["client_id", "request_uri"], ["response"]]);
});

let idp: StrictProvider;
before(async () => {
  const features = { ...PUSHED, ...RESPONSES };
  idp = await startStrictProvider({ features, client: registration });
});
after(() => idp.close());

test("a person who declines comes back with a signed error", async () => {
  const { logger, errors } = recordLog();
  const client = { authorization_signed_response_alg: "ES256" };
  const browser = visitorOf(idp, { client }, logger);
  await browser.signIn("strict");
  await browser.click(`${browser.url.pathname}/abort`);
  assert.equal(browser.url.origin, browser.origin);
  const [error] = errors as { type?: string; cause?: { error?: string } }[];
  assert.deepEqual([error?.type, error?.cause?.error], ["OAuthCallbackError", "access_denied"]);
});

test("a request that is refused when it is pushed comes to the log, and the person to the sign-in page", async () => {
  const { logger, errors } = recordLog();
  const authorization = { params: { scope: "openid", response_mode: "nonsense" } };
  const browser = visitorOf(idp, { authorization }, logger);
  await browser.signIn("strict");
  assert.equal(browser.url.origin, browser.origin);
  const [error] = errors as (Error & { cause?: Record<string, unknown> })[];
  assert.match(error?.message ?? "", /pushed authorization request endpoint refused/);
  assert.equal(error?.cause?.error, "unsupported_response_mode");
  assert.ok(error?.cause?.error_description);
});

test("a client secret that is wrong comes to the log when a request is pushed", async () => {
  const { logger, errors } = recordLog();
  const browser = visitorOf(idp, { clientSecret: "wrong secret that is not the one of the client" }, logger);
  await browser.signIn("strict");
  const [error] = errors as (Error & { cause?: Record<string, unknown> })[];
  assert.deepEqual([error?.cause?.error, error?.cause?.status], ["invalid_client", 401]);
  assert.equal(await browser.session(), null);
});
