import assert from "node:assert/strict";
import { createHash, createHmac, createPublicKey, sign } from "node:crypto";
import { test } from "node:test";
import { OAuthProviderError } from "../../../src/kernel/errors.ts";
import { idTokenProblem, readIdToken } from "../../../src/oauth/id_token.ts";
import type { OidcProvider } from "../../../src/contract/provider.ts";
import { installEmptyingResponse } from "../../_support/hostile_globals.ts";
import { CLIENT, createIssuer, encode, type Issuer, makeKey, signJws } from "../../_support/issuer.ts";
import { NOW, visit } from "./_flow.ts";

type Overrides = Partial<OidcProvider>;

async function signIn(issuer: Issuer, overrides: Overrides = {}) {
  return await visit(issuer, issuer.provider({ checks: ["pkce", "nonce"], ...overrides })).signIn(issuer);
}

async function refuses(issuer: Issuer, what: string, overrides: Overrides = {}): Promise<void> {
  const browser = visit(issuer, issuer.provider({ checks: ["pkce", "nonce"], ...overrides }));
  await assert.rejects(() => browser.signIn(issuer), OAuthProviderError, what);
  assert.equal(browser.signedIn.length, 0, what);
  assert.equal(browser.runtime.timers(), 0, what);
}

test("O-01: a valid id_token is accepted", async () => {
  const { account, profile } = await signIn(createIssuer());
  assert.equal(account.providerAccountId, "ada-1");
  assert.equal(profile?.iss, "https://idp.test");
});

test("the keys of an issuer stay what they are under a Response that empties what it is given", async () => {
  const restore = installEmptyingResponse();
  try {
    const issuer = createIssuer();
    const browser = visit(issuer, issuer.provider({ checks: ["pkce", "nonce"] }));
    for (let round = 0; round < 2; round++) await browser.signIn(issuer);
    assert.deepEqual([browser.signedIn.length, issuer.count("jwks")], [2, 1]);
  } finally {
    restore();
  }
});

const REFUSED_CLAIMS: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  "O-02: another issuer": [
    { iss: "https://evil.test" },
    { iss: "https://idp.test/" },
    { iss: "https://IDP.test" },
    { iss: ["https://idp.test", "https://evil.test"] },
    { iss: ["https://idp.test"] },
    { iss: undefined },
    { iss: "" },
  ],
  "O-03: another audience": [
    { aud: "other" },
    { aud: undefined },
    { aud: [] },
    { aud: {} },
    { aud: 1 },
    { aud: "" },
    { aud: [[CLIENT.id]] },
    { aud: `${CLIENT.id} other` },
  ],
  "O-04: several audiences without azp": [{ aud: [CLIENT.id, "x"] }],
  "O-05: several audiences with another azp": [{ aud: [CLIENT.id, "x"], azp: "x" }],
  "O-06: another azp": [{ azp: "other" }, { azp: "" }, { azp: null }, { azp: [CLIENT.id] }],
  "O-07: an end that has passed or is none": [
    { exp: NOW - 31 },
    { exp: NOW - 30 },
    { exp: undefined },
    { exp: String(NOW + 300) },
    { exp: null },
    { exp: true },
  ],
  "O-09: a beginning still to come": [{ nbf: NOW + 32 }, { nbf: String(NOW) }, { nbf: null }],
  "O-10: an issue time that is not now": [
    { iat: NOW + 32 },
    { iat: NOW - 601 },
    { iat: undefined },
    { iat: String(NOW) },
    { iat: null },
  ],
  "O-11: an unusable sub": [
    { sub: undefined },
    { sub: "" },
    { sub: 1 },
    { sub: "a".repeat(256) },
    { sub: ["ada-1"] },
    { sub: null },
    { sub: {} },
  ],
  "O-12: another nonce": [{ nonce: undefined }, { nonce: "other" }, { nonce: "" }, { nonce: 1 }],
  "O-33: a hash of another access token": [{ at_hash: "AAAAAAAAAAAAAAAAAAAAAA" }, { at_hash: "" }, { at_hash: null }],
};

