import assert from "node:assert/strict";
import { test } from "node:test";
import { InvalidConfig } from "@x/auth/errors";
import { secondFactor, type SecondFactorOptions } from "@x/auth/second-factor";

const WRONG: readonly (readonly [given: object, says: RegExp])[] = [
  [{ methods: [] }, /`methods`/],
  [{ methods: "totp" }, /`methods`/],
  [{ methods: ["totp", "sms"] }, /`methods`.*email-code/],
  // Otherwise it would be asked of those only who have enrolled.
  [{ require: "Always" }, /`require`/],
  [{ require: true }, /`require`/],
  [{ requires: "always" }, /"requires" is not one of .*require/],
  [{ trustDevices: true }, /`trustDevices.days`/],
  [{ recoverByEmail: true }, /`recoverByEmail.hours`/],
];

for (const [given, says] of WRONG) {
  test(`secondFactor() refuses ${JSON.stringify(given)} and says what is wrong`, () => {
    assert.throws(() => secondFactor(given as SecondFactorOptions), (error) => {
      return error instanceof InvalidConfig && says.test(error.message);
    });
  });
}

test("secondFactor() takes each option, and none", () => {
  secondFactor();
  secondFactor({ methods: undefined, require: undefined, trustDevices: undefined, recoverByEmail: undefined });
  for (const require of ["enrolled", "always", () => true] as const) {
    secondFactor({
      methods: ["passkey", "totp", "email-code"],
      require,
      trustDevices: { days: 30 },
      upstream: {},
      issuer: "Example",
      recoverByEmail: { hours: 24 },
    });
  }
});
