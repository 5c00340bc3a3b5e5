import { test } from "node:test";
import assert from "node:assert/strict";
import { ANY_DIGIT, readDigits } from "../../../src/kernel/digits.ts";

for (
  const [typed, code] of [
    ["012345", "012345"],
    ["  678 901\n", "678901"],
    ["٠١٢٣٤٥", "012345"],
    ["۶۷۸۹۰۱", "678901"],
    ["०१२३४५", "012345"],
    ["６７８９０１", "678901"],
    ["1٢3۴5６", "123456"],
    ["12345", null],
    ["1234567", null],
    ["12345a", null],
    ["12345৬", null],
    ["123-456", null],
    ["+12345", null],
    ["1e5", null],
    ["", null],
  ] as const
) {
  test(`readDigits() reads ${JSON.stringify(typed)} as ${code}`, () => {
    assert.equal(readDigits(typed, 6), code);
  });
}

test("a form takes exactly the digits that are read", () => {
  const pattern = new RegExp(`^${ANY_DIGIT}$`, "v");
  for (let code = 0; code < 0x10000; code++) {
    const text = String.fromCharCode(code);
    assert.equal(pattern.test(text), readDigits(text, 1) !== null, code.toString(16));
  }
});