for (const [name, changes] of Object.entries(REFUSED_CLAIMS)) {
  for (const change of changes) {
    test(`${name} is refused: ${JSON.stringify(change, (_, value) => value === undefined ? "(absent)" : value).slice(0, 80)}`, async () => {
      const issuer = createIssuer();
      issuer.claim(change);
      await refuses(issuer, name);
    });
  }
}

const HASHES: Readonly<Record<string, string>> = {
  RS256: "sha256",
  RS384: "sha384",
  PS512: "sha512",
  ES256: "sha256",
  ES384: "sha384",
  ES512: "sha512",
  EdDSA: "sha512",
  Ed25519: "sha512",
};

for (const [alg, hash] of Object.entries(HASHES)) {
  test(`O-33: at_hash of a token with alg ${alg} is half of ${hash}`, async () => {
    for (const by of ["sha256", "sha384", "sha512"]) {
      const issuer = createIssuer({ metadata: { id_token_signing_alg_values_supported: [alg] } });
      issuer.rotate(alg);
      const digest = createHash(by).update("access-2").digest();
      issuer.claim({ at_hash: digest.subarray(0, digest.length / 2).toString("base64url") });
      if (by === hash) assert.ok(await signIn(issuer), by);
      else await refuses(issuer, by);
    }
  });
}

test("O-07: an infinite end is refused", async () => {
  const issuer = createIssuer();
  issuer.rewrite((idToken) => {
    const [header, payload] = idToken.split(".").map((part) => Buffer.from(part, "base64url").toString());
    const [key] = issuer.keys;
    assert.ok(header && payload && key);
    const claims = payload.replace(/"exp":\d+/, '"exp":1e400');
    return signJws(claims, header as never, key);
  });
  await refuses(issuer, "1e400");
});

const ACCEPTED_CLAIMS: readonly Record<string, unknown>[] = [
  { exp: NOW - 29 },
  { nbf: NOW + 30 },
  { iat: NOW + 30 },
  { iat: NOW - 600 },
  { aud: [CLIENT.id] },
  { aud: [CLIENT.id, "x"], azp: CLIENT.id },
  { azp: CLIENT.id },
  { sub: "a".repeat(255) },
  { at_hash: createHash("sha256").update("access-2").digest().subarray(0, 16).toString("base64url") },
];

for (const change of ACCEPTED_CLAIMS) {
  test(`an id_token is accepted with ${JSON.stringify(change).slice(0, 80)}`, async () => {
    const issuer = createIssuer();
    issuer.claim(change);
    assert.ok(await signIn(issuer));
  });
}

test("O-12: the nonce of an older flow is refused, and a nonce nobody asked for", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer, issuer.provider({ checks: ["nonce"] }));
  const older = new URL(await browser.start()).searchParams.get("nonce");
  issuer.claim({ nonce: older });
  await assert.rejects(() => browser.signIn(issuer), OAuthProviderError);
  const unasked = createIssuer();
  unasked.claim({ nonce: "n" });
  await refuses(unasked, "unasked", { checks: ["pkce"] });
});

test("O-13: an id_token without a signature is refused, however it spells none", async () => {
  for (const alg of ["none", "None", "NONE", "nOnE", "", null, undefined, 1, ["RS256"]]) {
    for (const keepSignature of [true, false]) {
      const issuer = createIssuer({
        metadata: { id_token_signing_alg_values_supported: ["RS256", "none", "None", "NONE"] },
      });
      issuer.header({ alg });
      if (!keepSignature) issuer.rewrite((idToken) => idToken.replace(/[^.]*$/, ""));
      await refuses(issuer, String(alg));
      await refuses(issuer, String(alg), { client: { id_token_signed_response_alg: "none" } });
    }
  }
  const unsigned = createIssuer();
  unsigned.rewrite((idToken) => idToken.replace(/[^.]*$/, ""));
  await refuses(unsigned, "empty signature");
});

