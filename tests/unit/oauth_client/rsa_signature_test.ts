import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { test } from "node:test";
import type { JsonObject } from "../../../src/oauth_client/json.ts";
import { isSignatureOf, readRsaKey, type RsaKey } from "../../../src/oauth_client/rsa_signature.ts";

interface Pair {
  readonly privateKey: KeyObject;
  readonly jwk: JsonObject;
  readonly key: RsaKey;
}

function makePair(modulusLength: number): Pair {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength });
  const jwk = publicKey.export({ format: "jwk" }) as JsonObject;
  const key = readRsaKey(jwk);
  assert.ok(key);
  return { privateKey, jwk, key };
}

const PAIR = makePair(2048);
const DATA = new TextEncoder().encode("header.payload");

function digestOf(hash: string, data: Uint8Array = DATA): { hash: string; digest: string } {
  return { hash, digest: createHash(hash).update(data).digest("hex") };
}

/** The signature of a text that is not what the algorithm makes of a digest. */
function signRaw(hex: string, { privateKey, key: { modulus, size } }: Pair = PAIR): Uint8Array {
  const { d = "" } = privateKey.export({ format: "jwk" }) as { d?: string };
  let power = 1n;
  let square = BigInt(`0x${hex}`);
  for (let left = BigInt(`0x${Buffer.from(d, "base64url").toString("hex")}`); left > 0n; left >>= 1n) {
    if (left % 2n === 1n) power = power * square % modulus;
    square = square * square % modulus;
  }
  return toBytes(power, size);
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
}

function toInteger(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = value * 256n + BigInt(byte);
  return value;
}

function toBytes(value: bigint, size: number): Uint8Array {
  return bytesOf(value.toString(16).padStart(2 * size, "0"));
}

for (const modulusLength of [2048, 3072]) {
  test(`isSignatureOf() accepts what a key of ${modulusLength} bits has signed, and nothing else`, () => {
    const pair = modulusLength === 2048 ? PAIR : makePair(modulusLength);
    for (const hash of ["sha256", "sha384", "sha512"]) {
      const signature = new Uint8Array(sign(hash, DATA, pair.privateKey));
      assert.equal(isSignatureOf(digestOf(hash), signature, pair.key), true, hash);
      assert.equal(isSignatureOf(digestOf(hash, new Uint8Array(3)), signature, pair.key), false, `${hash} of others`);
      for (const other of ["sha256", "sha384", "sha512"]) {
        assert.equal(isSignatureOf(digestOf(other), signature, pair.key), other === hash, `${hash} as ${other}`);
      }
      for (let at = 0; at < signature.length; at += 17) {
        const changed = signature.slice();
        changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
        assert.equal(isSignatureOf(digestOf(hash), changed, pair.key), false, `${hash}, byte ${at}`);
      }
    }
  });
}

test("isSignatureOf() accepts many signatures of many texts", () => {
  for (let round = 0; round < 100; round++) {
    const data = new Uint8Array(randomBytes(round));
    const signature = new Uint8Array(sign("sha256", data, PAIR.privateKey));
    assert.equal(isSignatureOf(digestOf("sha256", data), signature, PAIR.key), true, String(round));
  }
});

test("isSignatureOf() accepts one spelling of a signature", () => {
  const { key: { size, modulus } } = PAIR;
  const signature = new Uint8Array(sign("sha256", DATA, PAIR.privateKey));
  const value = toInteger(signature);
  const others = [
    toBytes(value + modulus, size),
    toBytes(value, size + 1),
    signature.subarray(0, -1),
    new Uint8Array([...signature, 0]),
    new Uint8Array(),
    toBytes(0n, size),
    toBytes(1n, size),
    toBytes(modulus - 1n, size),
    toBytes(modulus, size),
    new Uint8Array(size).fill(0xff),
  ];
  for (const other of others) assert.equal(isSignatureOf(digestOf("sha256"), other, PAIR.key), false, String(other));
  // With a byte to spare, there is always room for the same number and a modulus.
  const wide = { modulus, size: size + 1 };
  const text = `003031300d060960864801650304020105000420${digestOf("sha256").digest}`;
  const low = toInteger(signRaw(`0001${text.padStart(2 * wide.size - 4, "f")}`));
  assert.equal(isSignatureOf(digestOf("sha256"), toBytes(low, wide.size), wide), true);
  assert.equal(isSignatureOf(digestOf("sha256"), toBytes(low + modulus, wide.size), wide), false);
});

test("isSignatureOf() accepts one encoding of a digest, even from whoever has the private key", () => {
  const { size } = PAIR.key;
  const { digest } = digestOf("sha256");
  const info = "3031300d060960864801650304020105000420";
  const encode = (start: string, end: string): string => start + end.padStart(2 * size - start.length, "f");
  assert.equal(isSignatureOf(digestOf("sha256"), signRaw(encode("0001", `00${info}${digest}`)), PAIR.key), true);
  const wrong = {
    "another type of block": encode("0002", `00${info}${digest}`),
    "no first zero byte": encode("01", `00${info}${digest}`),
    "bytes after the digest": `0001ffffffffffffffff00${info}${digest}`.padEnd(2 * size, "0"),
    "other padding": `0001${"fe".repeat(size - 54)}00${info}${digest}`,
    "a shorter padding": `0001ffffffffffffffff00${info}${digest}`,
    "no zero byte before the digest": encode("0001", `ff${info}${digest}`),
    "no parameters of the hash": encode("0001", `00302f300b0609608648016503040201${"0420"}${digest}`),
    "another hash": encode("0001", `003031300d060960864801650304020305000420${digest}`),
    "the digest alone": encode("0001", `00${digest}`),
    "a digest that is cut": encode("0001", `00${info}${digest.slice(2)}`),
  };
  for (const [what, text] of Object.entries(wrong)) {
    assert.equal(isSignatureOf(digestOf("sha256"), signRaw(text), PAIR.key), false, what);
  }
});

test("readRsaKey() leaves keys that are too short, too long or unusual to others", () => {
  const short = generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey.export({ format: "jwk" }) as JsonObject;
  const n = String(PAIR.jwk.n);
  const even = `${n.slice(0, -1)}${"A"}`;
  const unusual: JsonObject[] = [
    short,
    { ...PAIR.jwk, kty: "EC" },
    { ...PAIR.jwk, e: "Aw" },
    { ...PAIR.jwk, e: "AAEAAQ" },
    { ...PAIR.jwk, e: undefined },
    { ...PAIR.jwk, n: undefined },
    { ...PAIR.jwk, n: "" },
    { ...PAIR.jwk, n: even },
    { ...PAIR.jwk, n: `AAAA${n}` },
    { ...PAIR.jwk, n: n.repeat(3) },
  ];
  for (const jwk of unusual) assert.equal(readRsaKey(jwk), null, JSON.stringify(jwk));
});
