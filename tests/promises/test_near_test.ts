import assert from "node:assert/strict";
import { test } from "node:test";
import { argsOf, filesOf, nearTo, nearToAll, type Tree } from "../../scripts/test_near.ts";

const flaw = { name: "A1: a flaw", find: "a", replace: "b" };

const TREE: Tree = {
  files: [
    "src/http/csrf.ts",
    "src/http/late.ts",
    "adapters/kv.ts",
    "scripts/print.ts",
    "tests/_support/forms.ts",
    "tests/unit/http/csrf_test.ts",
    "tests/unit/http/csrf_races_test.ts",
    "tests/unit/http/csrfs_test.ts",
    "tests/unit/adapters/kv_test.ts",
    "tests/stories/forms_test.ts",
    "tests/stories/slow_test.ts",
  ],
  mutants: [
    { ...flaw, file: "src/http/csrf.ts", tests: ["tests/stories/forms_test.ts", "tests/unit/http/csrf_test.ts"] },
    { ...flaw, file: "src/http/csrf.ts", tests: ["tests/stories/slow_test.ts"], only: "one (1)" },
    { ...flaw, file: "src/http/csrf.ts", tests: ["tests/stories/slow_test.ts"], only: "two" },
    { ...flaw, file: "adapters/kv.ts", tests: ["tests/stories/slow_test.ts"] },
  ],
  read: (path) => path === "tests/stories/forms_test.ts" ? 'from "../_support/forms.ts"' : "",
};

const ROWS: readonly (readonly [what: string, file: string, tests: readonly string[]])[] = [
  ["a test for itself", "tests/stories/forms_test.ts", ["tests/stories/forms_test.ts"]],
  ["what mirrors a source, and then what its mutants name", "src/http/csrf.ts", [
    "tests/unit/http/csrf_test.ts",
    "tests/unit/http/csrf_races_test.ts",
    "tests/stories/slow_test.ts",
    "tests/stories/forms_test.ts",
  ]],
  ["what mirrors an adapter", "adapters/kv.ts", ["tests/unit/adapters/kv_test.ts", "tests/stories/slow_test.ts"]],
  ["the folder of a source that has neither", "src/http/late.ts", [
    "tests/unit/http/csrf_test.ts",
    "tests/unit/http/csrf_races_test.ts",
    "tests/unit/http/csrfs_test.ts",
  ]],
  ["who imports a support file", "tests/_support/forms.ts", ["tests/stories/forms_test.ts"]],
  ["nothing for a script that no test imports", "scripts/print.ts", []],
];

for (const [what, file, tests] of ROWS) {
  test(`nearTo() chooses ${what}`, () => assert.deepEqual(nearTo(file, TREE).map(({ test }) => test), tests));
}

test("nearToAll() runs each test once, and a part of it only if every file asks for a part", () => {
  const slow = (files: readonly string[]) => nearToAll(files, TREE).find(({ test }) => test.endsWith("slow_test.ts"));
  const part = slow(["src/http/csrf.ts"]);
  assert.deepEqual(part?.only, ["one (1)", "two"]);
  assert.deepEqual(part && argsOf(part).slice(-3), ["--filter", "/one \\(1\\)|two/", "tests/stories/slow_test.ts"]);
  const whole = slow(["src/http/csrf.ts", "adapters/kv.ts"]);
  assert.deepEqual([whole?.only, whole?.why], [
    undefined,
    "must see 2 flaws in src/http/csrf.ts, must see a flaw in adapters/kv.ts",
  ]);
});

test("filesOf() takes files and folders, and names what does not exist", () => {
  assert.deepEqual(filesOf(["./src/http/", "src/http/csrf.ts"], TREE), ["src/http/csrf.ts", "src/http/late.ts"]);
  assert.throws(() => filesOf(["src/htp"], TREE), { message: 'There is no source or test "src/htp"' });
});

test("test:near runs the tests that are near to a file", async () => {
  const args = ["run", "--no-check", "-A", "scripts/test_near.ts", "src/http/csrf.ts"];
  const { code, stdout } = await new Deno.Command(Deno.execPath(), { args }).output();
  const output = new TextDecoder().decode(stdout);
  assert.equal(code, 0, output);
  assert.match(
    output,
    /^passed tests\/unit\/http\/\w+_test\.ts: \d+ tests in [\d.]+ s; it mirrors src\/http\/csrf\.ts/m,
  );
  assert.match(output, /^passed: \d+ files?$/m);
});
