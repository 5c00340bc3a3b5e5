import assert from "node:assert/strict";
import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";
import { PUBLIC_KEY_ALGORITHMS } from "../../../src/oauth_client/jwt.ts";
import { RemoteKeySet } from "../../../src/oauth_client/keys.ts";
import type { JsonObject } from "../../../src/oauth_client/json.ts";
import { encode, makeKey, type SigningKey, signJws } from "../../_support/issuer.ts";
import { inWorkers } from "../../_support/in_workers.ts";
import { START, testRuntime } from "../../_support/runtime.ts";

/** A key document whose answer waits until it is let go. */
function slowKeys() {
  const waiting: (() => void)[] = [];
  let asked = 0;
  const load = (): Promise<Response> => {
    const number = ++asked;
    return new Promise((resolve) => waiting.push(() => resolve(Response.json({ keys: [{ kid: `key-${number}` }] }))));
  };
  const answer = (): void => waiting.splice(0).forEach((give) => give());
  return { load, answer, asked: () => asked };
}

test("RemoteKeySet shares one reload between concurrent sign-ins", async () => {
  const ring = new RemoteKeySet("https://idp.test/jwks");
  const runtime = testRuntime();
  const { load, answer, asked } = slowKeys();
  const before = ring.get({ load, runtime });
  answer();
  const old = await before;
  const first = ring.reload(old, { load, runtime });
  const second = ring.reload(old, { load, runtime });
  answer();
  assert.notEqual(await first, old);
  assert.equal(await second, await first);
  // And a third one, which comes when they are there.
  assert.equal(await ring.reload(old, { load, runtime }), await first);
  assert.equal(asked(), 2);
});

test("in Workers nobody waits for keys that another request loads, and what one has loaded serves all", () => {
  return inWorkers(async () => {
    const ring = new RemoteKeySet("https://idp.test/jwks");
    const runtime = testRuntime();
    const never = () => new Promise<Response>(() => {});
    const load = () => Promise.resolve(Response.json({ keys: [] }));
    void ring.get({ load: never, runtime });
    const keys = await ring.get({ load, runtime });
    assert.equal(await ring.get({ load: never, runtime }), keys);
    void ring.reload(keys, { load: never, runtime });
    const newer = await ring.reload(keys, { load, runtime });
    assert.ok(newer && newer !== keys);
    assert.equal(await ring.reload(keys, { load: never, runtime }), newer);
  });
});

test("in Workers requests that leave reload keys eight times a minute at most", () => {
  return inWorkers(async () => {
    const ring = new RemoteKeySet("https://idp.test/jwks");
    const runtime = testRuntime();
    const keys = await ring.get({ load: () => Promise.resolve(Response.json({ keys: [] })), runtime });
    let asked = 0;
    const load = () => new Promise<Response>(() => void asked++);
    for (let n = 0; n < 100; n++) void ring.reload(keys, { load, runtime });
    assert.equal(await ring.reload(keys, { load, runtime }), null);
    assert.equal(asked, 8);
    runtime.advance(60);
    void ring.reload(keys, { load, runtime });
    assert.equal(asked, 9);
  });
});

test("RemoteKeySet caches keys for five minutes", async () => {
  const ring = new RemoteKeySet("https://idp.test/jwks");
  const runtime = testRuntime();
  let asked = 0;
  const load = () => Promise.resolve(Response.json({ keys: [], asked: ++asked }));
  const first = await ring.get({ load, runtime });
  runtime.advance(5 * 60 - 1);
  assert.equal(await ring.get({ load, runtime }), first);
  runtime.advance(1);
  assert.notEqual(await ring.get({ load, runtime }), first);
  assert.equal(asked, 2);
});

test("RemoteKeySet reloads at most once a minute", async () => {
  const ring = new RemoteKeySet("https://idp.test/jwks");
  const runtime = testRuntime();
  let asked = 0;
  const load = () => Promise.resolve(Response.json({ keys: [], asked: ++asked }));
  const first = await ring.get({ load, runtime });
  const second = await ring.reload(first, { load, runtime });
  assert.ok(second);
  runtime.advance(59);
  assert.equal(await ring.reload(second, { load, runtime }), null);
  runtime.advance(1);
  assert.ok(await ring.reload(second, { load, runtime }));
  assert.equal(asked, 3);
});

