import { test } from "node:test";
import assert from "node:assert/strict";
import { isPathData } from "../../../src/http/path_data.ts";
import { HOSTILE } from "../pages/_hostile.ts";

const PATHS = [
  ...[
    "M0 0h24v24H0z",
    "m1,2 3-4.5.5e-3Q1 2 3 4t5 6",
    "M12 .3a12 12 0 00-3.8 23.4C8 1 8 1 8 1s2 2 3 3Z",
    " \nM1 1L2 2\n",
  ],
  `M${"1".repeat(8191)}`,
];

const OTHERS: readonly unknown[] = [
  ...HOSTILE,
  ...[
    "",
    " ",
    "0 0h24",
    "z",
    "M",
    "M0 0<",
    'M0 0"',
    "M0 0'",
    "M0 0>",
    "M0 0&#34;",
    "M0 0/",
    "M0 0;",
    "M0 0\\",
    "M0 0\0",
  ],
  ...["M0 0\u2028x", "M0 0 url(#a)", "M0 0 none", "M0 0 NaN", "M0 0 ０", "path('M0 0')", `M${"1".repeat(8192)}`],
  ...[null, undefined, 0, true, {}, ["M0 0z"], { toString: () => "M0 0z" }, new String("M0 0z")],
];

for (const path of PATHS) {
  test(`isPathData() takes ${JSON.stringify(path.slice(0, 40))}`, () => assert.equal(isPathData(path), true));
}

test("isPathData() refuses whatever could be more than a shape", () => {
  for (const other of OTHERS) assert.equal(isPathData(other), false, String(other).slice(0, 80));
  for (let code = 0; code < 0x3000; code++) {
    const char = String.fromCharCode(code);
    const isPart = /[\d \t\n\f\r.,+\-ACEHLMQSTVZ]/i.test(char);
    assert.equal(isPathData(`M0 0${char}`), isPart, `character ${code}`);
  }
});

test("isPathData() reads the longest text in one pass", () => {
  const start = performance.now();
  for (let round = 0; round < 100; round++) {
    assert.equal(isPathData(`${" ".repeat(8190)}<`), false);
    assert.equal(isPathData(`M${"0 ".repeat(4095)}<`), false);
  }
  // A hundred times eight kilobytes. Backtracking over them would take minutes.
  assert.ok(performance.now() - start < 2000);
});