test("O-14, O-15: HMAC is refused, keyed with the client's secret or with the public key", async () => {
  const issuer = createIssuer({ metadata: { id_token_signing_alg_values_supported: ["RS256", "HS256"] } });
  const jwk = issuer.keys[0]?.jwk;
  const publicKey = issuer.keys[0]?.privateKey;
  assert.ok(jwk && publicKey);
  const spki = createPublicKey(publicKey);
  const secrets = [
    CLIENT.secret,
    spki.export({ type: "spki", format: "pem" }),
    spki.export({ type: "spki", format: "der" }),
    spki.export({ type: "pkcs1", format: "pem" }),
    JSON.stringify(jwk),
  ];
  for (const secret of secrets) {
    for (const header of [{ alg: "HS256" }, { alg: "HS256", kid: jwk.kid }]) {
      issuer.rewrite((idToken) => {
        const signed = `${encode(header)}.${idToken.split(".")[1]}`;
        return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
      });
      await refuses(issuer, "HS256");
      await refuses(issuer, "HS256 configured", { client: { id_token_signed_response_alg: "HS256" } });
    }
  }
});

test("O-16: elliptic signatures that are zero, too large or in another form are refused", async () => {
  const order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
  const zero = "0".repeat(64);
  const forged = [zero + zero, zero + "1".padStart(64, "0"), "1".padStart(64, "0") + zero, order + order, zero + order];
  for (const signature of forged) {
    const issuer = createIssuer({ metadata: { id_token_signing_alg_values_supported: ["ES256"] } });
    issuer.rotate("ES256");
    issuer.rewrite((idToken) => idToken.replace(/[^.]*$/, Buffer.from(signature, "hex").toString("base64url")));
    await refuses(issuer, signature);
  }
  const der = createIssuer({ metadata: { id_token_signing_alg_values_supported: ["ES256"] } });
  const key = der.rotate("ES256");
  der.rewrite((idToken) => {
    const signed = idToken.slice(0, idToken.lastIndexOf("."));
    return `${signed}.${sign("sha256", Buffer.from(signed), key.privateKey).toString("base64url")}`;
  });
  await refuses(der, "DER");
  const honest = createIssuer({ metadata: { id_token_signing_alg_values_supported: ["ES256"] } });
  honest.rotate("ES256");
  assert.ok(await signIn(honest));
});

test("O-17: an id_token with one character changed is refused, wherever it is", async () => {
  const issuer = createIssuer();
  let at = 0;
  let length = 1;
  issuer.rewrite((idToken) => {
    length = idToken.length;
    const char = idToken[at] ?? "";
    const changed = char === "." ? "A" : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".at(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".indexOf(char) ^ 1,
    );
    return idToken.slice(0, at) + changed + idToken.slice(at + 1);
  });
  for (at = 0; at < length; at += at > length - 30 ? 1 : 7) await refuses(issuer, `character ${at}`);
  at = length - 1;
  await refuses(issuer, "the last character");
});

test("O-18: an algorithm that is neither announced nor configured is refused", async () => {
  for (const alg of ["PS256", "ES256", "ES512", "EdDSA", "RS512"]) {
    const issuer = createIssuer();
    issuer.rotate(alg);
    await refuses(issuer, alg);
  }
});

test("an algorithm that is announced or configured is accepted, and the configured one alone", async () => {
  for (const alg of [...Object.keys(HASHES), "RS512", "PS256", "PS384"]) {
    const announced = createIssuer({ metadata: { id_token_signing_alg_values_supported: [alg] } });
    announced.rotate(alg);
    assert.ok(await signIn(announced), alg);
    const configured = createIssuer();
    configured.rotate(alg);
    assert.ok(await signIn(configured, { client: { id_token_signed_response_alg: alg } }), alg);
  }
  const other = createIssuer({ metadata: { id_token_signing_alg_values_supported: ["RS256", "ES256"] } });
  await refuses(other, "not the configured one", { client: { id_token_signed_response_alg: "ES256" } });
});

test("O-19: a signature by another key under the same kid is refused", async () => {
  const issuer = createIssuer();
  const published = issuer.keys[0];
  const other = issuer.rotate();
  assert.ok(published);
  issuer.keys.splice(0, 1, published);
  issuer.rewrite((idToken) => {
    const claims = Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString();
    return signJws(claims, { alg: "RS256", kid: published.kid }, other);
  });
  await refuses(issuer, "other key");
});

