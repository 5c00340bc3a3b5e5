import assert from "node:assert/strict";
import { test } from "node:test";
import {
  decodeMembers,
  encodeInteger,
  encodeMembers,
  encodeText,
  encodeTimestamp,
  isStorable,
} from "../../../../adapters/sql/values.ts";

const ROUND_TRIPS: Readonly<Record<string, Record<string, unknown>>> = {
  "nothing": {},
  "plain values": { text: "é", number: 1.5, yes: true, no: false, nothing: null },
  "dates": { at: new Date(1), list: [new Date(2)], deep: { at: new Date(3) } },
  "what looks like a stored date": { a: { $date: "2026" }, b: { $$date: 1 }, c: { $date: { $date: "x" } } },
  "a date beside another member": { a: { $date: "2026", zone: "UTC" } },
  "names that objects have anyway": { constructor: "c", toString: "s", ["__proto__"]: { a: 1 } },
};

for (const [what, members] of Object.entries(ROUND_TRIPS)) {
  test(`decodeMembers() reads back ${what}`, () => {
    assert.deepEqual(Object.entries(decodeMembers(encodeMembers(members))), Object.entries(members));
  });
}

test("encodeMembers() leaves out what is undefined", () => {
  assert.deepEqual(decodeMembers(encodeMembers({ a: undefined, b: 1 })), { b: 1 });
});

test("encodeMembers() throws for an invalid date", () => {
  assert.throws(() => encodeMembers({ at: new Date(NaN) }), TypeError);
});

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
