/** What RFC 9126 demands of a client, with the lie of a provider, a caller or a developer that each rule meets. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthError, OidcProvider } from "@x/auth";
import { BadRequest, InvalidConfig, OAuthCallbackError, OAuthProviderError } from "../../src/kernel/errors.ts";
import { claimsOf, clientKey, createFrontIssuer, type FrontIssuer, isSignedBy, PAR } from "../_support/front_issuer.ts";
import { type Change, CLIENT, json } from "../_support/issuer.ts";
import { allOf, visit } from "../unit/oauth/_flow.ts";

const key = await clientKey();

/** The parameters of the URL that the browser is sent to. */
function sentBy(location: string): Record<string, string> {
  const { origin, pathname, searchParams } = new URL(location);
  assert.equal(origin + pathname, "https://idp.test/authorize");
  return Object.fromEntries(searchParams);
}

function pushing(issuer: FrontIssuer, overrides: Partial<OidcProvider> = {}): OidcProvider {
  return issuer.provider({ authorization: { pushed: true }, ...overrides });
}

async function refused(
  issuer: FrontIssuer,
  provider: OidcProvider,
  params: Record<string, string> = {},
): Promise<AuthError> {
  const browser = visit(issuer, provider);
  let error: unknown;
  await browser.start(params).then(() => assert.fail("a sign-in was started"), (thrown) => error = thrown);
  assert.deepEqual(browser.flows(), [], "no flow is left behind");
  assert.equal(browser.runtime.timers(), 0);
  return error as AuthError;
}

test("section 2: the client authenticates as at the token endpoint, in every way", async () => {
  const basic = `Basic ${btoa(`${CLIENT.id}:${CLIENT.secret}`)}`;
  const ways: readonly (readonly [method: string, overrides: Partial<OidcProvider>])[] = [
    ["client_secret_basic", {}],
    ["client_secret_post", {}],
    ["client_secret_jwt", {}],
    ["private_key_jwt", { token: { clientPrivateKey: key.key } }],
    ["none", { clientSecret: undefined }],
  ];
  for (const [token_endpoint_auth_method, overrides] of ways) {
    const issuer = createFrontIssuer();
    const browser = visit(issuer, pushing(issuer, { client: { token_endpoint_auth_method }, ...overrides }));
    const { params } = await issuer.consent(await browser.start());
    await browser.finish(params);
    const [pushed] = issuer.pushed;
    assert.ok(pushed);
    const { form, headers } = pushed;
    const assertion = form.get("client_assertion") ?? "";
    assert.equal(headers.get("authorization"), token_endpoint_auth_method === "client_secret_basic" ? basic : null);
    const secret = token_endpoint_auth_method === "client_secret_post" ? CLIENT.secret : null;
    assert.equal(form.get("client_secret"), secret);
    assert.equal(assertion !== "", token_endpoint_auth_method.endsWith("_jwt"), token_endpoint_auth_method);
    if (assertion) {
      const { aud, iss, sub } = claimsOf(assertion);
      assert.deepEqual({ aud, iss, sub }, { aud: issuer.url, iss: CLIENT.id, sub: CLIENT.id });
    }
    if (token_endpoint_auth_method === "private_key_jwt") assert.ok(isSignedBy(assertion, "ES256", key));
    assert.equal(browser.signedIn.length, 1, token_endpoint_auth_method);
  }
});

test("section 2: the endpoint is only reached by https", async () => {
  const issuer = createFrontIssuer({ metadata: { pushed_authorization_request_endpoint: "http://idp.test/par" } });
  const error = await refused(issuer, pushing(issuer));
  assert.ok(error instanceof OAuthProviderError);
  assert.match(error.message, /pushed_authorization_request_endpoint.*is not an https URL/);
  assert.equal(issuer.requests.filter(({ url }) => url.includes("/par")).length, 0);
});

