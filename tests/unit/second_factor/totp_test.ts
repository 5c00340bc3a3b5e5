/** Codes by time: the vectors of the standards, clocks that differ, and codes that were used. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fromBase32, stepOf, toBase32, totpAt, totpUri } from "../../../src/second_factor/totp.ts";

const SECRET = new TextEncoder().encode("12345678901234567890");

test("codes are those of RFC 4226, appendix D", async () => {
  const codes = ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"];
  for (const [step, code] of codes.entries()) assert.equal(await totpAt(SECRET, step), code);
});

test("codes are the last six digits of those of RFC 6238, appendix B", async () => {
  const codes: readonly (readonly [seconds: number, code: string])[] = [
    [59, "94287082"],
    [1111111109, "07081804"],
    [1111111111, "14050471"],
    [1234567890, "89005924"],
    [2000000000, "69279037"],
    [20000000000, "65353130"],
  ];
  for (const [seconds, code] of codes) assert.equal(await totpAt(SECRET, Math.floor(seconds / 30)), code.slice(2));
});

test("a code is right one step before and after its own, and no further", async () => {
  const now = 1_900_000_000_000;
  const current = Math.floor(now / 30_000);
  for (let drift = -3; drift <= 3; drift++) {
    const code = await totpAt(SECRET, current + drift);
    const found = await stepOf(SECRET, code, { now, after: null });
    assert.equal(found, Math.abs(drift) <= 1 ? current + drift : null, String(drift));
  }
});

test("no code is right of a step that was used, or of one before it", async () => {
  const now = 1_900_000_000_000;
  const current = Math.floor(now / 30_000);
  for (const drift of [-1, 0]) {
    assert.equal(await stepOf(SECRET, await totpAt(SECRET, current + drift), { now, after: current }), null);
  }
  const next = await totpAt(SECRET, current + 1);
  assert.equal(await stepOf(SECRET, next, { now, after: current }), current + 1);
});

test("base32 is that of RFC 4648, section 10, without padding", () => {
  const vectors = [["", ""], ["f", "MY"], ["fo", "MZXQ"], ["foo", "MZXW6"], ["foob", "MZXW6YQ"], [
    "foobar",
    "MZXW6YTBOI",
  ]];
  for (const [text = "", encoded = ""] of vectors) {
    assert.equal(toBase32(new TextEncoder().encode(text)), encoded);
    assert.equal(new TextDecoder().decode(fromBase32(encoded.toLowerCase()) ?? new Uint8Array()), text);
  }
  assert.equal(fromBase32("not base32!"), null);
});

test("the URI has no plus sign for a space, and one colon between issuer and account", () => {
  const uri = totpUri({ secret: "JBSWY3DP", issuer: "My: Site", account: "ada@example.com" });
  assert.equal(uri.includes("+"), false);
  assert.match(uri, /^otpauth:\/\/totp\/My%20%20Site:ada%40example\.com\?secret=JBSWY3DP&issuer=My%3A%20Site&/);
});
