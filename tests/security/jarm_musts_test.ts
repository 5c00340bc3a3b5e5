/** What JARM demands of a client, with the lie of a provider, or of whoever sends the response, that each rule meets. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { CompactEncrypt } from "jose";
import type { AuthError, OidcProvider } from "@x/auth";
import {
  AccessDenied,
  InvalidCheck,
  InvalidConfig,
  OAuthCallbackError,
  OAuthProviderError,
} from "../../src/kernel/errors.ts";
import { createFrontIssuer, type FrontIssuer, type Lie } from "../_support/front_issuer.ts";
import { type Change, CLIENT, encode, makeKey, signJws } from "../_support/issuer.ts";
import { locationOf, NOW, type Visit, visit } from "../unit/oauth/_flow.ts";

function signed(issuer: FrontIssuer, overrides: Partial<OidcProvider> = {}): OidcProvider {
  return issuer.provider({ authorization: { params: { response_mode: "jwt" } }, ...overrides });
}

async function refusalOf(browser: Visit, params: URLSearchParams | Record<string, string>): Promise<AuthError> {
  let error: unknown;
  await browser.finish(params).then(() => assert.fail("somebody signed in"), (thrown) => error = thrown);
  assert.equal(browser.signedIn.length, 0);
  return error as AuthError;
}

for (const response_mode of ["jwt", "query.jwt", "form_post.jwt"]) {
  test(`section 2.3: a person signs in with the mode ${response_mode}`, async () => {
    const issuer = createFrontIssuer();
    const browser = visit(issuer, signed(issuer, { authorization: { params: { response_mode } } }));
    const location = await browser.start();
    assert.equal(new URL(location).searchParams.get("response_mode"), response_mode);
    const { params } = await issuer.consentSigned(location);
    const relayed = response_mode === "form_post.jwt" ? locationOf(browser.relay(Object.fromEntries(params))) : null;
    await browser.finish(relayed === null ? params : new URL(relayed).searchParams);
    assert.equal(browser.signedIn.length, 1);
    assert.deepEqual(browser.flows(), []);
  });
}

test("section 2.3: a mode in the URL of authorization counts like one in its parameters", async () => {
  const issuer = createFrontIssuer();
  const authorization = "https://idp.test/authorize?scope=openid&response_mode=query.jwt";
  const browser = visit(issuer, issuer.provider({ authorization }));
  await browser.finish((await issuer.consentSigned(await browser.start())).params);
  assert.equal(browser.signedIn.length, 1);
});

for (const response_mode of ["fragment.jwt", "query", "form_post", "fragment", "x.jwt", "xjwt", "JWT", ""]) {
  test(`section 2.3: the mode ${JSON.stringify(response_mode)} with signed responses is refused at the start`, async () => {
    const issuer = createFrontIssuer();
    const client = { authorization_signed_response_alg: "RS256" };
    const browser = visit(issuer, issuer.provider({ client, authorization: { params: { response_mode } } }));
    await assert.rejects(() => browser.start(), InvalidConfig);
    assert.deepEqual(browser.flows(), []);
  });
}

interface Row {
  readonly what: string;
  readonly lie: Lie;
  /** What the error says. */
  readonly says: RegExp;
  /** How often keys are loaded. What is refused before needs none. */
  readonly loads: number;
}

const ID_TOKEN = { nonce: "x", sub: "ada-1", iat: NOW, code: undefined };
const other = makeKey("RS256");
const reSigned = (change: (claims: Change) => unknown, header: Change = { alg: "RS256" }) => (jwt: string) => {
  const claims = JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString());
  return signJws(change(claims), header, other);
};