test("section 2.1: the parameters are posted as a form, with client_id", async () => {
  const issuer = createFrontIssuer();
  await visit(issuer, pushing(issuer)).start({ login_hint: "ada é" });
  const [pushed] = issuer.pushed;
  assert.equal(pushed?.method, "POST");
  assert.equal(pushed.url, PAR);
  assert.match(pushed.headers.get("content-type") ?? "", /^application\/x-www-form-urlencoded/);
  const form = Object.fromEntries(pushed.form);
  assert.deepEqual(Object.keys(form).toSorted(), [
    "client_id",
    "code_challenge",
    "code_challenge_method",
    "login_hint",
    "nonce",
    "redirect_uri",
    "response_type",
    "scope",
    "state",
  ]);
  assert.equal(form.client_id, CLIENT.id);
  assert.equal(form.login_hint, "ada é");
});

const REFERENCES = ["request_uri", "request", "REQUEST_URI", "request.uri", "request_uri[]"];

for (const name of REFERENCES) {
  test(`section 2.1: request_uri is never pushed: a caller's ${name} is refused`, async () => {
    const issuer = createFrontIssuer();
    assert.ok(await refused(issuer, pushing(issuer), { [name]: "urn:x" }) instanceof BadRequest);
    assert.equal(issuer.pushed.length, 0);
  });
}

for (const name of ["request_uri", "request"]) {
  test(`section 2.1: request_uri is never pushed: ${name} in the configuration or in the URL is refused`, async () => {
    for (
      const authorization of [
        { pushed: true, params: { [name]: "urn:x" } },
        { pushed: true, url: `https://idp.test/authorize?${name}=urn:x` },
      ]
    ) {
      const issuer = createFrontIssuer();
      const error = await refused(issuer, pushing(issuer, { authorization }));
      assert.ok(error instanceof InvalidConfig);
      assert.ok(error.message.includes(`\`${name}\``));
      assert.equal(issuer.pushed.length, 0);
    }
    const metadata = { authorization_endpoint: `https://idp.test/authorize?${name}=urn:x` };
    const issuer = createFrontIssuer({ metadata });
    await refused(issuer, pushing(issuer));
    assert.equal(issuer.pushed.length, 0);
  });
}

const ANSWERS: readonly (readonly [what: string, answer: () => Response])[] = [
  ["with the status 200", () => json({ request_uri: "urn:x", expires_in: 60 })],
  ["without a request_uri", () => json({ expires_in: 60 }, 201)],
  ["with an empty request_uri", () => json({ request_uri: "", expires_in: 60 }, 201)],
  ["with a number as request_uri", () => json({ request_uri: 1, expires_in: 60 }, 201)],
  ["with a list as request_uri", () => json({ request_uri: ["urn:x"], expires_in: 60 }, 201)],
  ["without expires_in", () => json({ request_uri: "urn:x" }, 201)],
  ["with an expires_in of 0", () => json({ request_uri: "urn:x", expires_in: 0 }, 201)],
  ["with a negative expires_in", () => json({ request_uri: "urn:x", expires_in: -1 }, 201)],
  ["with text as expires_in", () => json({ request_uri: "urn:x", expires_in: "soon" }, 201)],
  ["that is a list", () => json(["urn:x"], 201)],
  ["that is text", () => new Response("urn:x", { status: 201 })],
  ["that is empty", () => new Response(null, { status: 201 })],
  ["that redirects", () => Response.redirect("https://idp.test/other", 302)],
  ["that redirects with 307", () => Response.redirect("https://evil.test/par", 307)],
  ["that is endless", () => new Response("x".repeat(2 ** 20 + 1), { status: 201 })],
  ["with the status 404", () => new Response("no", { status: 404 })],
  ["with the status 500", () => new Response("no", { status: 500 })],
];

for (const [what, answer] of ANSWERS) {
  test(`section 2.2: an answer ${what} starts no sign-in`, async () => {
    const issuer = createFrontIssuer();
    issuer.answerPush(answer);
    assert.ok(await refused(issuer, pushing(issuer)) instanceof OAuthProviderError);
    assert.equal(issuer.pushed.length, 1, "it is not repeated");
  });
}

