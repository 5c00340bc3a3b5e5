import assert from "node:assert/strict";
import { test } from "node:test";
import { isId, logoutTokenProblem, readLogoutToken } from "../../../src/logout/logout_token.ts";
import { encode } from "../../_support/issuer.ts";

const NOW = 1_800_000_000;

const EXPECTED = {
  issuer: "https://idp.test",
  clientId: "c",
  alg: undefined,
  announced: undefined,
  now: NOW,
  tolerance: 30,
  sidRequired: false,
};

const CLAIMS = {
  iss: "https://idp.test",
  aud: "c",
  iat: NOW,
  exp: NOW + 120,
  jti: "1",
  sid: "s",
  events: { "http://schemas.openid.net/event/backchannel-logout": {} },
};

function problemOf(claims: object, header: object = {}, expected: object = {}): string | null {
  const token = { header: { alg: "RS256", ...header }, claims: { ...CLAIMS, ...claims } };
  return logoutTokenProblem(token, { ...EXPECTED, ...expected });
}

/** Times of `iat` and `exp`, in seconds from now, with a tolerance of 30 seconds. */
const TIMES: readonly (readonly [claim: "iat" | "exp" | "nbf", seconds: number, accepted: boolean])[] = [
  ["iat", -150, true],
  ["iat", -151, false],
  ["iat", 30, true],
  ["iat", 31, false],
  ["exp", -29, true],
  ["exp", -30, false],
  ["nbf", 30, true],
  ["nbf", 31, false],
];

for (const [claim, seconds, accepted] of TIMES) {
  test(`logoutTokenProblem() ${accepted ? "accepts" : "refuses"} ${claim} ${seconds} seconds from now`, () => {
    assert.equal(problemOf({ [claim]: NOW + seconds }) === null, accepted);
  });
}

test("logoutTokenProblem() refuses each header that asks for what is not supported", () => {
  for (const header of [{ crit: ["b64"] }, { b64: true }]) assert.notEqual(problemOf({}, header), null);
});

test("logoutTokenProblem() accepts RS256 if neither the client nor the provider says more", () => {
  assert.equal(problemOf({}), null);
  for (const alg of ["ES256", "PS256", "HS256", "none", "RS257", "", 1, null]) {
    assert.equal(problemOf({}, { alg }), "its alg is not the one of id_tokens", String(alg));
  }
});

test("logoutTokenProblem() accepts what the provider announces, except shared secrets", () => {
  const announced = ["ES256", "HS256", "none"];
  assert.equal(problemOf({}, { alg: "ES256" }, { announced }), null);
  for (const alg of ["RS256", "HS256", "none"]) assert.notEqual(problemOf({}, { alg }, { announced }), null);
});

test("logoutTokenProblem() accepts what the client has registered and nothing else", () => {
  for (const alg of ["HS256", "ES384", "EdDSA"]) {
    assert.equal(problemOf({}, { alg }, { alg, announced: ["RS256"] }), null);
    assert.notEqual(problemOf({}, { alg: "RS256" }, { alg, announced: ["RS256"] }), null);
  }
});

test("readLogoutToken() reads a signed JWT of at most 16384 characters", () => {
  const start = `${encode({ alg: "RS256" })}.${encode({})}.`;
  // Whole groups of four characters, so that no bit of the last one is unused.
  const longest = Math.floor((16 * 1024 - start.length) / 4) * 4;
  assert.deepEqual(readLogoutToken(start + "A".repeat(longest))?.claims, {});
  assert.equal(readLogoutToken(start + "A".repeat(longest + 4)), null);
  for (const text of ["", ".", "a.b", "a.b.c", "a.b.c.d.e", `${encode([])}.${encode({})}.AA`]) {
    assert.equal(readLogoutToken(text), null, text);
  }
});

test("isId() is a text of 1 to 255 characters that storage can look for", () => {
  for (const id of ["a", "a".repeat(255), "é 漢字"]) assert.equal(isId(id), true);
  for (const id of ["", "a".repeat(256), "a\0", "\ud800", 1, null, undefined, {}, ["a"]]) assert.equal(isId(id), false);
});
