import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { CATALOGUE } from "./catalogue.ts";
import { countRows } from "./_service.ts";

const ROWS = Object.entries(CATALOGUE);

countRows("catalogue, rows with a test")(ROWS.filter(([, cover]) => typeof cover !== "string").length);
countRows("catalogue, rows that wait")(ROWS.filter(([, cover]) => typeof cover === "string").length);

const ids = (letter: string, last: number) =>
  Array.from({ length: last }, (_, at) => `${letter}${String(at + 1).padStart(2, "0")}`);

test("the catalogue has every row once, in order", () => {
  assert.deepEqual(ROWS.map(([id]) => id), [...ids("V", 94), ...ids("H", 32)]);
});

test("every test that the catalogue names is there, by its file and its name", async () => {
  const missing: string[] = [];
  for (const [id, cover] of ROWS) {
    if (typeof cover === "string") continue;
    const text = await readFile(new URL(`../${cover.file}`, import.meta.url), "utf8").catch(() => "");
    if (!isNamed(text, cover.test)) missing.push(`${id}: ${cover.file} has no test "${cover.test}"`);
  }
  assert.deepEqual(missing, []);
});

// A name stands behind `test(` or the function of a table, perhaps on a line of its own; not in a comment.
function isNamed(text: string, name: string): boolean {
  const before = text.split(name)[0] ?? text;
  return before !== text && /\b(?:test|table)\(\s*["`][^"`\n]*(?:\$\{[^}\n]*\}[^"`\n]*)*$/.test(before);
}

test("every row that waits says for what", () => {
  for (const [id, cover] of ROWS) {
    if (typeof cover === "string") assert.match(cover, /^(?:needs|compares) [^.]{10,}$/, id);
  }
});

test("a test that is there in a comment alone is not taken for one", () => {
  assert.ok(!isNamed("// V01: something holds\n", "V01: something holds"));
  assert.ok(!isNamed('test("V02: another", () => {});', "V01: something holds"));
  assert.ok(isNamed('test("V01: something holds", () => {});', "V01: something"));
  assert.ok(isNamed("test(\n  `V01: ${what} holds`,", "holds"));
});
