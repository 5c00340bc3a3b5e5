import { test } from "node:test";
import assert from "node:assert/strict";
import { durationIn } from "../../../src/texts/duration.ts";
import { LANGUAGES } from "../../../src/texts/languages.ts";

const DURATIONS: readonly (readonly [seconds: number, text: string])[] = [
  [0, "1 minute"],
  [59, "1 minute"],
  [60, "1 minute"],
  [600, "10 minutes"],
  [571, "10 minutes"],
  [569, "9 minutes"],
  [90 * 60, "90 minutes"],
  [2 * 60 * 60, "2 hours"],
  [24 * 60 * 60, "24 hours"],
  [24 * 60 * 60 - 1, "24 hours"],
  [24 * 60 * 60 - 31, "23 hours"],
  [3 * 24 * 60 * 60, "3 days"],
  [7.9 * 24 * 60 * 60, "7 days"],
];

for (const [seconds, text] of DURATIONS) {
  test(`durationIn() writes ${seconds} seconds as ${text}`, () => {
    assert.equal(durationIn("en", seconds), text);
  });
}

test("durationIn() uses the plural of the language", () => {
  assert.deepEqual([60, 120, 300].map((seconds) => durationIn("pl", seconds)), ["1 minuta", "2 minuty", "5 minut"]);
  assert.deepEqual([60, 120, 300].map((seconds) => durationIn("uk", seconds)), ["1 хвилина", "2 хвилини", "5 хвилин"]);
});

for (const { tag } of LANGUAGES) {
  test(`durationIn() has words of its own for each unit in ${tag}`, () => {
    const units = [600, 24 * 60 * 60, 7 * 24 * 60 * 60].map((seconds) =>
      durationIn(tag, seconds).replace(/[\d٠-٩]+/, "")
    );
    assert.equal(new Set(units).size, 3);
    if (tag !== "en") assert.ok(!units.includes(" minutes") || tag === "fr");
  });
}
