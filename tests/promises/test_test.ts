import assert from "node:assert/strict";
import { test } from "node:test";
import { newsOf, partsOf, readSummary, summaryOf } from "../../scripts/test.ts";

test("partsOf() runs each file once, files of one folder together, and what takes longest first", () => {
  const parts = partsOf([
    ["tests/e2e/a_test.ts", 10],
    ["tests/e2e/b_test.ts", 10],
    ["tests/unit/adapters/a_test.ts", 10],
    ["tests/unit/http/a_test.ts", 10],
    ["tests/unit/http/b_test.ts", 10],
    ["tests/unit/http/c_test.ts", 59_990],
    ["tests/unit/kernel/a_test.ts", 70_000],
  ]);
  assert.deepEqual(parts.map(({ files }) => files), [
    ["tests/e2e/a_test.ts"],
    ["tests/e2e/b_test.ts"],
    ["tests/unit/adapters/a_test.ts"],
    ["tests/unit/kernel/a_test.ts"],
    ["tests/unit/http/c_test.ts"],
    ["tests/unit/http/a_test.ts", "tests/unit/http/b_test.ts"],
  ]);
  assert.equal(parts.at(-1)?.name, "tests/unit/http (2 files)");
});

const SUMMARIES: readonly (readonly [said: string, count: ReturnType<typeof readSummary>])[] = [
  ["ok | 12 passed | 0 failed (1s)", { passed: 12, steps: 0, failed: 0, ignored: 0 }],
  ["ok | 1 passed (3 steps) | 0 failed | 2 ignored (1 step) (1m2s)", { passed: 1, steps: 3, failed: 0, ignored: 2 }],
  ["FAILED | 12 passed (1 step) | 3 failed (1s)", { passed: 12, steps: 1, failed: 3, ignored: 0 }],
  ["a test that says | 5 passed", null],
  ["", null],
];

for (const [index, [said, count]] of SUMMARIES.entries()) {
  test(`readSummary() reads the last line of a run, row ${index}`, () => {
    assert.deepEqual(readSummary(`a ... ok (1ms)\n\n${said}\n\n`), count);
  });
}

test("newsOf() shows what failed and what did not run, and nothing else", () => {
  const skipped =
    "\n*** The demo did not run: there is no Chromium.\n\na ... ok (1ms)\n\nok | 1 passed | 0 failed (1s)\n";
  assert.equal(newsOf(skipped, true), "*** The demo did not run: there is no Chromium.");
  assert.equal(newsOf("a ... ok (1ms)\n", true), "");
  assert.match(
    newsOf("a ... FAILED (1ms)\n\n ERRORS \n\na => ./a_test.ts:1:1\nerror: broken\n", false),
    /error: broken/,
  );
  assert.doesNotMatch(newsOf("a ... ok (1ms)\n\n ERRORS \n\nb\n", false), /a \.\.\./);
  // A process that dies prints no list of errors.
  assert.match(newsOf("a ...\nfatal: out of memory\n", false), /out of memory/);
});

test("summaryOf() adds all parts up, in a line such as `deno test` writes", () => {
  const counts = [{ passed: 1, steps: 2, failed: 0, ignored: 1 }, { passed: 3, steps: 0, failed: 0, ignored: 0 }];
  assert.equal(summaryOf(counts, 61.4), "ok | 4 passed (2 steps) | 0 failed | 1 ignored (61s)");
  assert.deepEqual(readSummary(`\n${summaryOf(counts, 61.4)}\n`), { passed: 4, steps: 2, failed: 0, ignored: 1 });
  assert.match(
    summaryOf([...counts, { passed: 0, steps: 0, failed: 2, ignored: 0 }], 1),
    /^FAILED \| .* \| 2 failed \|/,
  );
});
