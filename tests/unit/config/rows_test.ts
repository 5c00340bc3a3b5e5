import assert from "node:assert/strict";
import { test } from "node:test";
import { Findings } from "../../../src/config/findings.ts";
import { anything, functionOrNull, look, number, object, orNull, ruled } from "../../../src/config/kinds.ts";
import { hasUnknownNames, readRows, type Table, unknownNames } from "../../../src/config/rows.ts";

const count = number("a whole number", Number.isInteger);
const TABLE: Table = {
  count: { kind: count },
  call: { kind: functionOrNull },
  part: { kind: orNull(object), members: { count: { kind: count }, other: { kind: anything } } },
  view: { kind: look, members: { count: { kind: count } } },
  rule: { kind: ruled() },
};

function read(given: object, provider?: string) {
  const found = new Findings(provider);
  const options = readRows(given, TABLE, found);
  return {
    options,
    warnings: found.warnings.map(([code, message]) => `${code}: ${message}`),
    problems: found.problems.map(({ message }) => message),
    needsRules: found.needsRules,
  };
}

test("readRows() gives back what is as it should be", () => {
  const given = { count: 1, part: { count: 2, other: "x" }, unknown: true };
  assert.deepEqual(read(given), { options: given, warnings: [], problems: [], needsRules: false });
  assert.equal(read(given).options, given);
});

test("readRows() leaves out what is not set, without a word", () => {
  const { options, warnings, needsRules } = read({ count: null, part: null, call: null });
  assert.deepEqual([options, warnings, needsRules], [{ call: null }, [], false]);
});

test("readRows() mends a copy, at any depth", () => {
  const given = { count: "1", part: { count: "2", other: "x" } };
  const before = structuredClone(given);
  const { options, warnings, needsRules } = read(given);
  assert.deepEqual(given, before);
  assert.deepEqual(options, { count: 1, part: { count: 2, other: "x" } });
  assert.deepEqual(warnings, [
    'option-mended: `count` is the text "1": it is read as the number 1',
    'option-mended: `part.count` is the text "2": it is read as the number 2',
  ]);
  assert.ok(needsRules);
});

test("readRows() looks at no member of what is ignored or wrong", () => {
  const { options, warnings, problems } = read({ view: ["x"], part: [] });
  assert.deepEqual(options, { part: [] });
  assert.deepEqual(warnings, ["option-mended: `view` is a list and not an object, so it is ignored"]);
  assert.deepEqual(problems, ["Cannot use `part`: it must be an object, not a list"]);
});

test("readRows() names the provider whose option it is", () => {
  const { warnings, problems } = read({ count: "1", part: { count: "x" } }, "idp");
  assert.deepEqual(warnings, ['option-mended: `count` of provider "idp" is the text "1": it is read as the number 1']);
  assert.deepEqual(problems, ['Cannot use provider "idp": its `part.count` must be a whole number, not "x"']);
});

test("readRows() keeps the methods of an instance on the instance that it mends", () => {
  class Options {
    readonly #answer = 42;
    count = "7";
    call() {
      return this.#answer;
    }
  }
  const { options } = read(new Options());
  const { count, call } = options as unknown as { count: number; call(): number };
  assert.deepEqual([count, call()], [7, 42]);
});

test("readRows() says where rules have to be asked", () => {
  assert.deepEqual(read({ rule: 1 }), { options: { rule: 1 }, warnings: [], problems: [], needsRules: true });
});

test("unknownNames() lists what has no row and is set", () => {
  assert.deepEqual(unknownNames({ count: 1, Count: 2, nothing: null, part: {} }, TABLE), ["Count"]);
  for (const other of [null, undefined, "count", ["x"], () => {}]) assert.deepEqual(unknownNames(other, TABLE), []);
  const cases = [{ count: 1 }, { part: { other: 1 } }, { part: { x: 1 } }, { view: { x: null } }, { x: 1 }, null];
  assert.deepEqual(cases.map((given) => hasUnknownNames(given, TABLE)), [false, false, true, false, true, false]);
});