const CLAIMS = { iss: "https://idp.test", aud: "client-1", sub: "ada-1", iat: START / 1000, exp: START / 1000 + 300 };

const RSA = makeKey("RS256");
const EC = makeKey("ES256");

function tokenOf(key: SigningKey, header: JsonObject = {}): string {
  return signJws(CLAIMS, { alg: key.alg, kid: key.kid, ...header }, key);
}

function copyOf(key: SigningKey, members: JsonObject = {}): JsonObject {
  return { ...key.jwk, ...members };
}

async function isVerified(keys: readonly unknown[], jws: string, algorithms = PUBLIC_KEY_ALGORITHMS): Promise<boolean> {
  const source = { load: () => Promise.resolve(Response.json({ keys })), runtime: testRuntime() };
  return await new RemoteKeySet("https://idp.test/jwks").verify(jws, algorithms, source).then(() => true, () => false);
}

async function expectVerified(
  keys: readonly unknown[],
  jws: string,
  expected: boolean,
  what: string,
): Promise<void> {
  assert.equal(await isVerified(keys, jws), expected, what);
}

for (const alg of PUBLIC_KEY_ALGORITHMS) {
  test(`RemoteKeySet verifies what a key of ${alg} has signed, and no change of it`, async () => {
    const key = makeKey(alg);
    const text = tokenOf(key);
    await expectVerified([copyOf(key)], text, true, "the token");
    const [header, payload, signature = ""] = text.split(".");
    const others = encode({ ...CLAIMS, sub: "eve-1" });
    const typed = encode({ alg, kid: key.kid, typ: "JWT" });
    const flipped = (signature.startsWith("A") ? "B" : "A") + signature.slice(1);
    await expectVerified([copyOf(key)], `${header}.${others}.${signature}`, false, "other claims");
    await expectVerified([copyOf(key)], `${typed}.${payload}.${signature}`, false, "another header");
    await expectVerified([copyOf(key)], `${header}.${payload}.${flipped}`, false, "another signature");
    await expectVerified([copyOf(key)], `${header}.${payload}.`, false, "no signature");
    await expectVerified(
      [copyOf(key)],
      `${header}.${payload}.${signature.slice(0, 8)}`,
      false,
      "a part of the signature",
    );
    await expectVerified([copyOf(makeKey(alg), { kid: key.kid })], text, false, "another key with the same kid");
    assert.equal(await isVerified([copyOf(key)], text, [alg === "RS512" ? "RS256" : "RS512"]), false, "not allowed");
  });
}

test("RemoteKeySet uses the one key that fits the header, and none if several do", async () => {
  const [own, other] = [copyOf(RSA), copyOf(makeKey("RS256"))];
  const [named, nameless] = [tokenOf(RSA), tokenOf(RSA, { kid: undefined })];
  await expectVerified([other, own], named, true, "the key with the kid");
  await expectVerified([copyOf(EC), own], nameless, true, "the only key of the type");
  await expectVerified(
    [{ ...own, alg: undefined, use: undefined, key_ops: ["verify"] }],
    named,
    true,
    "a key for anything",
  );
  await expectVerified([{ ...own, kid: undefined }], nameless, true, "a key without a kid");
  await expectVerified([null, "key", 7, own], named, true, "a key among other things");
  await expectVerified([], named, false, "no key");
  await expectVerified([other], named, false, "no key with the kid");
  await expectVerified([own, other], nameless, false, "two keys, and no kid");
  await expectVerified([own, { ...own }], named, false, "two keys with the kid");
  await expectVerified([{ ...own, kid: undefined }], named, false, "a key without the kid of the token");
  await expectVerified([{ ...own, alg: "PS256" }], named, false, "a key for another algorithm");
  await expectVerified([{ ...own, use: "enc" }], named, false, "a key for encryption");
  await expectVerified([{ ...own, key_ops: ["sign"] }], named, false, "a key for another operation");
  await expectVerified([{ ...own, n: "AQAB" }], named, false, "a key of a few bits");
  await expectVerified([{ ...own, n: 7 }], named, false, "a malformed key");
  await expectVerified([{ kty: "RSA", kid: RSA.kid }], named, false, "a key without members");
  await expectVerified([copyOf(EC, { kid: RSA.kid })], named, false, "a key of another type");
  await expectVerified([own], tokenOf(RSA, { crit: ["exp"], exp: 1 }), false, "a critical member of the header");
});