interface Refusal {
  readonly status: number;
  readonly body: Change;
  readonly type: typeof OAuthProviderError | typeof OAuthCallbackError;
  readonly hint?: string;
}

const REFUSALS: readonly Refusal[] = [
  { status: 400, body: { error: "invalid_request" }, type: OAuthProviderError },
  { status: 400, body: { error: "invalid_redirect_uri" }, type: OAuthProviderError, hint: "redirect URI" },
  { status: 401, body: { error: "invalid_client" }, type: OAuthProviderError, hint: "client_secret_post" },
  { status: 400, body: { error: "unauthorized_client" }, type: OAuthProviderError },
  { status: 400, body: { error: "invalid_scope" }, type: OAuthProviderError },
  { status: 413, body: { error: "invalid_request" }, type: OAuthProviderError },
  { status: 429, body: { error: "temporarily_unavailable" }, type: OAuthCallbackError },
  { status: 503, body: { error: "server_error" }, type: OAuthCallbackError },
  // Some servers report errors with a status of success.
  { status: 201, body: { error: "invalid_request", request_uri: "urn:x", expires_in: 60 }, type: OAuthProviderError },
];

for (const { status, body, type, hint = "" } of REFUSALS) {
  test(`section 2.3: ${body.error} with the status ${status} comes to the log, and the request does not`, async () => {
    const issuer = createFrontIssuer();
    let sent = new URLSearchParams();
    issuer.answerPush(({ form }) => {
      sent = form;
      const said = `Bad ${form.get("state")} ${form.get("nonce")} ${CLIENT.secret}`;
      return json({ ...body, error_description: said }, status);
    });
    const error = await refused(issuer, pushing(issuer));
    assert.ok(error instanceof type, error.type);
    assert.equal(error.cause?.error, body.error);
    assert.equal(error.cause?.error_description, "Bad [redacted] [redacted] [redacted]");
    assert.equal(error.cause?.status, status);
    assert.ok(error.message.includes(hint), error.message);
    if (type === OAuthProviderError) assert.match(error.message, /pushed authorization request endpoint/);
    const everything = allOf(error);
    for (const secret of [sent.get("state"), sent.get("nonce"), sent.get("code_challenge"), CLIENT.secret]) {
      assert.ok(secret && !everything.includes(secret));
    }
  });
}

test("section 2.3: what is inside a request object does not come to the log either", async () => {
  const issuer = createFrontIssuer();
  let claims: Record<string, unknown> = {};
  issuer.answerPush(({ form }) => {
    claims = claimsOf(form.get("request") ?? "");
    return json({ error: "invalid_request", error_description: `${claims.state} ${claims.nonce}` }, 400);
  });
  const client = { request_object_signing_alg: "ES256", token_endpoint_auth_method: "client_secret_basic" };
  const error = await refused(issuer, pushing(issuer, { token: { clientPrivateKey: key.key }, client }));
  assert.equal(error.cause?.error_description, "[redacted] [redacted]");
});

test("section 3: beside a request object nothing is pushed but the authentication of the client", async () => {
  for (const method of ["client_secret_basic", "client_secret_post", "private_key_jwt"]) {
    const issuer = createFrontIssuer();
    const provider = pushing(issuer, {
      token: { clientPrivateKey: key.key },
      client: { token_endpoint_auth_method: method, request_object_signing_alg: "ES256" },
    });
    const browser = visit(issuer, provider);
    const location = await browser.start({ prompt: "login" });
    const others = [...issuer.pushed[0]?.form.keys() ?? []].filter((name) => !/^client_/.test(name));
    assert.deepEqual(others, ["request"], method);
    assert.deepEqual(Object.keys(sentBy(location)), ["client_id", "request_uri"]);
    await browser.finish((await issuer.consent(location)).params);
    assert.equal(browser.signedIn.length, 1);
  }
});

