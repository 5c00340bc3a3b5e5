import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { isFile } from "../../scripts/source_files.ts";
import { patch } from "../mutants/_patch.ts";
import { MUTANTS } from "../mutants/all.ts";
import { CODES } from "../mutants/codes.ts";

test("the code that a mutant replaces occurs once in its file", () => {
  const stale = MUTANTS.flatMap(({ name, file, find, replace }) => {
    try {
      const source = readFileSync(file, "utf8");
      return patch(source, find, replace) === source ? [`${name}: changes nothing in ${file}`] : [];
    } catch (error) {
      return [`${name}: ${error}`];
    }
  });
  assert.deepEqual(stale, []);
});

test("a mutant fits its code however that is formatted", () => {
  const find = "if (a.b(c, {\n  d: 1,\n})) return e;\n";
  for (
    const source of ["if (a.b(c, { d: 1 })) return e;", "if (\n\ta\n\t.b(c, {\n\t\td: 1,\n\t},),\n)\n\treturn\n\te;"]
  ) {
    assert.equal(patch(`x;\n  ${source}\ny;`, find, "z;"), "x;\n  z;\ny;");
  }
  assert.equal(patch("const [a, b] = [c, d];", "  c,\n", ""), "const [a, b] = [ d];");
  assert.equal(patch("f({ a, b })", "  b,\n", ""), "f({ a, })");
  assert.equal(patch("'\\d$'", "'\\d$'", "$&"), "$&");
});

test("a mutant whose code is missing or occurs twice is an error that counts the places", () => {
  assert.throws(() => patch("a b", "ab", ""), { message: "its text occurs 0 times" });
  assert.throws(() => patch("returned", "return ed", ""), { message: "its text occurs 0 times" });
  assert.throws(() => patch("f(a);\nf( a,\n);", "f(a);", ""), { message: "its text occurs 2 times" });
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

test("every code of a mutant has a sentence, and every sentence is that of a mutant", () => {
  const used = new Set(MUTANTS.flatMap(({ name }) => name.replace(/: .*/, "").split(", ")));
  assert.deepEqual([...used].filter((code) => !Object.hasOwn(CODES, code)), [], "codes without a sentence");
  assert.deepEqual(Object.keys(CODES).filter((code) => !used.has(code)), [], "sentences without a mutant");
  assert.deepEqual(Object.values(CODES).filter((text) => !/^[A-Za-z].{15,}\.$/.test(text)), []);
});
