import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeInteger, encodeText, encodeTimestamp, isStorable } from "../../../../adapters/sql/values.ts";

test("isStorable() is false for text that could not be read back the same", () => {
  const texts = ["a\0b", "\ud800", "x\udc00y", undefined, 1];
  assert.deepEqual(texts.map(isStorable), texts.map(() => false));
  assert.equal(isStorable("👩‍🚀 e\u0301 "), true);
});

test("encodeText() converts other values to text, and throws for text that could not be read back", () => {
  assert.deepEqual([encodeText(7), encodeText(["a"]), encodeText("é ")], ["7", '["a"]', "é "]);
  assert.throws(() => encodeText("\ud800"), TypeError);
});

test("encodeInteger() cuts off fractions, and throws for other values", () => {
  assert.equal(encodeInteger(3599.5), 3599);
  for (const value of [NaN, Infinity, 2 ** 53, "soon"]) assert.throws(() => encodeInteger(value), TypeError);
});

test("encodeTimestamp() throws for anything but a valid date, which would be stored as no end", () => {
  for (const value of [new Date(NaN), "2026-01-01", 1, undefined]) {
    assert.throws(() => encodeTimestamp(value), TypeError);
  }
});
