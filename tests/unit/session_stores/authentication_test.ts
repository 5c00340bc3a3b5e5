import assert from "node:assert/strict";
import { test } from "node:test";
import type { AdapterSession, AdapterUser, JWT } from "../../../src/kernel/model.ts";
import {
  authenticationOf,
  isFresh,
  toClaims,
  toRow,
  withOwnClaims,
} from "../../../src/session_stores/authentication.ts";
import type { SignedIn } from "../../../src/session_stores/session_store.ts";

const ROW: AdapterSession = { sessionToken: "token", userId: "1", expires: new Date(9e12) };
const ADA = { id: "1", email: "ada@app.test", emailVerified: null } satisfies AdapterUser;
const PASSKEY = { time: 100, methods: ["hwk", "mfa", "user"], provider: "passkey" };
const UNKNOWN = { time: undefined, methods: [], level: 1, provider: undefined };

function ofClaims(claims: JWT) {
  return authenticationOf({ strategy: "jwt", claims });
}

function ofRow(row: object, signedIn: SignedIn | null = null) {
  return authenticationOf({
    strategy: "database",
    session: { ...ROW, ...row },
    user: ADA,
    signedIn,
    isSinceProof: true,
  });
}

test("what is written to claims, to a row or to the cookie beside it is read again", () => {
  const read = { ...PASSKEY, level: 2 };
  assert.deepEqual(ofClaims(toClaims(PASSKEY)), read);
  assert.deepEqual(ofRow(toRow(PASSKEY)), read);
  assert.deepEqual(ofRow({}, { ...PASSKEY, provenEmail: null }), read);
});

test("what is not known is not written", () => {
  assert.deepEqual(toClaims({ methods: [] }), {});
  assert.deepEqual(toRow({ methods: [] }), {});
});

test("only several factors are level 2", () => {
  for (const methods of [["pwd"], ["fed"], ["mail"], ["swk", "user"], ["pwd", "mail"], ["MFA"], ["mfa,pwd"]]) {
    assert.equal(ofClaims({ auth_methods: methods.join(" ") }).level, 1, methods.join());
  }
  assert.equal(ofClaims({ auth_methods: "pwd mfa" }).level, 2);
});

test("a session that says nothing is level 1 of unknown time, whenever its token was sealed", () => {
  const now = 1e12;
  assert.deepEqual(ofClaims({ sub: "1", iat: now / 1000, exp: now / 1000 + 60 }), UNKNOWN);
  assert.deepEqual(ofRow({}), UNKNOWN);
  assert.equal(isFresh(ofClaims({ sub: "1", iat: now / 1000 }), now, 600), false);
});

test("claims and rows of any shape are read", () => {
  for (const time of ["100", null, NaN, Infinity, {}]) assert.equal(ofClaims({ auth_time: time }).time, undefined);
  for (const methods of ["", null, 7, { 0: "mfa" }, ["mfa"], true]) {
    assert.deepEqual(ofClaims({ auth_methods: methods }), UNKNOWN);
  }
  assert.deepEqual(ofRow({ auth_methods: 7, provider: 7, auth_time: "1" }), UNKNOWN);
  assert.deepEqual(ofRow({ auth_methods: "" }), UNKNOWN);
});

test("the row wins over the cookie beside it", () => {
  const cookie = { time: 1, methods: ["mfa"], provider: "other", provenEmail: null };
  assert.deepEqual(ofRow({ auth_time: 2, auth_methods: "pwd", provider: "own" }, cookie), {
    time: 2,
    methods: ["pwd"],
    level: 1,
    provider: "own",
  });
});

test("a sign-in is fresh for as long as is asked, and not if it seems to come later", () => {
  const now = 1_000_000;
  for (const [time, fresh] of [[1000, true], [400, true], [399, false], [1060, true], [1061, false]] as const) {
    assert.equal(isFresh({ time }, now, 600), fresh, String(time));
  }
  assert.equal(isFresh({}, now, 1e12), false);
});

test("a callback neither changes nor loses the row and the sign-in of a session", () => {
  const given = { sub: "1", auth_session: "row", ...toClaims(PASSKEY) };
  const lie = { auth_session: "other", auth_time: 9e9, auth_methods: "mfa", auth_provider: "other" };
  assert.deepEqual(withOwnClaims({ sub: "1", role: "admin", ...lie }, given), { ...given, role: "admin" });
  assert.deepEqual(withOwnClaims({ sub: "1" }, given), given);
  assert.deepEqual(withOwnClaims({ sub: "1", ...lie }, { sub: "1" }), { sub: "1" });
});

test("claims that a callback leaves as they are, are not copied", () => {
  const given = { sub: "1", auth_session: "row", ...toClaims(PASSKEY) };
  const chosen = { ...given, role: "admin" };
  assert.equal(withOwnClaims(chosen, given), chosen);
});