const ROWS: readonly Row[] = [
  {
    what: "section 2.4, step 2: of another issuer",
    lie: { claims: { iss: "https://evil.test" } },
    says: /its iss must be/,
    loads: 0,
  },
  {
    what: "section 2.4, step 2: of an issuer with a slash",
    lie: { claims: { iss: "https://idp.test/" } },
    says: /iss/,
    loads: 0,
  },
  { what: "section 2.4, step 2: without an issuer", lie: { claims: { iss: undefined } }, says: /iss/, loads: 0 },
  {
    what: "section 2.4, step 2: with a list of issuers",
    lie: { claims: { iss: ["https://idp.test"] } },
    says: /iss/,
    loads: 0,
  },
  { what: "section 2.4, step 3: for another client", lie: { claims: { aud: "client-2" } }, says: /its aud/, loads: 0 },
  {
    what: "section 2.4, step 3: for a list of other clients",
    lie: { claims: { aud: ["client-2"] } },
    says: /its aud/,
    loads: 0,
  },
  { what: "section 2.4, step 3: for nobody", lie: { claims: { aud: undefined } }, says: /its aud/, loads: 0 },
  {
    what: "section 2.4, step 4: that has expired",
    lie: { claims: { exp: NOW - 31 } },
    says: /expired 31 seconds ago/,
    loads: 0,
  },
  { what: "section 2.4, step 4: without an expiry", lie: { claims: { exp: undefined } }, says: /no exp/, loads: 0 },
  {
    what: "section 2.4, step 4: with an expiry as text",
    lie: { claims: { exp: `${NOW + 300}` } },
    says: /no exp/,
    loads: 0,
  },
  {
    what: "section 2.4, step 4: that is not valid yet",
    lie: { claims: { nbf: NOW + 31 } },
    says: /not valid yet/,
    loads: 0,
  },
  { what: "section 2.4, step 4: with nbf as text", lie: { claims: { nbf: "0" } }, says: /not valid yet/, loads: 0 },
  {
    what: "section 2.4, step 5: signed with another key",
    lie: { rewrite: reSigned((c) => c) },
    says: /signature|JWT/,
    loads: 2,
  },
  {
    what: "section 2.4, step 5: signed with another key under the kid of the issuer's",
    lie: {
      rewrite: (jwt) =>
        reSigned((c) => c, JSON.parse(Buffer.from(jwt.split(".")[0] ?? "", "base64url").toString()))(jwt),
    },
    says: /signature/,
    loads: 2,
  },
  {
    what: "section 2.4, step 5: that brings its own key",
    lie: { rewrite: reSigned((c) => c, { alg: "RS256", jwk: other.jwk }) },
    says: /signature|JWT/,
    loads: 2,
  },
  {
    what: "section 2.4, step 5: with a code that was replaced",
    lie: { rewrite: withClaims({ code: "stolen" }) },
    says: /signature/,
    loads: 2,
  },
  {
    what: "section 3: with the algorithm none and a signature",
    lie: { header: { alg: "none" } },
    says: /alg/,
    loads: 0,
  },
  { what: "section 3: signed with the client secret", lie: { rewrite: macOf }, says: /alg/, loads: 0 },
  {
    what: "section 3: with an algorithm that is not announced",
    lie: { header: { alg: "PS256" } },
    says: /alg/,
    loads: 2,
  },
  { what: "section 5: that is an access token", lie: { header: { typ: "at+jwt" } }, says: /typ/, loads: 0 },
  { what: "section 5: that is a logout token", lie: { header: { typ: "LOGOUT+JWT" } }, says: /typ/, loads: 0 },
  { what: "section 5: with a type that is no text", lie: { header: { typ: 1 } }, says: /typ/, loads: 0 },
  { what: "section 5: that is an id_token with a state", lie: { claims: ID_TOKEN }, says: /code/, loads: 1 },
  { what: "RFC 7515, section 4.1.11: with crit", lie: { header: { crit: ["exp"], exp: 1 } }, says: /crit/, loads: 0 },
  { what: "with a code that is no text", lie: { claims: { code: 1 } }, says: /code/, loads: 1 },
  { what: "with a code that is empty", lie: { claims: { code: "" } }, says: /code/, loads: 1 },
  { what: "with tokens", lie: { claims: { id_token: "x" } }, says: /implicit/, loads: 2 },
  { what: "with a response inside", lie: { claims: { response: "x" } }, says: /response/i, loads: 2 },
];

