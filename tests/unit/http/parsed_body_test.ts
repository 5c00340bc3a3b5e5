import assert from "node:assert/strict";
import { test } from "node:test";
import { rebuildBody } from "../../../src/http/parsed_body.ts";

const FORM = "application/x-www-form-urlencoded";
const nested = (depth: number): unknown => depth === 0 ? "end" : { a: nested(depth - 1) };
const cycle: Record<string, unknown> = {};
cycle.self = cycle;

const CASES: readonly (readonly [string, unknown, string | null, string | null])[] = [
  ["nested JSON", { a: { b: [1, { c: null }] } }, "application/json", '{"a":{"b":[1,{"c":null}]}}'],
  ["JSON of another spelling of the type", { a: 1 }, "Application/JSON; charset=utf-8", '{"a":1}'],
  ["JSON that is no object", 5, "application/json", "5"],
  ["JSON that is nothing", () => {}, "application/json", ""],
  ["a form", { a: "1", b: "x y&=" }, FORM, "a=1&b=x+y%26%3D"],
  ["a form without a field", {}, `${FORM};charset=UTF-8`, ""],
  ["a form of an object without a prototype", Object.assign(Object.create(null), { a: "1" }), FORM, "a=1"],
  ["repeated names of a form", { a: ["1", "2"], b: "3" }, FORM, "a=1&a=2&b=3"],
  [
    "names in brackets of a form",
    { u: { name: "x", tags: ["1", "2"] } },
    FORM,
    "u%5Bname%5D=x&u%5Btags%5D=1&u%5Btags%5D=2",
  ],
  ["fields without a value", { a: null, b: undefined, c: "" }, FORM, "c="],
  ["numbers and booleans of a form", { a: 1, b: false }, FORM, "a=1&b=false"],
  ["text", "a=1", "text/plain", "a=1"],
  ["another type", { a: 1 }, "multipart/form-data; boundary=x", null],
  ["no type", { a: 1 }, null, null],
  ["a type that begins like JSON", { a: 1 }, "application/jsonx", null],
];

for (const [name, body, type, written] of CASES) {
  test(`rebuildBody() writes ${name}`, () => assert.equal(rebuildBody(body, type), written));
}

test("rebuildBody() copies bytes", () => {
  const bytes = new Uint8Array([1, 2]);
  const copy = rebuildBody(bytes, FORM);
  assert.deepEqual(copy, bytes);
  assert.notEqual(copy, bytes);
});

for (
  const [name, body, type] of [
    ["a form that is nested too deeply", nested(9), FORM],
    ["a form that contains itself", cycle, FORM],
    ["JSON that contains itself", cycle, "application/json"],
    ["JSON with a BigInt", { a: 1n }, "application/json"],
  ] as const
) {
  test(`rebuildBody() refuses ${name}`, () => assert.throws(() => rebuildBody(body, type), TypeError));
}
