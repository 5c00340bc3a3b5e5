import assert from "node:assert/strict";
import { test } from "node:test";
import { readObject } from "../../../src/oauth/json.ts";

const encoder = new TextEncoder();

const TEXTS: readonly (readonly [text: string, any: boolean, unique: boolean])[] = [
  ["{}", true, true],
  [' {"a" : 1} ', true, true],
  ['{"a":{"a":{"a":1}},"b":{"a":1}}', true, true],
  ['[{"a":1}]', false, false],
  ['"{}"', false, false],
  ["null", false, false],
  ["", false, false],
  ["{", false, false],
  ['{"a":NaN}', false, false],
  ["\ufeff{}", false, false],
  ['{"a":1,"a":1}', true, false],
  ['{"a":1,"\\u0061":2}', true, false],
  ['{"x":[{"a":1,"b":2,"a":3}]}', true, false],
  ['{"x":[{"a":1},{"a":2}]}', true, true],
  ['{"a":"b","b":"a"}', true, true],
  ['{"a":"\\"a\\":1","c":"{\\"a\\":"}', true, true],
  ['{"a" \n :1, "a"\t:2}', true, false],
  [`{"a":${"[".repeat(31)}${"]".repeat(31)}}`, true, true],
  [`{"a":${"[".repeat(32)}${"]".repeat(32)}}`, false, false],
  [`{"a":"${"[".repeat(1000)}"}`, true, true],
  [`{"a":"\\"${"{".repeat(1000)}\\\\"}`, true, true],
];

for (const [text, any, unique] of TEXTS) {
  test(`readObject() ${any ? "reads" : "refuses"} ${JSON.stringify(text).slice(0, 60)}, ${unique ? "also" : "not"} with unique members`, () => {
    assert.equal(readObject(encoder.encode(text)) !== null, any);
    assert.equal(readObject(encoder.encode(text), { unique: true }) !== null, unique);
  });
}

test("readObject() refuses what is not UTF-8", () => {
  assert.equal(readObject(Uint8Array.of(0x7b, 0x22, 0xc0, 0x22, 0x3a, 0x31, 0x7d)), null);
});
