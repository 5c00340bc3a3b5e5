import { test } from "node:test";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { embedded, SCRIPTS } from "../../../scripts/embed_client.ts";
import { CHALLENGE_SCRIPT } from "../../../src/pages/challenge_script.ts";
import { chanceOf } from "../../_support/chance.ts";

const source = await readFile(new URL(`../../../${SCRIPTS.challenge.source}`, import.meta.url), "utf8");

/** The hash that browsers compute, from the script that they get. */
const firstWord = new Function("document", `${CHALLENGE_SCRIPT}; return firstWord;`)({
  querySelectorAll: () => [],
}) as (text: string) => number;

test("the embedded script is the one that is written", () => {
  assert.equal(CHALLENGE_SCRIPT, embedded(source), "run scripts/embed_client.ts");
});

test("its hash is SHA-256, for 10,000 texts of every length up to 55 characters", () => {
  const { below } = chanceOf(33);
  for (let round = 0; round < 10_000; round++) {
    const text = String.fromCharCode(...Array.from({ length: round % 56 }, () => below(128)));
    const expected = createHash("sha256").update(text).digest().readUInt32BE(0);
    assert.equal(firstWord(text), expected, JSON.stringify(text));
  }
});

test("its hash is SHA-256 for whole runs of numbers", () => {
  const digest = "0a1b2c3d-0a1b-8c2d-8e3f-0a1b2c3d4e5f";
  for (const start of [0, 9_999_990_000]) {
    for (let number = start; number < start + 2000; number++) {
      const text = `${digest}.${number}`;
      assert.equal(firstWord(text), createHash("sha256").update(text).digest().readUInt32BE(0), text);
    }
  }
});

test("the script takes less than 4 kB", () => {
  assert.ok(new TextEncoder().encode(CHALLENGE_SCRIPT).length < 4096);
});

test("the script makes neither markup nor code of text, and asks nobody for anything", () => {
  assert.doesNotMatch(
    CHALLENGE_SCRIPT,
    /innerHTML|outerHTML|insertAdjacent|document\.write|eval|Function\(|srcdoc|import|https?:|fetch|XMLHttp|cookie/,
  );
});