test("O-20, O-21: without kid one fitting key is taken, several are refused", async () => {
  const issuer = createIssuer();
  issuer.header({ kid: undefined });
  assert.ok(await signIn(issuer));
  const several = createIssuer();
  const first = several.keys[0];
  const second = several.rotate();
  assert.ok(first);
  several.keys.splice(0, 1, first, second);
  several.header({ kid: undefined });
  await refuses(several, "several keys");
});

test("O-22: an unknown kid makes the keys be fetched once more, and a thousand of them no more than that", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer);
  await browser.signIn(issuer);
  assert.equal(issuer.count("jwks"), 1);
  for (let i = 0; i < 1000; i++) {
    issuer.header({ kid: `made-up-${i}` });
    await assert.rejects(() => browser.signIn(issuer), OAuthProviderError);
  }
  assert.equal(issuer.count("jwks"), 2);
  browser.runtime.advance(61);
  issuer.claim({ iat: NOW + 61 });
  await assert.rejects(() => browser.signIn(issuer), OAuthProviderError);
  assert.equal(issuer.count("jwks"), 3);
});

test("O-23, O-24: a sign-in right after a rotation of keys succeeds, and so do the next ones", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer);
  await browser.signIn(issuer);
  issuer.rotate();
  await browser.signIn(issuer);
  await browser.signIn(issuer);
  assert.equal(browser.signedIn.length, 3);
  assert.equal(issuer.count("jwks"), 2);
});

test("a rotation is noticed where tokens name no key", async () => {
  const issuer = createIssuer();
  issuer.header({ kid: undefined });
  const browser = visit(issuer);
  await browser.signIn(issuer);
  issuer.rotate();
  await browser.signIn(issuer);
  assert.equal(issuer.count("jwks"), 2);
});

test("a key that was withdrawn stops counting after five minutes", async () => {
  const issuer = createIssuer();
  const browser = visit(issuer);
  await browser.signIn(issuer);
  const withdrawn = issuer.keys[0];
  issuer.rotate();
  assert.ok(withdrawn);
  issuer.rewrite((idToken) => {
    const claims = Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString();
    return signJws(claims, { alg: "RS256", kid: withdrawn.kid }, withdrawn);
  });
  await browser.signIn(issuer);
  browser.runtime.advance(301);
  issuer.claim({ iat: NOW + 301, exp: NOW + 600 });
  await assert.rejects(() => browser.signIn(issuer), OAuthProviderError);
});

test("O-25: entries that are no keys do not hide the good one", async () => {
  const issuer = createIssuer();
  const good = issuer.keys[0]?.jwk;
  const junk = [null, "x", 1, [], {}, { kty: "RSA" }, { kty: "XYZ", kid: "x" }, {
    kty: "EC",
    crv: "P-256",
    x: "!",
    y: "!",
  }];
  issuer.lie("jwks", () => Response.json({ keys: [...junk, good] }));
  assert.ok(await signIn(issuer));
});

test("O-26: a key of another use, algorithm or size is refused", async () => {
  const changes: readonly Record<string, unknown>[] = [
    { use: "enc" },
    { alg: "RS512" },
    { key_ops: ["encrypt"] },
    { kty: "oct", k: "AAAA" },
    { kid: "other" },
  ];
  for (const change of changes) {
    const issuer = createIssuer();
    const jwk = issuer.keys[0]?.jwk;
    issuer.lie("jwks", () => Response.json({ keys: [{ ...jwk, ...change }] }));
    await refuses(issuer, JSON.stringify(change));
  }
  const small = createIssuer();
  small.keys.splice(0, 1, makeKey("RS256", 1024));
  await refuses(small, "RSA 1024");
  const curve = createIssuer({ metadata: { id_token_signing_alg_values_supported: ["ES384"] } });
  curve.rotate("ES256");
  curve.header({ alg: "ES384" });
  await refuses(curve, "P-256 with ES384");
});