test("RemoteKeySet accepts no key of RSA below 2048 bits, and no private key", async () => {
  const short = makeKey("RS256", 1024);
  await expectVerified([copyOf(short)], tokenOf(short), false, "1024 bits");
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const leaked: SigningKey = { ...RSA, privateKey, jwk: { ...privateKey.export({ format: "jwk" }), kid: RSA.kid } };
  await expectVerified([copyOf(leaked)], tokenOf(leaked), false, "a private key");
});

test("RemoteKeySet takes no public key for a shared secret, and no token without a signature", async () => {
  for (const secret of [RSA.jwk.n, JSON.stringify(RSA.jwk)]) {
    const signed = `${encode({ alg: "HS256", kid: RSA.kid })}.${encode(CLAIMS)}`;
    const mac = createHmac("sha256", String(secret)).update(signed).digest("base64url");
    for (const algorithms of [PUBLIC_KEY_ALGORITHMS, ["HS256"]]) {
      const shared = { kty: "oct", kid: RSA.kid, k: Buffer.from(String(secret)).toString("base64url") };
      for (const keys of [[copyOf(RSA)], [shared]]) {
        assert.equal(await isVerified(keys, `${signed}.${mac}`, algorithms), false);
      }
    }
  }
  for (const alg of ["none", "None", "", 256, null, undefined, "RS1", "__proto__", "toString"]) {
    await expectVerified([copyOf(RSA)], `${encode({ alg, kid: RSA.kid })}.${encode(CLAIMS)}.AAAA`, false, String(alg));
  }
});

test("RemoteKeySet accepts a signature in one form only", async () => {
  const part = `${encode({ alg: "ES256", kid: EC.kid })}.${encode(CLAIMS)}`;
  const der = sign("sha256", new TextEncoder().encode(part), EC.privateKey).toString("base64url");
  await expectVerified([copyOf(EC)], `${part}.${der}`, false, "DER");
  const pss = makeKey("PS256");
  const saltless = `${encode({ alg: "PS256", kid: pss.kid })}.${encode(CLAIMS)}`;
  const options = { key: pss.privateKey, padding: 6, saltLength: 20 };
  const salted = sign("sha256", new TextEncoder().encode(saltless), options).toString("base64url");
  await expectVerified([copyOf(pss)], `${saltless}.${salted}`, false, "a salt of another length");
});

test("a key that its issuer has withdrawn verifies nothing once the keys are loaded again", async () => {
  const runtime = testRuntime();
  let published = [copyOf(RSA)];
  const source = { load: () => Promise.resolve(Response.json({ keys: published })), runtime };
  const keySet = new RemoteKeySet("https://idp.test/jwks");
  const check = (key: SigningKey) => keySet.verify(tokenOf(key), PUBLIC_KEY_ALGORITHMS, source);
  await check(RSA);
  const next = { ...makeKey("RS256"), kid: RSA.kid };
  published = [copyOf(next, { kid: RSA.kid })];
  // Found at once, because the token of the new key does not verify with the old one.
  await check(next);
  await assert.rejects(() => check(RSA), { code: "ERR_JWS_SIGNATURE_VERIFICATION_FAILED" });
  published = [];
  runtime.advance(5 * 60);
  await assert.rejects(() => check(next), { code: "ERR_JWKS_NO_MATCHING_KEY" });
});
