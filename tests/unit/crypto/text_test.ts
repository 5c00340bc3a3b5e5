import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test, type TestContext } from "node:test";
import { sameText, sha256Base64Url, sha256Hex } from "../../../src/crypto/digest.ts";
import { fromBase64Url, toBase64Url, toHex, utf8 } from "../../../src/crypto/encoding.ts";
import { randomHex, randomText, randomUuid } from "../../../src/crypto/random.ts";
import { testRuntime } from "../_builders.ts";

test("toBase64Url() and fromBase64Url() give every length of bytes back, without padding", () => {
  for (let length = 0; length <= 70; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 37 + length * 11) % 256);
    const text = toBase64Url(bytes);
    assert.match(text, /^[\w-]*$/);
    assert.equal(text.length, Math.ceil(length * 4 / 3));
    assert.deepEqual(fromBase64Url(text), bytes);
  }
});

test("toBase64Url() writes megabytes, also where the platform has no way of its own", () => {
  for (const length of [8191, 8192, 8193, 270_000, 5_000_000]) {
    const bytes = Uint8Array.from({ length }, (_, i) => i * 31 + (i >> 9));
    Object.defineProperty(bytes, "toBase64", { value: undefined });
    assert.equal(toBase64Url(bytes), Buffer.from(bytes.buffer).toString("base64url"));
  }
});

test("toBase64Url() uses the alphabet for URLs", () => {
  assert.equal(toBase64Url(Uint8Array.of(0xfb, 0xff, 0xfe)), "-__-");
});

test("fromBase64Url() throws on other characters", (t) => {
  const wrong = ["a", "a*aa", "ä", "aa.a", "=", "aaa!", "ab+/", "YQ==", "YQ =", " YWJj", "YW\nJj"];
  for (const text of wrong) assert.throws(() => fromBase64Url(text), text);
  withoutBase64(t);
  for (const text of wrong) assert.throws(() => fromBase64Url(text), text);
});

test("fromBase64Url() reads the same where the platform has no way of its own", (t) => {
  withoutBase64(t);
  for (let length = 0; length <= 70; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 41 + length * 13) % 256);
    assert.equal(toHex(fromBase64Url(toBase64Url(bytes))), toHex(bytes));
  }
});

// As in Node 24, which has no `fromBase64`.
function withoutBase64(t: TestContext): void {
  const original = Object.getOwnPropertyDescriptor(Uint8Array, "fromBase64");
  if (!original) return;
  Object.defineProperty(Uint8Array, "fromBase64", { ...original, value: undefined });
  t.after(() => void Object.defineProperty(Uint8Array, "fromBase64", original));
}

test("toHex() writes two lower-case digits for every byte", () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  assert.equal(toHex(bytes), Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(""));
});

test("sha256Hex() hashes text as UTF-8", async () => {
  assert.equal(await sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  assert.equal(await sha256Hex("é"), "4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c");
  assert.equal(
    await sha256Hex("ab".repeat(32) + "test-secret"),
    "704f9f1fb0390940de0dd1124afbb7bb41eaa9241a2b58cd49ddecda894937e6",
  );
});

test("sha256Base64Url() makes the challenge of RFC 7636, appendix B", async () => {
  assert.equal(
    await sha256Base64Url("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
    "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  );
});

const SAME: readonly (readonly [a: string, b: string, same: boolean])[] = [
  ["", "", true],
  ["a", "a", true],
  ["a", "b", false],
  ["a", "", false],
  ["", "a", false],
  ["ab", "abab", false],
  ["abab", "ab", false],
  ["aaaa", "a", false],
  ["a", "aa", false],
  ["abc", "abd", false],
  ["xbc", "abc", false],
  ["é", "e\u0301", false],
  ["\u0100", "\u0000", false],
  ["\u0141", "\u0041", false],
];

for (const [a, b, same] of SAME) {
  test(`sameText() finds ${JSON.stringify(a)} and ${JSON.stringify(b)} ${same ? "equal" : "different"}`, () => {
    assert.equal(sameText(a, b), same);
  });
}

test("sameText() finds a difference at every position", () => {
  const text = "0123456789abcdef".repeat(4);
  for (let i = 0; i < text.length; i++) {
    assert.equal(sameText(text, `${text.slice(0, i)}x${text.slice(i + 1)}`), false);
  }
});

test("randomUuid() makes UUIDs of version 4 and the variant of RFC 9562", () => {
  const uuids = Array.from({ length: 200 }, () => randomUuid(testRuntime()));
  for (const uuid of uuids) assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(new Set(uuids).size, 200);
});

test("randomUuid() keeps every bit of the source that is not version or variant", () => {
  assert.equal(randomUuid({ random: (bytes) => bytes.fill(0) }), "00000000-0000-4000-8000-000000000000");
  assert.equal(randomUuid({ random: (bytes) => bytes.fill(255) }), "ffffffff-ffff-4fff-bfff-ffffffffffff");
});

test("randomText() and randomHex() carry 256 bits", () => {
  const values = Array.from({ length: 200 }, () => [randomText(testRuntime()), randomHex(testRuntime())] as const);
  for (const [text, hex] of values) {
    assert.match(text, /^[\w-]{43}$/);
    assert.match(hex, /^[0-9a-f]{64}$/);
  }
  assert.equal(new Set(values.flat()).size, 400);
});

test("utf8() writes a lone surrogate as the replacement character", () => {
  assert.deepEqual([...utf8("\ud800")], [0xef, 0xbf, 0xbd]);
});
