import assert from "node:assert/strict";
import { test } from "node:test";
import {
  checkClientData,
  type CoseKey,
  isAcceptableKey,
  isCanonicalSignature,
} from "../../../src/webauthn/response_checks.ts";
import { b64u, derOf, utf8 } from "../../_support/authenticator.ts";

const encoded = (text: string): string => b64u(utf8(text));

const ACCEPTED = [
  '{"type":"webauthn.get","challenge":"AA","origin":"https://app.test"}',
  '{"type":"webauthn.get","challenge":"AA","origin":"https://app.test","crossOrigin":false}',
  '{ "origin" : "https://app.test", "tokenBinding": {"status": "supported"}, "type":"webauthn.get" }',
  '{"other":"\\"origin\\":","origin":"https://app.test"}',
  '{"other":"a\\\\","origin":"https://app.test"}',
  '{"twice":1,"twice":2}',
];

for (const text of ACCEPTED) {
  test(`checkClientData() accepts ${text}`, () => checkClientData(encoded(text)));
}

const REFUSED = [
  '{"origin":"a","origin":"b"}',
  '{"origin":"a","\\u006frigin":"b"}',
  '{"origin":"a", "origin" :"b"}',
  '{"type":"a","type":"a"}',
  '{"challenge":"a","x":{"challenge":"b"}}',
  '{"crossOrigin":true}',
  '{"crossOrigin":null}',
  '{"crossOrigin":"false"}',
  '{"topOrigin":"https://app.test"}',
  '{"crossOrigin":false,"topOrigin":null}',
  '\ufeff{"origin":"a"}',
  `{"origin":"a","x":${"[".repeat(8)}${"]".repeat(8)}}`,
  JSON.stringify(Array(1001).fill(1)).replace("[", '{"origin":"a","x":[') + "}",
  "null",
  "",
];

for (const text of REFUSED) {
  test(`checkClientData() refuses ${JSON.stringify(text).slice(0, 80)}`, () => {
    assert.throws(() => checkClientData(encoded(text)));
  });
}

test("checkClientData() refuses bytes that are not UTF-8", () => {
  assert.throws(() => checkClientData(b64u(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))));
});

const bytes = (length: number, value = 9): Uint8Array<ArrayBuffer> => new Uint8Array(length).fill(value);
const key = (members: Readonly<Record<number, unknown>>): CoseKey => {
  return new Map(Object.entries(members).map(([name, value]) => [Number(name), value]));
};

const KEYS: readonly [name: string, key: CoseKey, expected: boolean][] = [
  ["ES256", key({ 1: 2, 3: -7, [-1]: 1, [-2]: bytes(32), [-3]: bytes(32) }), true],
  ["ES256 with a short x", key({ 1: 2, 3: -7, [-2]: bytes(31), [-3]: bytes(32) }), false],
  ["ES256 with a short y", key({ 1: 2, 3: -7, [-2]: bytes(32), [-3]: bytes(31) }), false],
  ["ES256 with the sign of y only", key({ 1: 2, 3: -7, [-2]: bytes(32), [-3]: true }), false],
  ["EdDSA", key({ 1: 1, 3: -8, [-2]: bytes(32) }), true],
  ["EdDSA with a short point", key({ 1: 1, 3: -8, [-2]: bytes(31) }), false],
  ["EdDSA without a point", key({ 1: 1, 3: -8 }), false],
  ["EdDSA with the neutral point", key({ 1: 1, 3: -8, [-2]: bytes(32, 0).with(0, 1) }), false],
  ["EdDSA with a point of order four", key({ 1: 1, 3: -8, [-2]: bytes(32, 0) }), false],
  ["EdDSA with the same point and the other sign", key({ 1: 1, 3: -8, [-2]: bytes(32, 0).with(31, 0x80) }), false],
  ["RS256 with 2048 bits", key({ 1: 3, 3: -257, [-1]: bytes(256) }), true],
  ["RS256 with 1024 bits", key({ 1: 3, 3: -257, [-1]: bytes(128) }), false],
  ["ES384", key({ 1: 2, 3: -35, [-1]: 2, [-2]: bytes(48), [-3]: bytes(48) }), true],
  ["ES384 on a smaller curve", key({ 1: 2, 3: -35, [-1]: 1, [-2]: bytes(32), [-3]: bytes(32) }), false],
  ["ES512", key({ 1: 2, 3: -36, [-1]: 3, [-2]: bytes(66), [-3]: bytes(66) }), true],
  ["ES512 without coordinates", key({ 1: 2, 3: -36 }), false],
  ...[-257, -258, -259, -37, -38, -39].flatMap((algorithm): [string, CoseKey, boolean][] => [
    [`RSA of number ${algorithm} with 3072 bits`, key({ 1: 3, 3: algorithm, [-1]: bytes(384) }), true],
    [`RSA of number ${algorithm} with 2040 bits`, key({ 1: 3, 3: algorithm, [-1]: bytes(255) }), false],
  ]),
  ["RSA with SHA-1", key({ 1: 3, 3: -65535, [-1]: bytes(256) }), false],
  ["Ed448", key({ 1: 1, 3: -53, [-2]: bytes(57) }), false],
  ["an algorithm that is a name", key({ 1: 2, 3: "toString" as unknown }), false],
  ["no algorithm", key({ 1: 2, [-2]: bytes(32), [-3]: bytes(32) }), false],
  ["nothing", key({}), false],
];

