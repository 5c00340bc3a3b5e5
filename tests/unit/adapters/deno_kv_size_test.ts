import assert from "node:assert/strict";
import { test } from "node:test";
import { serialize } from "node:v8";
import { bytesOf } from "../../../adapters/kv/store.ts";

const VALUES: Readonly<Record<string, unknown>> = {
  "text": "x".repeat(1000),
  "text with an accent": "\u00e9".repeat(1000),
  "text of which one character takes two bytes": `${"x".repeat(1000)}\u0100`,
  "text beyond the basic plane": "\u{1f600}".repeat(500),
  "no text": "",
  "numbers": [0, -1, 2 ** 31, 0.1, NaN, 2n ** 900n, -5n],
  "nothing": [null, undefined, true, false],
  "dates": [new Date(0), new Date(NaN)],
  "bytes": new Uint8Array(1000),
  "members": { one: "1", two: { three: [1, 2, { four: "4" }] } },
  "a map": new Map([["one", "x".repeat(100)]]),
  "a set": new Set(["x".repeat(100), "y"]),
};

for (const [what, value] of Object.entries(VALUES)) {
  test(`bytesOf() estimates no less than the size of a value, and not much more: ${what}`, () => {
    const { length } = serialize(value);
    assert.ok(bytesOf(value) >= length - 2, `${bytesOf(value)} for ${length}`);
    assert.ok(bytesOf(value) <= length * 3 + 150, `${bytesOf(value)} for ${length}`);
  });
}

test("bytesOf() estimates the size of a value that contains itself", () => {
  const value: Record<string, unknown> = { name: "x" };
  value["self"] = [value, value];
  assert.ok(bytesOf(value) < 200);
});
