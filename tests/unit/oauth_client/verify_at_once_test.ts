import assert from "node:assert/strict";
import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";
import process from "node:process";
import * as oauth from "oauth4webapi";
import { readIdToken } from "../../../src/oauth_client/id_token.ts";
import type { JsonObject } from "../../../src/oauth_client/json.ts";
import { RemoteKeySet, verifySignature, verifyWithKeys } from "../../../src/oauth_client/keys.ts";
import { isVerifiedAtOnce } from "../../../src/oauth_client/verify_at_once.ts";
import { type NodeCrypto, nodeCrypto } from "../../../src/kernel/runtime.ts";
import { encode, json, makeKey, type SigningKey, signJws } from "../../_support/issuer.ts";
import { START, testRuntime } from "../../_support/runtime.ts";

const NODE = process.getBuiltinModule("node:crypto") as unknown as NodeCrypto;

const CLAIMS = { iss: "https://idp.test", aud: "client-1", sub: "ada-1", iat: START / 1000, exp: START / 1000 + 300 };

const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "Ed25519", "EdDSA"];

const RSA = makeKey("RS256");
const EC = makeKey("ES256");

function tokenOf(key: SigningKey, header: JsonObject = {}): string {
  return signJws(CLAIMS, { alg: key.alg, kid: key.kid, ...header }, key);
}

function copyOf(key: SigningKey, members: JsonObject = {}): JsonObject {
  return { ...key.jwk, ...members };
}

function atOnce(keys: readonly JsonObject[], text: string, node: NodeCrypto | null = NODE): boolean {
  const verify = (hasSlowRsa: boolean) => isVerifiedAtOnce(keys, text, readIdToken(text), node, hasSlowRsa);
  const verified = verify(false);
  assert.equal(verify(true), verified, "by arithmetic of our own");
  return verified;
}

/** What the protocol library says, with WebCrypto. */
async function byLibrary(keys: readonly JsonObject[], text: string): Promise<boolean> {
  const [header = ""] = text.split(".");
  const { alg } = JSON.parse(atob(header.replaceAll("-", "+").replaceAll("_", "/")));
  const issuer = { issuer: CLAIMS.iss, id_token_signing_alg_values_supported: [alg] };
  const client = { client_id: CLAIMS.aud, [oauth.clockTolerance]: Number.MAX_SAFE_INTEGER };
  const response = json({ access_token: "a", token_type: "bearer", id_token: text });
  const source = { load: () => Promise.resolve(json({ keys })), runtime: testRuntime() };
  try {
    await oauth.processAuthorizationCodeResponse(issuer, client, response, { requireIdToken: true });
    await verifyWithKeys(new RemoteKeySet(CLAIMS.iss), (as, options) => {
      return oauth.validateApplicationLevelSignature(as, response, options);
    }, source);
    return true;
  } catch {
    return false;
  }
}

async function bothSay(keys: readonly JsonObject[], text: string, expected: boolean, what: string): Promise<void> {
  assert.equal(atOnce(keys, text), expected, `${what}, at once`);
  assert.equal(await byLibrary(keys, text), expected, `${what}, by the library`);
}

for (const alg of ALGORITHMS) {
  test(`isVerifiedAtOnce() accepts what a key of ${alg} has signed, and no change of it`, async () => {
    const key = makeKey(alg);
    const text = tokenOf(key);
    await bothSay([copyOf(key)], text, true, "the token");
    const [header, payload, signature = ""] = text.split(".");
    const others = encode({ ...CLAIMS, sub: "eve-1" });
    const flipped = (signature.startsWith("A") ? "B" : "A") + signature.slice(1);
    await bothSay([copyOf(key)], `${header}.${others}.${signature}`, false, "other claims");
    await bothSay(
      [copyOf(key)],
      `${encode({ alg, kid: key.kid, typ: "JWT" })}.${payload}.${signature}`,
      false,
      "header",
    );
    await bothSay([copyOf(key)], `${header}.${payload}.${flipped}`, false, "another signature");
    await bothSay([copyOf(key)], `${header}.${payload}.`, false, "no signature");
    await bothSay([copyOf(key)], `${header}.${payload}.${signature.slice(0, 8)}`, false, "a part of the signature");
    await bothSay([copyOf(makeKey(alg), { kid: key.kid })], text, false, "another key with the same kid");
  });
}

test("isVerifiedAtOnce() chooses the key as the protocol library does", async () => {
  const [own, other] = [copyOf(RSA), copyOf(makeKey("RS256"))];
  const [named, nameless] = [tokenOf(RSA), tokenOf(RSA, { kid: undefined })];
  await bothSay([other, own], named, true, "the key with the kid");
  await bothSay([copyOf(EC), own], nameless, true, "the only key of the type");
  await bothSay([{ ...own, alg: undefined, use: undefined, key_ops: ["verify"] }], named, true, "a key for anything");
  await bothSay([{ ...own, kid: undefined }], nameless, true, "a key without a kid");
  await bothSay([], named, false, "no key");
  await bothSay([other], named, false, "no key with the kid");
  await bothSay([own, other], nameless, false, "two keys, and no kid");
  await bothSay([own, { ...own }], named, false, "two keys with the kid");
  await bothSay([{ ...own, kid: undefined }], named, false, "a key without the kid of the token");
  await bothSay([{ ...own, alg: "PS256" }], named, false, "a key for another algorithm");
  await bothSay([{ ...own, use: "enc" }], named, false, "a key for encryption");
  await bothSay([{ ...own, key_ops: ["sign"] }], named, false, "a key for another operation");
  await bothSay([{ ...own, n: "AQAB" }], named, false, "a key of a few bits");
  await bothSay([{ ...own, n: 7 }], named, false, "a malformed key");
  await bothSay([{ kty: "RSA", kid: RSA.kid }], named, false, "a key without members");
  await bothSay([copyOf(EC, { kid: RSA.kid })], named, false, "a key of another type");
});