for (const [name, made, expected] of KEYS) {
  test(`isAcceptableKey() is ${expected} for ${name}`, () => assert.equal(isAcceptableKey(made), expected));
}

const EC = key({ 1: 2, 3: -7 });
const der = derOf(bytes(64, 0x80));

const SIGNATURES: readonly [name: string, signature: Uint8Array, expected: boolean][] = [
  ["two integers of 33 bytes", der, true],
  ["two integers of one byte", new Uint8Array([0x30, 6, 2, 1, 1, 2, 1, 1]), true],
  ["integers of 66 bytes, and so a length of two", derLong(), true],
  ["a length that is too great", der.with(1, (der[1] ?? 0) + 1), false],
  ["a length that is too small", der.with(1, (der[1] ?? 0) - 1), false],
  ["another kind of sequence", der.with(0, 0x31), false],
  ["trailing bytes", new Uint8Array([...der, 0]), false],
  ["a third integer", new Uint8Array([0x30, 9, 2, 1, 1, 2, 1, 1, 2, 1, 1]), false],
  ["one integer", new Uint8Array([0x30, 3, 2, 1, 1]), false],
  ["zero", new Uint8Array([0x30, 6, 2, 1, 0, 2, 1, 1]), false],
  ["a negative integer", new Uint8Array([0x30, 6, 2, 1, 0x81, 2, 1, 1]), false],
  ["an integer with a superfluous zero", new Uint8Array([0x30, 7, 2, 2, 0, 1, 2, 1, 1]), false],
  ["an empty integer", new Uint8Array([0x30, 5, 2, 0, 2, 1, 1]), false],
  ["a truncated integer", new Uint8Array([0x30, 6, 2, 1, 1, 2, 5, 1]), false],
  ["nothing", new Uint8Array(), false],
];

function derLong(): Uint8Array {
  const integer = [2, 66, 1, ...bytes(65)];
  return new Uint8Array([0x30, 0x81, 136, ...integer, ...integer]);
}

for (const [name, signature, expected] of SIGNATURES) {
  test(`isCanonicalSignature() is ${expected} for ${name}`, () =>
    assert.equal(isCanonicalSignature(EC, signature), expected));
}

test("isCanonicalSignature() leaves signatures that are not DER to the library", () => {
  assert.equal(isCanonicalSignature(key({ 1: 1, 3: -8 }), bytes(64)), true);
  assert.equal(isCanonicalSignature(key({ 1: 3, 3: -257 }), bytes(256)), true);
});
