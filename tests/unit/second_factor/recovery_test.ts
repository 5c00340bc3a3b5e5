/** Recovery codes: what they look like, and how they are read. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkLastFour, lastFourOf, readRecoveryCode } from "../../../src/second_factor/recovery.ts";

test("a code is read in any case, with any separators", () => {
  const code = { number: "3", secret: "ABCDEFGHIJK2" };
  for (const typed of ["3-ABCD-EFGH-IJK2", "3abcdefghijk2", " 3 abcd efgh ijk2 ", "3-abcd-efgh-ijk2\n"]) {
    assert.deepEqual(readRecoveryCode(typed), code, typed);
  }
  assert.deepEqual(readRecoveryCode("10-2345-6723-4567"), { number: "10", secret: "234567234567" });
  assert.deepEqual(readRecoveryCode("1-0ABC-DEFG-HIJK"), null);
});

test("what is no code is not compared", () => {
  for (
    const typed of ["", "3", "ABCD-EFGH-IJKL", "3-ABCD-EFGH-IJK", "0-ABCD-EFGH-IJKL", "100-ABCD-EFGH-IJKL", "123456"]
  ) {
    assert.equal(readRecoveryCode(typed), null, typed);
  }
});

test("the end of a code shows that somebody kept it", () => {
  const lastFour = lastFourOf("3-ABCD-EFGH-IJKL");
  assert.equal(lastFour, "IJKL");
  for (const typed of ["IJKL", "ijkl", " IJ KL", "3-ABCD-EFGH-IJKL"]) assert.ok(checkLastFour(typed, lastFour), typed);
  for (const typed of ["", "JKL", "ABCD", "IJKM"]) assert.ok(!checkLastFour(typed, lastFour), typed);
  assert.ok(!checkLastFour("", ""));
});
