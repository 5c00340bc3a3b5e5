import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeMembers, encodeMembers } from "../../../src/kernel/dated_json.ts";

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
