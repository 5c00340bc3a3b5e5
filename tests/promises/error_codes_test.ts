import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as errors from "../../src/kernel/errors.ts";
import { codeOf } from "../../src/kernel/log_line.ts";
import { sourcesBelow } from "../../scripts/source_files.ts";

const UNION = "src/kernel/log_codes.ts";
const CLASSES = "src/kernel/errors.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = ""]) => found);

const codes = all(read(UNION), /^ {2}\| "([a-z0-9-]+)"/gm);
const page = read("docs/errors.md");
const headings = all(page, /^### `(.+)`$/gm);

/** Codes that no message names: they are for whatever code of the application throws. */
const OF_OTHERS = ["auth-error", "unexpected"];

test("each code of the log has an entry in docs/errors.md, and each entry a code", () => {
  assert.deepEqual(headings.toSorted(), codes.toSorted());
});

test("codes and entries stand in alphabetical order", () => {
  assert.deepEqual(codes, codes.toSorted());
  assert.deepEqual(headings, headings.toSorted());
});

test("each entry says what it means, and what to do", () => {
  const entries = page.slice(page.indexOf("## Codes")).split(/^### /m).slice(1);
  for (const entry of entries) {
    const [heading = "", ...paragraphs] = entry.trim().split(/\n\n/);
    assert.equal(paragraphs.length, 2, heading);
  }
});

test("each code is used", () => {
  const files = ["src", "bindings", "adapters", "cli", "migrate"].flatMap(sourcesBelow).filter((path) =>
    path !== UNION
  );
  const sources = files.map(read).join("\n");
  const unused = codes.filter((code) => !sources.includes(`"${code}"`) && !defaults().includes(code));
  assert.deepEqual(unused.filter((code) => !OF_OTHERS.includes(code)), []);
});

test("each type of error that can be thrown has a code", () => {
  assert.ok(defaults().length > 20);
  assert.deepEqual(defaults().filter((code) => !codes.includes(code)), []);
});

/** The codes of types that some code throws. */
function defaults(): string[] {
  const never = all(read(CLASSES), /Never thrown[^]*?export class (\w+)/g);
  return Object.entries(errors).flatMap(([name, Made]) => {
    const isConcrete = Made.prototype instanceof errors.AuthError &&
      !/^(?:Config|SignIn|Denied|Request|Fault)Error$/.test(name);
    if (!isConcrete || never.includes(name)) return [];
    return codeOf(new (Made as typeof errors.AuthError)());
  });
}
