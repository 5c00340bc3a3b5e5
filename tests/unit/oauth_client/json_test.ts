import assert from "node:assert/strict";
import { test } from "node:test";
import { parseExact, readObject, readUniqueObject } from "../../../src/oauth_client/json.ts";

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
    assert.equal(readUniqueObject(encoder.encode(text)) !== null, unique);
  });
}

test("readObject() refuses what is not UTF-8", () => {
  assert.equal(readObject(Uint8Array.of(0x7b, 0x22, 0xc0, 0x22, 0x3a, 0x31, 0x7d)), null);
});

const BIG = "1234567890123456789";
const DIGITS = "9".repeat(5000);

const NUMBERS: readonly (readonly [json: string, value: unknown])[] = [
  [BIG, BIG],
  [`-${BIG}`, `-${BIG}`],
  ["9007199254740991", 9007199254740991],
  ["-9007199254740991", -9007199254740991],
  ["9007199254740992", "9007199254740992"],
  ["-9007199254740992", "-9007199254740992"],
  ["9007199254740993", "9007199254740993"],
  ["18446744073709551615", "18446744073709551615"],
  [DIGITS, DIGITS],
  ["0", 0],
  ["-0", -0],
  ["-0.0", -0],
  ["1.5", 1.5],
  ["0.12345678901234567890", 0.12345678901234568],
  ["1e3", 1000],
  ["1E+3", 1000],
  ["12345678901234567890e-10", 1234567890.1234567],
  ["1e-400", 0],
  ["1e16", "1e16"],
  ["-1.5E+300", "-1.5E+300"],
  ["1e400", "1e400"],
  [`${BIG}.0`, `${BIG}.0`],
  ["true", true],
  ["null", null],
  [` ${BIG} `, BIG],
  [`[${BIG},[-${BIG}],1]`, [BIG, [`-${BIG}`], 1]],
  [`{"a":{"b":[{"c":\n${BIG}}]},"d":2}`, { a: { b: [{ c: BIG }] }, d: 2 }],
  [`{"a":${BIG},"a":1}`, { a: 1 }],
  [`{"a":1,"a":${BIG}}`, { a: BIG }],
  [`{"${BIG}":"${BIG}"}`, { [BIG]: BIG }],
  [`{"a":"${BIG}","b":${BIG}}`, { a: BIG, b: BIG }],
  [`{"a":"x ${BIG} y","b":"[${BIG}]","c":${BIG}}`, { a: `x ${BIG} y`, b: `[${BIG}]`, c: BIG }],
  [`{"a":"\\"${BIG}","b":"\\\\","c":${BIG},"d":"\\\\\\":${BIG}"}`, {
    a: `"${BIG}`,
    b: "\\",
    c: BIG,
    d: `\\":${BIG}`,
  }],
  [`{"\\"":${BIG},"\\u0022":"\\u0031${BIG}"}`, { '"': `1${BIG}` }],
  [`["","${BIG}",${BIG},""]`, ["", BIG, BIG, ""]],
  [`["\u2028\ud83d ${BIG}",${BIG}]`, [`\u2028\ud83d ${BIG}`, BIG]],
];

for (const [json, value] of NUMBERS) {
  test(`parseExact() reads ${JSON.stringify(json).slice(0, 60)}`, () => {
    assert.deepEqual(parseExact(json), value);
    assert.deepEqual(readObject(encoder.encode(`{"x":${json}}`))?.x, parseExact(json.toWellFormed()));
    const both = readUniqueObject(encoder.encode(`{"x":${json.toWellFormed()}}`));
    assert.equal(both === null, /"a":.*"a":|"\\u0022":/.test(json));
    assert.deepEqual(both?.rounded.x, both ? JSON.parse(json.toWellFormed()) : undefined);
    assert.deepEqual(both?.exact.x, both ? parseExact(json.toWellFormed()) : undefined);
  });
}

test("parseExact() makes a member of `__proto__`, not a prototype", () => {
  const value = parseExact(`{"__proto__":{"id":${BIG}},"constructor":${BIG}}`) as Record<string, unknown>;
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.deepEqual(Object.entries(value), [["__proto__", { id: BIG }], ["constructor", BIG]]);
  assert.equal(value.id, undefined);
});

const BROKEN = [
  "",
  `0${BIG}`,
  `+${BIG}`,
  `${BIG}.`,
  `.${BIG}`,
  `${BIG}e`,
  `--${BIG}`,
  `{${BIG}:1}`,
  `"${BIG}`,
  `${BIG}"`,
  `[${BIG},]`,
  `${BIG}n`,
  `\ufeff${BIG}`,
  "NaN",
  "Infinity",
  "0x1fffffffffffffffff",
  `{"a":01e16}`,
];

for (const text of BROKEN) {
  test(`parseExact() refuses ${JSON.stringify(text)}, as JSON.parse() does`, () => {
    assert.throws(() => JSON.parse(text), SyntaxError);
    assert.throws(() => parseExact(text), SyntaxError);
  });
}

test("readObject() keeps its limits for objects with large numbers", () => {
  const nested = (depth: number) => encoder.encode(`{"a":${"[".repeat(depth)}${BIG}${"]".repeat(depth)}}`);
  assert.ok(readObject(nested(31)));
  assert.equal(readObject(nested(32)), null);
  assert.equal(readUniqueObject(encoder.encode(`{"a":${BIG},"a":${BIG}}`)), null);
});
