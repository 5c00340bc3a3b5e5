/** Two other implementations show the same codes, for random secrets and times. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Secret, TOTP, URI } from "otpauth";
import speakeasy from "speakeasy";
import { fromBase32, stepOf, toBase32, totpAt, totpUri } from "../../src/second_factor/totp.ts";

const ROUNDS = 1000;

/** 2100, in seconds. */
const LATEST = 4_102_444_800;

test("a thousand random secrets have the same codes as with otpauth and speakeasy", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const secret = crypto.getRandomValues(new Uint8Array(20));
    const seconds = Math.floor(Math.random() * LATEST);
    const step = Math.floor(seconds / 30);
    const code = await totpAt(secret, step);
    const base32 = toBase32(secret);
    assert.deepEqual(fromBase32(base32), secret);
    const other = new TOTP({ secret: Secret.fromBase32(base32) });
    assert.equal(other.generate({ timestamp: seconds * 1000 }), code, `${base32} at ${seconds}: otpauth`);
    const third = speakeasy.totp({ secret: base32, encoding: "base32", time: seconds });
    assert.equal(third, code, `${base32} at ${seconds}: speakeasy`);
    const now = seconds * 1000;
    // The codes before and after may be the same by chance: once in a million.
    assert.equal(await stepOf(secret, third, { now, after: step - 1 }), step);
    assert.notEqual(await stepOf(secret, third, { now, after: null }), null);
  }
});

test("otpauth reads the URI", () => {
  const secret = toBase32(crypto.getRandomValues(new Uint8Array(20)));
  const uri = totpUri({ secret, issuer: "Acme & Sons", account: "ada@example.com" });
  const read = URI.parse(uri);
  assert.equal(read.secret.base32, secret);
  assert.deepEqual([read.issuer, read.label, read.algorithm, read.digits], [
    "Acme & Sons",
    "ada@example.com",
    "SHA1",
    6,
  ]);
});
