import { test } from "node:test";
import assert from "node:assert/strict";
import { readOverrides, readSnapshot } from "./_files.ts";
import { weigh } from "./_snapshot.ts";
import { PROGRAMS } from "./programs.ts";

const FINE = "026cf0b docs/sessions.md:12 compiles";
const WRONG = "026cf0b docs/sessions.md:12 TS2322: Type 'string' is not assignable to type 'number'.";

/** A change, and what it breaks; or `undefined` if it is nothing to record. */
const ROWS: readonly (readonly [before: string, after: string, breaks: string | null | undefined])[] = [
  ["", FINE, null],
  [
    FINE,
    WRONG,
    "programs such as docs/sessions.md:12 of release 026cf0b: TS2322: Type 'string' is not assignable to type 'number'",
  ],
  [
    "",
    WRONG,
    "programs such as docs/sessions.md:12 of release 026cf0b: TS2322: Type 'string' is not assignable to type 'number'",
  ],
  [FINE, "", "programs such as docs/sessions.md:12 of release 026cf0b"],
  [WRONG, FINE, null],
  [WRONG, WRONG.replace("2322", "2345"), undefined],
  [FINE, FINE, undefined],
];

for (const [before, after, breaks] of ROWS) {
  test(`${before || "nothing"} → ${after || "nothing"} ${breaks ? `breaks ${breaks}` : "breaks nothing"}`, () => {
    const findings = weigh(PROGRAMS, before ? [before] : [], after ? [after] : []);
    const verdict = breaks ? { level: "major", breaks } : { level: "minor" };
    assert.deepEqual(findings.map((finding) => finding.verdict), breaks === undefined ? [] : [verdict]);
  });
}

test("every program of an earlier release compiles, or an override says why not", () => {
  const lines = readSnapshot("programs");
  assert.ok(lines.length > 150);
  const allowed = readOverrides().filter(({ snapshot }) => snapshot === "programs").flatMap(({ added }) => added);
  assert.deepEqual(lines.filter((line) => !line.endsWith(" compiles") && !allowed.includes(line)), []);
});