test("isVerifiedAtOnce() accepts no key of RSA below 2048 bits", async () => {
  const short = makeKey("RS256", 1024);
  await bothSay([copyOf(short)], tokenOf(short), false, "1024 bits");
});

test("isVerifiedAtOnce() takes no public key for a shared secret, and no token without a signature", () => {
  const keys = [copyOf(RSA)];
  for (const secret of [RSA.jwk.n, JSON.stringify(RSA.jwk)]) {
    const signed = `${encode({ alg: "HS256", kid: RSA.kid })}.${encode(CLAIMS)}`;
    assert.equal(
      atOnce(keys, `${signed}.${createHmac("sha256", String(secret)).update(signed).digest("base64url")}`),
      false,
    );
  }
  for (const alg of ["none", "None", "", 256, null, undefined, "RS1", "__proto__", "toString"]) {
    assert.equal(atOnce(keys, `${encode({ alg, kid: RSA.kid })}.${encode(CLAIMS)}.AAAA`), false);
  }
});

test("isVerifiedAtOnce() accepts a signature in one form only", async () => {
  const part = `${encode({ alg: "ES256", kid: EC.kid })}.${encode(CLAIMS)}`;
  const der = sign("sha256", new TextEncoder().encode(part), EC.privateKey).toString("base64url");
  await bothSay([copyOf(EC)], `${part}.${der}`, false, "DER");
  const pss = makeKey("PS256");
  const saltless = `${encode({ alg: "PS256", kid: pss.kid })}.${encode(CLAIMS)}`;
  const options = { key: pss.privateKey, padding: 6, saltLength: 20 };
  const salted = sign("sha256", new TextEncoder().encode(saltless), options).toString("base64url");
  await bothSay([copyOf(pss)], `${saltless}.${salted}`, false, "a salt of another length");
});

test("isVerifiedAtOnce() leaves to the library what takes long, is private, or is not understood", async () => {
  for (const alg of ["ES384", "ES512"]) {
    const key = makeKey(alg);
    assert.equal(atOnce([copyOf(key)], tokenOf(key)), false);
    assert.equal(await byLibrary([copyOf(key)], tokenOf(key)), true);
  }
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const leaked: SigningKey = { ...RSA, privateKey, jwk: { ...privateKey.export({ format: "jwk" }), kid: RSA.kid } };
  await bothSay([copyOf(leaked)], tokenOf(leaked), false, "a private key");
  await bothSay([copyOf(RSA)], tokenOf(RSA, { crit: ["b64"], b64: false }), false, "crit");
  assert.equal(atOnce([copyOf(RSA)], tokenOf(RSA), null), false);
});

test("isVerifiedAtOnce() takes a key in once, and finds it for nobody else", () => {
  let taken = 0;
  const counting: NodeCrypto = Object.create(NODE, {
    createPublicKey: {
      value: (from: Parameters<NodeCrypto["createPublicKey"]>[0]) => (taken++, NODE.createPublicKey(from)),
    },
  });
  const [keys, text] = [[copyOf(RSA)], tokenOf(RSA)];
  for (let time = 0; time < 3; time++) assert.equal(atOnce(keys, text, counting), true);
  assert.equal(taken, 1);
  // Another issuer has a key of the same name, and the members of this one below another name.
  const stranger = makeKey("RS256");
  assert.equal(atOnce([copyOf(stranger, { kid: RSA.kid })], text, counting), false);
  assert.equal(atOnce([copyOf(RSA, { kid: "other" })], text, counting), false);
  assert.equal(atOnce(keys, tokenOf({ ...stranger, kid: RSA.kid }), counting), false);
});

test("a key that its issuer has withdrawn verifies nothing once the keys are loaded again", async () => {
  // From here on the runtime gives node:crypto.
  for (let use = 0; use < 100; use++) nodeCrypto();
  const runtime = testRuntime();
  let published = [copyOf(RSA)];
  const source = { load: () => Promise.resolve(json({ keys: published })), runtime };
  const keySet = new RemoteKeySet("https://idp.test/jwks");
  const check = async (key: SigningKey): Promise<void> => {
    const text = tokenOf(key);
    const response = json({ access_token: "a", token_type: "bearer", id_token: text });
    const client = { client_id: CLAIMS.aud, [oauth.clockTolerance]: Number.MAX_SAFE_INTEGER };
    await oauth.processAuthorizationCodeResponse({ issuer: CLAIMS.iss }, client, response, { requireIdToken: true });
    await verifySignature(keySet, { text, token: readIdToken(text), response }, source);
  };
  await check(RSA);
  const next = { ...makeKey("RS256"), kid: RSA.kid };
  published = [copyOf(next, { kid: RSA.kid })];
  // Found at once, because the token of the new key does not verify with the old one.
  await check(next);
  await assert.rejects(() => check(RSA), oauth.OperationProcessingError);
  published = [];
  runtime.advance(5 * 60);
  await assert.rejects(() => check(next), oauth.OperationProcessingError);
});

test("isVerifiedAtOnce() leaves keys with a long exponent to the library: each token would stop the process for long", () => {
  let calls = 0;
  const counting: NodeCrypto = { ...NODE, createPublicKey: NODE.createPublicKey, verify: () => ++calls > 0 };
  const text = tokenOf(RSA);
  assert.equal(atOnce([copyOf(RSA, { e: "AQAAAAE" })], text, counting), false);
  assert.equal(atOnce([copyOf(RSA, { e: RSA.jwk.n })], text, counting), false);
  assert.equal(calls, 0);
  assert.equal(atOnce([copyOf(RSA)], text, counting), true);
});
