import assert from "node:assert/strict";
import { test } from "node:test";
import { changedLines, flipsIn, sample } from "../../scripts/test_flips.ts";

const ROWS: readonly (readonly [code: string, flipped: readonly string[]])[] = [
  ["if (a === b) f();", ["if (a !== b) f();"]],
  ["x = a <= b && c;", ["x = a < b && c;", "x = a <= b || c;"]],
  ["x = a > 10 ? y : z;", ["x = a >= 10 ? y : z;", "x = a > 11 ? y : z;"]],
  ["x = a ||\n  b;", ["x = a &&\n  b;"]],
  ["x = !a;", ["x = a;"]],
  ["if (ready) f();", ["if (!ready) f();"]],
  ["return found;", ["return !found;"]],
  ["x = await f(a) + 1;", ["x = f(a) + 1;", "x = await f(a) - 1;", "x = await f(a) + 2;"]],
  ["const on = false;", ["const on = true;"]],
  ["// a === b\nconst f = (a: Map<string, number>): string | null => a.get(`x`)!;", []],
  ['const text = f("a && b", /a > 1 [/] b/);', []],
  ["/* a\n> b */ export type T = 1 | 2;", []],
];

for (const [code, flipped] of ROWS) {
  test(`flipsIn() flips ${JSON.stringify(code)} in ${flipped.length} ways`, () => {
    const made = flipsIn(code).map(({ at, old, new: text }) => code.slice(0, at) + text + code.slice(at + old.length));
    assert.deepEqual(made, flipped);
  });
}

test("flipsIn() says in which line a flip is, also after a comment of several lines", () => {
  assert.deepEqual(flipsIn("/*\n\n*/\nx = a < b;").map(({ line }) => line), [4]);
});

test("changedLines() reads which lines of which file are new", () => {
  const diff =
    "+++ b/src/a.ts\n@@ -1,2 +3,2 @@ f\n-a\n+b\n@@ -9 +12 @@\n@@ -20,3 +21,0 @@\n+++ b/src/b.ts\n@@ -0,0 +1 @@";
  assert.deepEqual([...changedLines(diff)].map(([file, lines]) => [file, ...lines]), [
    ["src/a.ts", 3, 4, 12],
    ["src/b.ts", 1],
  ]);
});

test("sample() chooses the same ones for a seed, others for another seed, and each once", () => {
  const list = Array.from({ length: 100 }, (_, at) => at);
  assert.deepEqual(sample(list, 10, 1), sample(list, 10, 1));
  assert.notDeepEqual(sample(list, 10, 1), sample(list, 10, 2));
  assert.deepEqual(sample(list, 200, 3).toSorted((a, b) => a - b), list);
});
