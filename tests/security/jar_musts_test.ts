/** What RFC 9101 demands of a client, with the lie of a provider, a caller or a developer that each rule meets. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthError, OidcProvider } from "@x/auth";
import { BadRequest, InvalidConfig } from "../../src/kernel/errors.ts";
import {
  claimsOf,
  type ClientKey,
  clientKey,
  createFrontIssuer,
  headerOf,
  isSignedBy,
} from "../_support/front_issuer.ts";
import { CLIENT, type Issuer } from "../_support/issuer.ts";
import { NOW, visit } from "../unit/oauth/_flow.ts";

const key = await clientKey();

function signing(
  issuer: Issuer,
  overrides: Partial<OidcProvider> = {},
  alg = "ES256",
  { key: own } = key,
): OidcProvider {
  return issuer.provider({
    token: { clientPrivateKey: own },
    client: { request_object_signing_alg: alg, token_endpoint_auth_method: "client_secret_basic" },
    ...overrides,
  });
}

function requestIn(location: string): string {
  return new URL(location).searchParams.get("request") ?? "";
}

async function refused(
  provider: OidcProvider,
  issuer: Issuer,
  params: Record<string, string> = {},
): Promise<AuthError> {
  const browser = visit(issuer, provider);
  let error: unknown;
  await browser.start(params).then(() => assert.fail("a sign-in was started"), (thrown) => error = thrown);
  assert.deepEqual(browser.flows(), [], "no flow is left behind");
  return error as AuthError;
}

const KEYS: readonly (readonly [alg: string, registered: string])[] = [
  ["ES256", "ES256"],
  ["ES384", "ES384"],
  ["RS256", "RS256"],
  ["PS256", "PS256"],
  ["Ed25519", "Ed25519"],
  ["Ed25519", "EdDSA"],
];

const NAMES: readonly (readonly [offered: readonly string[] | undefined, name: string])[] = [
  [["ES256", "EdDSA"], "EdDSA"],
  [["ES256", "Ed25519"], "Ed25519"],
  [["EdDSA", "Ed25519"], "Ed25519"],
  [["ES256"], "EdDSA"],
  [undefined, "EdDSA"],
];

for (const [offered, name] of NAMES) {
  test(`RFC 9864: a request signed by Ed25519 says ${name} to a server that lists ${offered ?? "nothing"}`, async () => {
    const own: ClientKey = await clientKey("Ed25519");
    const issuer = createFrontIssuer({
      metadata: { require_signed_request_object: true, request_object_signing_alg_values_supported: offered },
    });
    const location = await visit(issuer, signing(issuer, { client: {} }, name, own)).start();
    assert.equal(headerOf(requestIn(location)).alg, name);
    assert.ok(isSignedBy(requestIn(location), "Ed25519", own));
  });
}

for (const [alg, registered] of KEYS) {
  test(`section 4: a request object is signed with ${registered}, and a person signs in by it`, async () => {
    const own: ClientKey = await clientKey(alg);
    const issuer = createFrontIssuer();
    const browser = visit(issuer, signing(issuer, {}, registered, own));
    const location = await browser.start();
    assert.equal(headerOf(requestIn(location)).alg, registered);
    assert.ok(isSignedBy(requestIn(location), alg, own));
    await browser.finish((await issuer.consent(location)).params);
    assert.equal(browser.signedIn.length, 1);
  });
}

test("section 4: a request object holds neither request nor request_uri", async () => {
  for (const name of ["request", "request_uri"]) {
    const issuer = createFrontIssuer();
    assert.ok(await refused(signing(issuer), issuer, { [name]: "x" }) instanceof BadRequest);
    const authorization = { params: { [name]: "x" } };
    assert.ok(await refused(signing(issuer, { authorization }), issuer) instanceof InvalidConfig);
  }
  const issuer = createFrontIssuer();
  const claims = claimsOf(requestIn(await visit(issuer, signing(issuer)).start()));
  assert.equal("request" in claims || "request_uri" in claims, false);
});

test("section 4: all parameters are claims: texts as strings, numbers as numbers, JSON as JSON", async () => {
  const issuer = createFrontIssuer();
  const details = [{ type: "payment", amount: "10" }];
  const authorization = {
    params: { claims: { id_token: { acr: null } }, resource: ["https://a.test", "https://b.test"] },
  };
  const browser = visit(issuer, signing(issuer, { authorization }));
  const added = {
    max_age: "60",
    login_hint: "日本 é",
    authorization_details: JSON.stringify(details),
    prompt: "login",
  };
  const claims = claimsOf(requestIn(await browser.start(added)));
  assert.equal(claims.max_age, 60);
  assert.equal(claims.login_hint, "日本 é");
  assert.deepEqual(claims.authorization_details, details);
  assert.deepEqual(claims.claims, { id_token: { acr: null } });
  assert.deepEqual(claims.resource, ["https://a.test", "https://b.test"]);
  for (const name of ["state", "nonce", "code_challenge", "redirect_uri", "scope", "response_type", "prompt"]) {
    assert.equal(typeof claims[name], "string", name);
  }
  assert.equal(claims.code_challenge_method, "S256");
});

const DETAILS = [{ type: "payment", amount: { value: "10" } }, { type: "account" }];

for (const [what, given] of [["one", DETAILS.slice(0, 1)], ["several", DETAILS], ["an object", DETAILS[0]]] as const) {
  test(`RFC 9396, section 2: authorization_details is a JSON array, signed, pushed or neither: ${what}`, async () => {
    const wanted = [given].flat();
    const authorization = { params: { authorization_details: given } };
    const plain = createFrontIssuer();
    const url = new URL(await visit(plain, plain.provider({ authorization })).start());
    assert.deepEqual(url.searchParams.getAll("authorization_details").map((text) => JSON.parse(text)), [wanted]);
    const issuer = createFrontIssuer();
    const location = await visit(issuer, signing(issuer, { authorization })).start();
    assert.deepEqual(claimsOf(requestIn(location)).authorization_details, wanted);
    const pushing = createFrontIssuer();
    await visit(pushing, pushing.provider({ authorization: { ...authorization, pushed: true } })).start();
    assert.deepEqual(JSON.parse(pushing.pushed[0]?.form?.get("authorization_details") ?? ""), wanted);
  });
}

test("section 4: a parameter that is repeated keeps all of its values", async () => {
  const issuer = createFrontIssuer();
  const authorization = { params: { audience: ["a", "b"] } };
  const browser = visit(issuer, signing(issuer, { authorization }));
  assert.deepEqual(claimsOf(requestIn(await browser.start())).audience, ["a", "b"]);
});

test("section 4: a claim that is not the JSON it must be is refused, and not sent as text", async () => {
  for (
    const params of [{ claims: "x" }, { claims: "[]" }, { claims: "null" }, { claims: '"{}"' }, {
      authorization_details: "{}",
    }, { authorization_details: "[" }]
  ) {
    const issuer = createFrontIssuer();
    assert.ok(await refused(signing(issuer), issuer, params) instanceof BadRequest, JSON.stringify(params));
  }
});

test("section 4: a max_age that is no number is refused, and a parameter without a value is none", async () => {
  const issuer = createFrontIssuer();
  for (const max_age of ["x", "-1", "1.5", "null"]) {
    const authorization = { params: { max_age } };
    assert.ok(await refused(signing(issuer, { authorization }), issuer) instanceof BadRequest, max_age);
  }
  const authorization = { params: { max_age: "", display: "" } };
  const claims = claimsOf(requestIn(await visit(issuer, signing(issuer, { authorization })).start({ prompt: "" })));
  assert.deepEqual(["max_age", "display", "prompt"].filter((name) => name in claims), []);
});

test("section 4: iss is the client, aud the issuer as one text, by the clock of the runtime, for minutes, once", async () => {
  const issuer = createFrontIssuer();
  const browser = visit(issuer, signing(issuer));
  const [first, second] = [claimsOf(requestIn(await browser.start())), claimsOf(requestIn(await browser.start()))];
  const { iss, aud, iat, nbf, exp, client_id } = first;
  assert.deepEqual({ iss, aud, iat, nbf, exp, client_id }, {
    iss: CLIENT.id,
    aud: issuer.url,
    iat: NOW,
    nbf: NOW,
    exp: NOW + 300,
    client_id: CLIENT.id,
  });
  assert.equal(typeof first.jti, "string");
  assert.notEqual(first.jti, second.jti);
  assert.notEqual(first.state, second.state);
});

test("section 4: without an issuer there is nobody that a request could be for", async () => {
  const issuer = createFrontIssuer();
  const provider = issuer.oauthProvider({
    token: { url: "https://idp.test/token", clientPrivateKey: key.key },
    client: { request_object_signing_alg: "ES256" },
  });
  const error = await visit(issuer, provider).start().catch((thrown) => thrown);
  assert.ok(error instanceof InvalidConfig);
  assert.match(error.message, /set its `issuer`/);
});

test("section 5: beside the request object the URL has client_id, and what OpenID Connect wants", async () => {
  const issuer = createFrontIssuer();
  const location = await visit(issuer, signing(issuer)).start({ login_hint: "ada", prompt: "login" });
  const { request, ...others } = Object.fromEntries(new URL(location).searchParams);
  assert.deepEqual(others, { client_id: CLIENT.id, response_type: "code", scope: "openid" });
  const claims = claimsOf(request ?? "");
  assert.deepEqual([claims.client_id, claims.response_type], [others.client_id, others.response_type]);
  assert.equal(claims.scope, "openid profile email");
});

test("section 5: a provider of plain OAuth gets client_id beside it, and nothing else", async () => {
  const issuer = createFrontIssuer();
  const provider = issuer.oauthProvider({
    issuer: issuer.url,
    token: { url: "https://idp.test/token", clientPrivateKey: key.key },
    client: { request_object_signing_alg: "ES256" },
  });
  const location = await visit(issuer, provider).start();
  assert.deepEqual([...new URL(location).searchParams.keys()], ["client_id", "request"]);
});

test("section 5: client_id is the same in the URL and in the request object, whatever the configuration adds", async () => {
  const issuer = createFrontIssuer();
  const authorization = { params: { client_id: "another" } };
  const location = await visit(issuer, signing(issuer, { authorization })).start();
  assert.equal(new URL(location).searchParams.get("client_id"), CLIENT.id);
  assert.equal(claimsOf(requestIn(location)).client_id, CLIENT.id);
});

test("section 5: a query of the endpoint stays, and what is configured does not go beside the request object", async () => {
  const issuer = createFrontIssuer({ metadata: { authorization_endpoint: "https://idp.test/authorize?tenant=1" } });
  const discovered = new URL(await visit(issuer, signing(issuer)).start()).searchParams;
  assert.deepEqual([...discovered.keys()].toSorted(), ["client_id", "request", "response_type", "scope", "tenant"]);
  const authorization = "https://idp.test/authorize?tenant=1";
  const configured = new URL(await visit(issuer, signing(issuer, { authorization })).start());
  assert.equal(configured.searchParams.has("tenant"), false);
  assert.equal(claimsOf(requestIn(configured.href)).tenant, "1");
});

test("section 10.1: the algorithm is the registered one, or there is no request", async () => {
  for (const alg of ["RS256", "ES384", "HS256", "none", "EdDSA", "x"]) {
    const issuer = createFrontIssuer();
    const error = await refused(signing(issuer, {}, alg), issuer);
    assert.ok(error instanceof InvalidConfig, alg);
    assert.match(error.message, /request_object_signing_alg/);
  }
});

test("section 10.2: a secret, a public key, or no key at all signs nothing", async () => {
  const { publicKey } = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ]);
  const client = { require_signed_request_object: true };
  for (const clientPrivateKey of [undefined, publicKey, "secret", {}, { key: publicKey }]) {
    const issuer = createFrontIssuer();
    const provider = issuer.provider({ client, token: { clientPrivateKey: clientPrivateKey as CryptoKey } });
    const error = await refused(provider, issuer);
    assert.ok(error instanceof InvalidConfig);
    assert.match(error.message, /`token\.clientPrivateKey` must be a private key/);
    const own = { authorization: { requestObjectKey: (clientPrivateKey ?? publicKey) as CryptoKey } };
    assert.match((await refused(signing(issuer, own), issuer)).message, /`authorization\.requestObjectKey` must be/);
  }
});

test("section 10.5: a demand of the metadata or of the registration is obeyed, and nothing but true demands", async () => {
  for (const demand of [true, undefined, false, null, "true", 1]) {
    const token = { clientPrivateKey: key.key };
    const issuer = createFrontIssuer({ metadata: { require_signed_request_object: demand } });
    const location = await visit(issuer, issuer.provider({ token })).start();
    assert.equal(requestIn(location) !== "", demand === true, String(demand));
  }
  const issuer = createFrontIssuer();
  const client = { require_signed_request_object: true };
  const location = await visit(issuer, issuer.provider({ client, token: { clientPrivateKey: key.key } })).start();
  assert.equal(headerOf(requestIn(location)).alg, "ES256");
});

test("section 10.5: where it is demanded and there is no key, no request goes through the browser", async () => {
  const issuer = createFrontIssuer({ metadata: { require_signed_request_object: true } });
  assert.ok(await refused(issuer.provider(), issuer) instanceof InvalidConfig);
});

for (const name of ["iss", "sub", "aud", "exp", "nbf", "iat", "jti"]) {
  test(`section 10.8: a caller does not choose ${name}: a request object must not pass for a client assertion`, async () => {
    const issuer = createFrontIssuer();
    assert.ok(await refused(signing(issuer), issuer, { [name]: CLIENT.id }) instanceof BadRequest);
    const authorization = { params: { [name]: CLIENT.id } };
    assert.ok(await refused(signing(issuer, { authorization }), issuer) instanceof BadRequest);
    // Without a signature it is a parameter like any other.
    assert.ok((await visit(issuer).start({ [name]: "x" })).includes(`${name}=x`));
  });
}

test("section 10.8: the type is that of a request object, with the kid of the key, and there is no sub", async () => {
  const issuer = createFrontIssuer();
  const token = { clientPrivateKey: { key: key.key, kid: "k1" } };
  const request = requestIn(await visit(issuer, signing(issuer, { token })).start());
  assert.deepEqual(headerOf(request), { alg: "ES256", typ: "oauth-authz-req+jwt", kid: "k1" });
  assert.equal("sub" in claimsOf(request), false);
});

test("a key of its own signs requests, and another one the assertions of the client", async () => {
  const own = await clientKey("ES384");
  const issuer = createFrontIssuer();
  const provider = issuer.provider({
    authorization: { requestObjectKey: { key: own.key, kid: "requests" }, pushed: true },
    token: { clientPrivateKey: { key: key.key, kid: "assertions" } },
    client: { token_endpoint_auth_method: "private_key_jwt", require_signed_request_object: true },
  });
  await visit(issuer, provider).start();
  const [pushed] = issuer.pushed;
  assert.ok(isSignedBy(pushed?.form.get("request") ?? "", "ES384", own));
  assert.ok(isSignedBy(pushed?.form.get("client_assertion") ?? "", "ES256", key));
});