function withClaims(change: Change): (jwt: string) => string {
  return (jwt) => {
    const [header, payload = "", signature] = jwt.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    return `${header}.${encode({ ...claims, ...change })}.${signature}`;
  };
}

function macOf(jwt: string): string {
  const text = `${encode({ alg: "HS256" })}.${jwt.split(".")[1]}`;
  return `${text}.${createHmac("sha256", CLIENT.secret).update(text).digest("base64url")}`;
}

for (const { what, lie, says, loads } of ROWS) {
  test(`a response is refused ${what}`, async () => {
    const issuer = createFrontIssuer();
    const browser = visit(issuer, signed(issuer));
    const { params } = await issuer.consentSigned(await browser.start(), lie);
    const error = await refusalOf(browser, params);
    assert.ok(error instanceof OAuthProviderError, String(error));
    assert.match(error.message, says);
    assert.equal(issuer.count("token"), 0, "its code goes nowhere");
    assert.ok(issuer.count("jwks") <= loads, `keys were loaded ${issuer.count("jwks")} times`);
    assert.deepEqual(browser.flows(), [], "the flow has ended");
    assert.equal(browser.runtime.timers(), 0);
  });
}

const NO_FLOW: readonly (readonly [what: string, lie: Lie])[] = [
  ["without a state", { claims: { state: undefined } }],
  ["with the state of somebody else", { claims: { state: "x".repeat(43) } }],
  ["with a state that is no text", { claims: { state: 1 } }],
  ["with two states", { rewrite: (jwt) => jwt.replace(/\.(.*)\./, (_, payload) => `.${twice(payload)}.`) }],
  ["of one part", { rewrite: () => "x" }],
  ["of no JSON", { rewrite: () => "eA.eA.eA" }],
  ["that is nested a thousand times", { rewrite: () => `${encode({})}.${encode("[".repeat(1000))}.x` }],
  ["with bits that are not used", { rewrite: (jwt) => `${jwt.replace(/\.[^.]*$/, "")}.AB` }],
  ["that is encrypted", { rewrite: (jwt) => `${jwt}.x.y` }],
  ["that is empty", { rewrite: () => "" }],
  ["with a signature that was cut off", { rewrite: (jwt) => jwt.replace(/[^.]*$/, "") }],
  ["with the algorithm none", { rewrite: (jwt) => `${encode({ alg: "none" })}.${jwt.split(".")[1]}.` }],
];

function twice(payload: string): string {
  const json = Buffer.from(payload, "base64url").toString();
  return encode(json.replace(/^{/, '{"state":"x",'));
}

for (const [what, lie] of NO_FLOW) {
  test(`a response ${what} finds no flow: nothing else of it is read`, async () => {
    const issuer = createFrontIssuer();
    const browser = visit(issuer, signed(issuer));
    const { params } = await issuer.consentSigned(await browser.start(), lie);
    const error = await refusalOf(browser, params);
    assert.ok(error instanceof InvalidCheck, String(error));
    assert.deepEqual([issuer.count("jwks"), issuer.count("token")], [0, 0]);
    assert.equal(browser.flows().length, 1, "the flow of the person goes on");
  });
}

const encryption = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
const another = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);

async function encrypted(jwt: string, key = encryption.publicKey, alg = "ECDH-ES"): Promise<string> {
  return await new CompactEncrypt(new TextEncoder().encode(jwt)).setProtectedHeader({ alg, enc: "A256GCM" }).encrypt(
    key,
  );
}

