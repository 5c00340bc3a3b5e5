import { test } from "node:test";
import assert from "node:assert/strict";
import { isEmailProven, noteProof } from "../../../src/sign_in/proven.ts";

const EMAIL = "ada@example.com";

const CASES: readonly (readonly [user: unknown, isProven: boolean])[] = [
  [{ email: EMAIL, emailVerified: new Date(0) }, true],
  [{ email: EMAIL, emailVerified: null, vouchedEmail: EMAIL }, true],
  [{ email: EMAIL, vouchedEmail: EMAIL }, true],
  [{ email: EMAIL, emailVerified: null }, false],
  [{ email: EMAIL }, false],
  [{ email: EMAIL, emailVerified: true }, false],
  [{ email: EMAIL, emailVerified: "2020-01-01T00:00:00.000Z" }, false],
  [{ email: EMAIL, emailVerified: 1 }, false],
  [{ email: EMAIL, emailVerified: new Date(NaN) }, false],
  [{ email: EMAIL, vouchedEmail: "eve@example.com" }, false],
  [{ email: EMAIL, vouchedEmail: true }, false],
  [{ email: "", emailVerified: new Date(0), vouchedEmail: "" }, false],
  [{ email: null, emailVerified: new Date(0), vouchedEmail: null }, false],
  [{ emailVerified: new Date(0) }, false],
  [{}, false],
  [null, false],
  [undefined, false],
  ["ada@example.com", false],
];

for (const [user, isProven] of CASES) {
  test(`isEmailProven() is ${isProven} for ${JSON.stringify(user)}`, () => {
    assert.equal(isEmailProven(user as never), isProven);
  });
}

test("isEmailProven() goes by what the sign-in has found, for the address that it found it of", () => {
  const proven = { email: EMAIL };
  const refuted = { email: EMAIL, emailVerified: new Date(0), vouchedEmail: EMAIL };
  noteProof(proven, true);
  noteProof(refuted, false);
  assert.equal(isEmailProven(proven), true);
  assert.equal(isEmailProven({ ...proven }), false);
  assert.equal(isEmailProven(refuted), false);
  proven.email = "eve@example.com";
  assert.equal(isEmailProven(proven), false);
});