test("a key document that is none is refused", async () => {
  const documents = [
    () => Response.json({}),
    () => Response.json([]),
    () => Response.json({ keys: {} }),
    () => Response.json({ keys: [] }),
  ];
  const broken = [
    () => new Response("<html>"),
    () => new Response(null, { status: 404 }),
    async (_: Request, honest: () => Promise<Response>) => new Response((await honest()).body, { status: 404 }),
    () => new Response("{", { status: 200 }),
  ];
  for (const answer of [...documents, ...broken]) {
    const issuer = createIssuer();
    issuer.lie("jwks", answer);
    await refuses(issuer, "keys");
  }
});

test("O-27: a key that the token brings along or points to is not used", async () => {
  const mallory = makeKey("RS256");
  for (
    const header of [{ jwk: mallory.jwk }, { jku: "https://evil.test/jwks" }, { x5u: "https://evil.test/x" }, {
      x5c: ["AAAA"],
    }]
  ) {
    const issuer = createIssuer();
    const kid = issuer.keys[0]?.kid;
    issuer.rewrite((idToken) => {
      const claims = Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString();
      return signJws(claims, { alg: "RS256", kid, ...header }, mallory);
    });
    await refuses(issuer, JSON.stringify(header));
    assert.equal(issuer.requests.some(({ endpoint }) => endpoint === "unknown"), false);
  }
});

test("O-28: headers that ask for more are refused", async () => {
  for (const header of [{ crit: ["x"] }, { crit: [] }, { b64: false }, { b64: true }, { crit: ["b64"], b64: false }]) {
    const issuer = createIssuer();
    issuer.header(header);
    await refuses(issuer, JSON.stringify(header));
  }
});

test("O-28: what is not exactly a compact JWS is refused", async () => {
  const rewrites: Readonly<Record<string, (idToken: string) => string>> = {
    "two parts": (idToken) => idToken.slice(0, idToken.lastIndexOf(".")),
    "four parts": (idToken) => `${idToken}.x`,
    "five parts": (idToken) => `${idToken}.x.y`,
    "a space in front": (idToken) => ` ${idToken}`,
    "a line break at the end": (idToken) => `${idToken}\n`,
    "a space inside": (idToken) => idToken.replace(".", ". "),
    "padding": (idToken) => `${idToken}=`,
    "padding inside": (idToken) => idToken.replace(".", "=."),
    "standard base64": (idToken) => idToken.replace(/.$/, "+"),
    "nothing": () => "",
    "an empty header": (idToken) => idToken.replace(/^[^.]*/, ""),
    "an empty payload": (idToken) => idToken.replace(/\.[^.]*\./, ".."),
    "an object": () => "{}",
  };
  for (const [what, change] of Object.entries(rewrites)) {
    const issuer = createIssuer();
    issuer.rewrite(change);
    await refuses(issuer, what);
  }
});

test("O-28: members that are there twice are refused in header and claims", async () => {
  const issuer = createIssuer();
  const [key] = issuer.keys;
  assert.ok(key);
  const claims = `{"iss":"${issuer.url}","aud":"${CLIENT.id}","sub":"eve","exp":${
    NOW + 300
  },"iat":${NOW},"sub":"ada-1"}`;
  issuer.rewrite(() => signJws(claims, { alg: "RS256", kid: key.kid }, key));
  await refuses(issuer, "claims", { checks: ["pkce"] });
  const header = `{"alg":"none","kid":"${key.kid}","\\u0061lg":"RS256"}`;
  issuer.rewrite(() => signJws(claims.replace('"sub":"eve",', ""), header as never, key));
  await refuses(issuer, "header", { checks: ["pkce"] });
  issuer.rewrite(() => signJws(claims.replace('"sub":"eve",', ""), { alg: "RS256", kid: key.kid }, key));
  assert.ok(await signIn(issuer, { checks: ["pkce"] }));
});

test("O-29: signed tokens for other purposes are refused, whatever the case of their type", async () => {
  for (const typ of ["at+jwt", "AT+JWT", "application/at+jwt", "logout+jwt", "dpop+jwt", 1, null, []]) {
    const issuer = createIssuer();
    issuer.header({ typ });
    await refuses(issuer, String(typ));
  }
  const plain = createIssuer();
  plain.header({ typ: "JWT" });
  assert.ok(await signIn(plain));
});