const ENCRYPTED: readonly (readonly [
  what: string,
  rewrite: (jwt: string) => string | Promise<string>,
  fault: (new () => Error) | null,
])[] = [
  ["that is signed and encrypted", (jwt) => encrypted(jwt), null],
  ["that is not encrypted", (jwt) => jwt, InvalidCheck],
  ["for another key", (jwt) => encrypted(jwt, another.publicKey), InvalidCheck],
  ["with another algorithm", (jwt) => encrypted(jwt, undefined, "ECDH-ES+A128KW"), InvalidCheck],
  [
    "that was changed",
    async (jwt) => (await encrypted(jwt)).replace(/.$/, (last) => last === "A" ? "Q" : "A"),
    InvalidCheck,
  ],
  ["that is encrypted and not signed", (jwt) => encrypted(jwt.split(".")[1] ?? ""), InvalidCheck],
  ["that anybody has encrypted", (jwt) => encrypted(reSigned((c) => c)(jwt)), OAuthProviderError],
];

for (const [what, rewrite, fault] of ENCRYPTED) {
  test(`section 2.4, step 1: a response ${what} is ${fault ? "refused" : "accepted"} where responses are encrypted`, async () => {
    const issuer = createFrontIssuer();
    const client = {
      authorization_encrypted_response_alg: "ECDH-ES",
      authorization_encrypted_response_enc: "A256GCM",
      decryptionKeys: [encryption.privateKey],
    };
    const browser = visit(issuer, issuer.provider({ client }));
    const { params } = await issuer.consentSigned(await browser.start());
    params.set("response", await rewrite(params.get("response") ?? ""));
    if (fault === null) await browser.finish(params);
    else assert.ok(await refusalOf(browser, params) instanceof fault);
    assert.equal(issuer.count("token"), fault ? 0 : 1);
  });
}

test("section 5.1: whoever has no cookie of a flow causes no request at all", async () => {
  const issuer = createFrontIssuer();
  const [browser, stranger] = [visit(issuer, signed(issuer)), visit(issuer, signed(issuer))];
  const { params } = await issuer.consentSigned(await browser.start());
  const before = issuer.requests.length;
  assert.ok(await refusalOf(stranger, params) instanceof InvalidCheck);
  assert.equal(issuer.requests.length, before);
});

test("a response counts once", async () => {
  const issuer = createFrontIssuer();
  const browser = visit(issuer, signed(issuer));
  const { params } = await issuer.consentSigned(await browser.start());
  const kept = new Map(browser.cookies);
  await browser.finish(params);
  await assert.rejects(() => browser.finish(params), InvalidCheck);
  // The cookie may be sent again.
  for (const [name, value] of kept) browser.cookies.set(name, value);
  await assert.rejects(() => browser.finish(params), InvalidCheck);
});

test("section 2.4: parameters beside the response are not read", async () => {
  const issuer = createFrontIssuer();
  const browser = visit(issuer, signed(issuer));
  const { params } = await issuer.consentSigned(await browser.start());
  for (const [name, value] of Object.entries({ code: "stolen", state: "x", iss: "https://evil.test", error: "x" })) {
    params.set(name, value);
  }
  await browser.finish(params);
  assert.equal(browser.signedIn.length, 1);
  assert.notEqual(issuer.requests.find(({ endpoint }) => endpoint === "token")?.form.get("code"), "stolen");
});

test("section 2.4: the field user, which nobody signs, is not read beside a signed response", async () => {
  const issuer = createFrontIssuer();
  const seen: unknown[] = [];
  const provider = signed(issuer, {
    authorization: { params: { response_mode: "form_post.jwt" } },
    profile: (profile) => (seen.push(profile.user), { id: String(profile.sub) }),
  });
  const browser = visit(issuer, provider);
  const { params } = await issuer.consentSigned(await browser.start());
  params.set("user", JSON.stringify({ name: { firstName: "Eve" } }));
  await browser.finish(params);
  assert.deepEqual(seen, [undefined]);
});

const PLAIN: readonly (readonly [what: string, params: Record<string, string>])[] = [
  ["a code", { code: "code-1" }],
  ["an error", { error: "access_denied", error_description: "no" }],
  ["nothing", {}],
  ["an empty response", { response: "" }],
];

