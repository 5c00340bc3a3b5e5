import { test } from "node:test";
import assert from "node:assert/strict";
import { readSnapshot } from "./_files.ts";
import { weigh } from "./_snapshot.ts";
import { TYPES } from "./types.ts";

/** A change of what an application costs, and what it breaks; or `undefined` if it is nothing to record. */
const ROWS: readonly (readonly [before: number | null, after: number | null, breaks: string | null | undefined])[] = [
  [2000, 2000, undefined],
  [2000, 2200, undefined],
  [2000, 2201, 'the speed of editors and compilers: "one provider" costs 10 % more'],
  [2000, 6000, 'the speed of editors and compilers: "one provider" costs 200 % more'],
  [2000, 1800, undefined],
  [2000, 1799, null],
  [null, 2000, null],
  [2000, null, 'the promise of what "one provider" costs compilers'],
];

for (const [before, after, breaks] of ROWS) {
  test(`${before} → ${after} instantiations ${breaks ? `breaks ${breaks}` : "breaks nothing"}`, () => {
    const line = (count: number | null): string[] => count === null ? [] : [`one provider: ${count}`];
    const verdict = breaks ? { level: "major", breaks } : { level: "minor" };
    const verdicts = weigh(TYPES, line(before), line(after)).map((finding) => finding.verdict);
    assert.deepEqual(verdicts, breaks === undefined ? [] : [verdict]);
  });
}

test("ten applications and more are counted, each with a cost", () => {
  const lines = readSnapshot("types");
  assert.ok(lines.length >= 10);
  assert.deepEqual(lines.filter((line) => !/^[a-z ]+: [1-9]\d*$/.test(line)), []);
});