test("O-30: a token of another issuer with the same keys is refused", async () => {
  const twin = createIssuer({ url: "https://twin.test" });
  const issuer = createIssuer();
  assert.equal(twin.keys[0]?.kid, issuer.keys[0]?.kid);
  issuer.claim({ iss: twin.url });
  await refuses(issuer, "twin");
});

test("O-34: an authentication older than asked for is refused, and one whose time is not told", async () => {
  const provider = { authorization: { params: { max_age: 100 } } };
  for (const auth_time of [NOW - 131, undefined, String(NOW), null, NaN]) {
    const issuer = createIssuer();
    issuer.claim({ auth_time });
    await refuses(issuer, String(auth_time), provider);
    await refuses(issuer, String(auth_time), { client: { default_max_age: 100 } });
  }
  const issuer = createIssuer();
  issuer.claim({ auth_time: NOW - 129 });
  assert.ok(await signIn(issuer, provider));
  assert.ok(await signIn(issuer, { client: { default_max_age: 100 } }));
});

test("O-34: what a caller asks for does not loosen what the developer configured", async () => {
  const issuer = createIssuer();
  issuer.claim({ auth_time: NOW - 1000 });
  const browser = visit(issuer, issuer.provider({ authorization: { params: { max_age: 100 } } }));
  const { params } = await issuer.consent(await browser.start({ max_age: "99999" }));
  await assert.rejects(() => browser.finish(params), OAuthProviderError);
});

test("O-35: another way of authenticating than the configured ones is refused", async () => {
  const provider = { authorization: { params: { acr_values: "gold silver" } } };
  for (const acr of ["bronze", undefined, "gold silver", ["gold"], ""]) {
    const issuer = createIssuer();
    issuer.claim({ acr });
    await refuses(issuer, String(acr), provider);
  }
  const issuer = createIssuer();
  issuer.claim({ acr: "silver" });
  assert.ok(await signIn(issuer, provider));
});

test("O-36: claims that are huge or deep are refused", async () => {
  const huge = createIssuer();
  huge.claim({ x: "a".repeat(1024 * 1024) });
  await refuses(huge, "1 MiB");
  const deep = createIssuer();
  deep.rewrite(() => {
    const [key] = deep.keys;
    assert.ok(key);
    const claims = `{"iss":"${deep.url}","aud":"${CLIENT.id}","sub":"a","exp":${NOW + 9},"iat":${NOW},"x":${
      "[".repeat(10_000)
    }${"]".repeat(10_000)}}`;
    return signJws(claims, { alg: "RS256", kid: key.kid }, key);
  });
  await refuses(deep, "deep", { checks: ["pkce"] });
});

test("an id_token is required of OpenID Connect, and must be text", async () => {
  for (const id_token of [undefined, null, "", 1, {}]) {
    const issuer = createIssuer();
    issuer.grant({ id_token });
    await refuses(issuer, String(id_token));
  }
});

test("an OAuth provider without issuer keeps an id_token and never reads it", async () => {
  const issuer = createIssuer();
  issuer.rewrite(() => "not.a.token");
  const browser = visit(issuer, issuer.oauthProvider());
  const { account, profile } = await browser.signIn(issuer);
  assert.equal(account.id_token, "not.a.token");
  assert.equal(profile?.iss, undefined);
  assert.equal(issuer.count("jwks"), 0);
});

test("an OAuth provider with issuer and keys has its id_token verified if there is one", async () => {
  const provider = (issuer: Issuer) => issuer.oauthProvider({ issuer: issuer.url, userinfo: undefined });
  const issuer = createIssuer();
  assert.ok(await visit(issuer, provider(issuer)).signIn(issuer));
  assert.equal(issuer.count("jwks"), 1);
  issuer.claim({ aud: "other" });
  await assert.rejects(() => visit(issuer, provider(issuer)).signIn(issuer), OAuthProviderError);
  const without = createIssuer();
  without.grant({ id_token: undefined });
  assert.ok(await visit(without, provider(without)).signIn(without));
});