for (const [what, params] of PLAIN) {
  test(`a plain response with ${what} is refused where responses are signed, and ends its flow`, async () => {
    const issuer = createFrontIssuer();
    const browser = visit(issuer, signed(issuer));
    const state = new URL(await browser.start()).searchParams.get("state") ?? "";
    const error = await refusalOf(browser, { ...params, state });
    const isEmpty = "response" in params;
    assert.ok(isEmpty ? error instanceof InvalidCheck : error instanceof OAuthProviderError);
    if (!isEmpty) assert.match(error.message, /must be signed \(JARM\)/);
    if (params.error) assert.deepEqual(error.cause, params);
    assert.equal(issuer.count("token"), 0);
  });
}

test("a signed response is refused where none was demanded, with and without a state beside it", async () => {
  const issuer = createFrontIssuer();
  const browser = visit(issuer);
  const { params } = await issuer.consentSigned(await browser.start());
  const error = await refusalOf(browser, params);
  assert.ok(error instanceof InvalidCheck);
  assert.match(error.message, /JARM/);
  const state = new URL(await browser.start()).searchParams.get("state") ?? "";
  params.set("state", state);
  assert.ok(await refusalOf(browser, params) instanceof OAuthProviderError);
});

test("section 2.1: an error is one only if it is signed, and is then reported like any other", async () => {
  const reported = { error: "access_denied", error_description: "the person said no" };
  const issuer = createFrontIssuer();
  const browser = visit(issuer, signed(issuer));
  const error = await refusalOf(browser, issuer.refuseSigned(await browser.start(), reported).params);
  assert.ok(error instanceof OAuthCallbackError);
  assert.deepEqual(error.cause, reported);
  assert.equal(issuer.count("jwks"), 1, "what is verified is not verified again with other keys");
  const unmet = { error: "unmet_authentication_requirements" };
  assert.ok(await refusalOf(browser, issuer.refuseSigned(await browser.start(), unmet).params) instanceof AccessDenied);
  const lie = { rewrite: withClaims({ error: "server_error" }) };
  const forged = issuer.refuseSigned(await browser.start(), reported, lie);
  assert.ok(await refusalOf(browser, forged.params) instanceof OAuthProviderError);
});

test("section 2.4, step 4: clocks may differ by the tolerance, and what expires is measured by our clock", async () => {
  for (const [clockTolerance, exp, accepted] of [[0, NOW, false], [0, NOW + 1, true], [60, NOW - 59, true]] as const) {
    const issuer = createFrontIssuer();
    const browser = visit(issuer, signed(issuer, { clockTolerance }));
    const { params } = await issuer.consentSigned(await browser.start(), { claims: { exp } });
    if (accepted) await browser.finish(params);
    else await refusalOf(browser, params);
  }
  const issuer = createFrontIssuer();
  const browser = visit(issuer, signed(issuer));
  const { params } = await issuer.consentSigned(await browser.start());
  browser.runtime.advance(331);
  assert.match((await refusalOf(browser, params)).message, /expired/);
});

test("section 2.4, step 5: keys are loaded again for a response that is signed with a new one", async () => {
  const issuer = createFrontIssuer();
  const browser = visit(issuer, signed(issuer));
  await browser.finish((await issuer.consentSigned(await browser.start())).params);
  issuer.rotate();
  await browser.finish((await issuer.consentSigned(await browser.start())).params);
  assert.equal(browser.signedIn.length, 2);
  assert.equal(issuer.count("jwks"), 2);
});

test("section 2.4, step 5: made-up responses cause one reload of keys in a minute", async () => {
  const issuer = createFrontIssuer();
  const browser = visit(issuer, signed(issuer));
  for (let at = 0; at < 5; at++) {
    await refusalOf(
      browser,
      (await issuer.consentSigned(await browser.start(), { rewrite: reSigned((c) => c) })).params,
    );
  }
  assert.equal(issuer.count("jwks"), 2);
});

