import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { isFile } from "../../scripts/source_files.ts";
import { MUTANTS } from "../mutants/all.ts";

test("the text that a mutant replaces occurs once in its file", () => {
  const stale = MUTANTS.filter(({ file, find, replace }) => {
    return !isFile(file) || readFileSync(file, "utf8").split(find).length !== 2 || find === replace;
  });
  assert.deepEqual(stale.map(({ name, file }) => `${file}: ${name}`), []);
});

test("every mutant names tests that exist", () => {
  const lost = MUTANTS.filter(({ tests }) => tests.length === 0 || !tests.every(isFile));
  assert.deepEqual(lost.map(({ name }) => name), []);
});

test("every mutant has a unique name that begins with the id of a requirement", () => {
  const names = MUTANTS.map(({ name }) => name);
  assert.deepEqual(names.filter((name, at) => names.indexOf(name) !== at), []);
  assert.deepEqual(names.filter((name) => !/^(?:[A-Z]+-?\d+, )*[A-Z]+-?\d+: ./.test(name)), []);
});