test("an OAuth provider with issuer but without known keys keeps an id_token unread", async () => {
  const issuer = createIssuer();
  issuer.claim({ aud: "other" });
  assert.ok(await visit(issuer, issuer.oauthProvider({ issuer: issuer.url })).signIn(issuer));
  assert.equal(issuer.requests.map(({ endpoint }) => endpoint).join(), "token,userinfo");
});

test("OpenID Connect with explicit endpoints verifies with jwks_endpoint and needs no metadata", async () => {
  const issuer = createIssuer();
  const { url } = issuer;
  const provider = issuer.provider({
    authorization: `${url}/authorize`,
    token: `${url}/token`,
    userinfo: `${url}/userinfo`,
    jwks_endpoint: `${url}/jwks`,
  });
  assert.ok(await visit(issuer, provider).signIn(issuer));
  assert.equal(issuer.count("discovery"), 0);
  assert.equal(issuer.count("jwks"), 1);
});

test("readIdToken() takes only the canonical form of the last character", () => {
  const good = `${encode({ alg: "RS256" })}.${encode({ a: 12 })}`;
  assert.ok(readIdToken(`${good}.AAAA`));
  assert.ok(readIdToken(`${good}.AA`));
  assert.throws(() => readIdToken(`${good}.AB`), OAuthProviderError);
  assert.throws(() => readIdToken(`${good}.AAB`), OAuthProviderError);
  assert.throws(() => readIdToken(`${good}.A`), OAuthProviderError);
});

test("idTokenProblem() says which rule is broken", () => {
  const claims = { sub: "a", exp: NOW + 1, iat: NOW };
  const expected = { now: NOW, clientId: "c" };
  assert.equal(idTokenProblem({ header: { alg: "RS256" }, claims }, expected), null);
  assert.equal(idTokenProblem({ header: { alg: "HS256" }, claims }, expected), "its alg is not one of public keys");
  assert.equal(idTokenProblem({ header: { alg: "RS256" }, claims }, { ...expected, now: NOW + 31 }), "it has expired");
});

test("readIdToken() reads 128 KiB and not a character more, and refuses megabytes without a look", () => {
  const header = encode({ alg: "RS256" });
  const start = `${header}.${encode({ iss: "x" })}.`;
  // The first length of each pair is canonical: "A" stands for zero bits.
  const sized = (length: number) => start + "A".repeat(length - start.length);
  const canonical = [131_072, 131_071, 131_070, 131_069].filter((length) => (length - start.length) % 4 !== 1);
  assert.ok(readIdToken(sized(canonical[0] ?? 0)));
  for (const length of [131_073, 131_074, 270_000, 5_000_000]) {
    const tokens = [sized(length), "A".repeat(length), `${header}.${"A".repeat(length)}.AAAA`];
    for (const token of tokens) {
      assert.throws(() => readIdToken(token), { name: "OAuthProviderError", message: /too long/ });
    }
  }
});

test("the dates of an id_token are numbers, however large, and its sub is text, also where a number would be read as text", async () => {
  const issuer = createIssuer();
  issuer.claim({ exp: 2 ** 63 });
  assert.ok(await visit(issuer).signIn(issuer));
  for (const sub of [7, 2 ** 63]) {
    issuer.claim({ sub });
    await assert.rejects(() => visit(issuer).signIn(issuer), OAuthProviderError);
  }
});

test("expectedIssuer is given the claims with large numbers as text", async () => {
  const issuer = createIssuer();
  issuer.claim({ tid: 2 ** 63 });
  issuer.lie(
    "discovery",
    async (_, honest) =>
      Response.json({ ...await honest().then((found) => found.json()), issuer: "https://idp.test/{tid}" }),
  );
  const seen: unknown[] = [];
  const expectedIssuer = ({ tid }: Readonly<Record<string, unknown>>) => (seen.push(tid), issuer.url);
  assert.ok(await visit(issuer, issuer.provider({ expectedIssuer })).signIn(issuer));
  assert.deepEqual(seen, [JSON.stringify(2 ** 63)]);
});