test("section 3: the registered algorithm is demanded, and sends response_mode where none is chosen", async () => {
  const client = { authorization_signed_response_alg: "ES256" };
  const issuer = createFrontIssuer({
    metadata: {
      id_token_signing_alg_values_supported: ["ES256"],
      authorization_signing_alg_values_supported: ["RS256"],
    },
  });
  const [rsa] = issuer.keys;
  issuer.rotate("ES256");
  const browser = visit(issuer, issuer.provider({ client }));
  const location = await browser.start();
  assert.equal(new URL(location).searchParams.get("response_mode"), "jwt");
  await browser.finish((await issuer.consentSigned(location)).params);
  assert.equal(browser.signedIn.length, 1);
  assert.ok(rsa);
  issuer.keys.unshift(rsa);
  const { params } = await issuer.consentSigned(await browser.start());
  await assert.rejects(() => browser.finish(params), OAuthProviderError);
});

test("section 3: an algorithm with a shared secret, none, or what is no algorithm, is refused at the start", async () => {
  for (const alg of ["HS256", "none", "RS1", "x"]) {
    const issuer = createFrontIssuer();
    const browser = visit(issuer, issuer.provider({ client: { authorization_signed_response_alg: alg } }));
    await assert.rejects(() => browser.start(), InvalidConfig);
  }
});

test("section 4: an algorithm that the metadata announces is accepted", async () => {
  const issuer = createFrontIssuer({
    metadata: {
      authorization_signing_alg_values_supported: ["ES256"],
      id_token_signing_alg_values_supported: ["ES256"],
    },
  });
  issuer.rotate("ES256");
  const browser = visit(issuer, signed(issuer));
  await browser.finish((await issuer.consentSigned(await browser.start())).params);
  assert.equal(browser.signedIn.length, 1);
});

test("a provider of plain OAuth without an issuer or without keys cannot sign responses", async () => {
  const authorization = { url: "https://idp.test/authorize", params: { response_mode: "jwt" } };
  const issuer = createFrontIssuer();
  const error = await visit(issuer, issuer.oauthProvider({ authorization })).start().catch((thrown) => thrown);
  assert.ok(error instanceof InvalidConfig && error.message.includes("`issuer`"));
  const keyless = createFrontIssuer({ metadata: { jwks_uri: undefined } });
  const provider = keyless.oauthProvider({ authorization, issuer: keyless.url });
  assert.match(String(await visit(keyless, provider).start().catch((thrown) => thrown)), /`jwks_endpoint`/);
  const browser = visit(issuer, issuer.oauthProvider({ authorization, issuer: issuer.url }));
  await browser.finish((await issuer.consentSigned(await browser.start())).params);
  assert.equal(browser.signedIn.length, 1);
});

test("section 2.4, step 2: of many tenants, the one that signs a response is the one that signs the id_token", async () => {
  const tenant = "https://idp.test/tenant-a";
  for (
    const [iss, accepted] of [[tenant, true], ["https://idp.test/tenant-b", false], [
      "https://evil.test/a",
      false,
    ]] as const
  ) {
    const issuer = createFrontIssuer({ metadata: { issuer: "https://idp.test/{tenant}" } });
    issuer.claim({ iss: tenant });
    const browser = visit(issuer, signed(issuer, { expectedIssuer: () => tenant }));
    const { params } = await issuer.consentSigned(await browser.start(), { claims: { iss } });
    if (accepted) await browser.finish(params);
    else await refusalOf(browser, params);
    assert.equal(browser.signedIn.length, accepted ? 1 : 0, iss);
  }
});

test("without state in the response, only checks none takes the newest flow, and the signature still counts", async () => {
  const issuer = createFrontIssuer();
  const browser = visit(issuer, signed(issuer, { checks: ["none"] }));
  const { params } = await issuer.consentSigned(await browser.start(), { claims: { state: undefined } });
  await browser.finish(params);
  assert.equal(browser.signedIn.length, 1);
  const lie = { claims: { state: undefined }, rewrite: reSigned((c) => c) };
  const forged = await issuer.consentSigned(await browser.start(), lie);
  await assert.rejects(() => browser.finish(forged.params), OAuthProviderError);
});
