import assert from "node:assert/strict";
import { test } from "node:test";
import { isSpelledLike, nearest } from "../../../src/config/nearest.ts";

const KNOWN = ["signIn", "redirect", "jwt", "session", "authorized", "clientId", "clientSecret", "maxAge"];

const MEANT: readonly (readonly [name: string, meant: string | null])[] = [
  ["signin", "signIn"],
  ["SIGN_IN", "signIn"],
  ["sing_in", "signIn"],
  ["singIn", "signIn"],
  ["siginIn", "signIn"],
  ["redirects", "redirect"],
  ["jwts", "jwt"],
  ["jtw", "jwt"],
  ["sesion", "session"],
  ["authorised", "authorized"],
  ["authorize", "authorized"],
  ["authorised_", "authorized"],
  ["clientID", "clientId"],
  ["client_id", "clientId"],
  ["clientld", "clientId"],
  ["client-secret", "clientSecret"],
  ["clientSercet", "clientSecret"],
  ["max-age", "maxAge"],
  ["maxAges", "maxAge"],
  ["", null],
  ["x", null],
  ["jw", "jwt"],
  ["abc", null],
  ["profile", null],
  ["isAllowed", null],
  ["сlientId", "clientId"],
  ["__proto__", null],
  ["constructor", null],
];

for (const [name, meant] of MEANT) {
  test(`nearest() takes ${JSON.stringify(name)} for ${meant}`, () => assert.equal(nearest(name, KNOWN), meant));
}

test("nearest() prefers a name that differs only in how it is written to one that is near", () => {
  assert.equal(nearest("maxage", ["maxPage", "maxAge"]), "maxAge");
  assert.equal(nearest("tokem", ["tokens", "token"]), "token");
});

test("nearest() does not compare names of more than 64 characters", () => {
  assert.equal(nearest(`${"a".repeat(64)}`, [`${"a".repeat(63)}b`]), `${"a".repeat(63)}b`);
  assert.equal(nearest("a".repeat(65), ["a".repeat(65)]), null);
  const started = performance.now();
  nearest("a".repeat(1_000_000), ["b".repeat(1000)]);
  assert.ok(performance.now() - started < 50);
});

test("isSpelledLike() sees past case, what joins words, and s for z", () => {
  assert.ok(isSpelledLike("Sign_In", "signIn") && isSpelledLike("authorised", "authorized"));
  assert.ok(!isSpelledLike("signOut", "signIn"));
});