test("section 4: the browser carries client_id and request_uri, and nothing else", async () => {
  for (
    const authorization of [{ pushed: true, params: { prompt: "login" } }, {
      pushed: true,
      url: "https://idp.test/authorize?scope=openid&tenant=1",
    }]
  ) {
    const issuer = createFrontIssuer();
    const location = await visit(issuer, pushing(issuer, { authorization })).start({ login_hint: "ada" });
    assert.deepEqual(sentBy(location), {
      client_id: CLIENT.id,
      request_uri: "urn:ietf:params:oauth:request_uri:1",
    });
    assert.equal(issuer.pushed[0]?.form.get("login_hint"), "ada");
  }
});

test("section 4: what the provider writes into a request_uri stays in it", async () => {
  const issuer = createFrontIssuer();
  issuer.answerPush(() => json({ request_uri: "urn:x&client_id=evil&state=y#z", expires_in: 60 }, 201));
  const location = await visit(issuer, pushing(issuer)).start();
  assert.deepEqual(sentBy(location), { client_id: CLIENT.id, request_uri: "urn:x&client_id=evil&state=y#z" });
});

test("section 4: a request_uri is used once: each sign-in pushes a request of its own", async () => {
  const issuer = createFrontIssuer();
  const browser = visit(issuer, pushing(issuer));
  const locations = [await browser.start(), await browser.start()];
  assert.notEqual(locations[0], locations[1]);
  const [first, second] = issuer.pushed;
  for (const name of ["state", "nonce", "code_challenge"]) {
    assert.notEqual(first?.form.get(name), second?.form.get(name));
  }
});

test("section 4: a request_uri that has expired is the provider's to refuse, and its error is reported", async () => {
  const issuer = createFrontIssuer();
  const browser = visit(issuer, pushing(issuer));
  const state = issuer.read(await browser.start()).get("state") ?? "";
  await assert.rejects(
    () => browser.finish({ error: "invalid_request_uri", error_description: "expired", state }),
    (error: AuthError) => error instanceof OAuthCallbackError && error.cause?.error_description === "expired",
  );
});

test("section 5: metadata that demands pushed requests is obeyed", async () => {
  const issuer = createFrontIssuer({ metadata: { require_pushed_authorization_requests: true } });
  const location = await visit(issuer).start();
  assert.deepEqual(Object.keys(sentBy(location)), ["client_id", "request_uri"]);
});

test("section 5: an endpoint alone demands nothing, and neither does anything but true", async () => {
  for (const demand of [undefined, false, null, "true", 1]) {
    const issuer = createFrontIssuer({ metadata: { require_pushed_authorization_requests: demand } });
    assert.ok(sentBy(await visit(issuer).start()).state);
    assert.equal(issuer.pushed.length, 0);
  }
});

test("section 5: where pushing is demanded and there is no endpoint, no request goes through the browser", async () => {
  for (const endpoint of [undefined, null, "", 1, "/par"]) {
    const metadata = { pushed_authorization_request_endpoint: endpoint, require_pushed_authorization_requests: true };
    for (const authorization of [undefined, { pushed: true }]) {
      const issuer = createFrontIssuer({ metadata });
      const error = await refused(issuer, issuer.provider({ authorization }));
      assert.ok(error instanceof OAuthProviderError);
      assert.match(error.message, /pushed_authorization_request_endpoint/);
    }
  }
});

test("section 6: a client that is registered for pushed requests pushes them, also with endpoints of its own", async () => {
  const client = { require_pushed_authorization_requests: true };
  const issuer = createFrontIssuer();
  const providers = [
    issuer.provider({ client }),
    issuer.oauthProvider({ client, issuer: issuer.url, authorization: "https://idp.test/authorize?scope=a" }),
    issuer.oauthProvider({ issuer: issuer.url, authorization: { url: "https://idp.test/authorize", pushed: true } }),
  ];
  for (const provider of providers) {
    const location = await visit(issuer, provider).start();
    assert.deepEqual(Object.keys(sentBy(location)), ["client_id", "request_uri"]);
  }
  assert.equal(issuer.pushed.length, providers.length);
});
