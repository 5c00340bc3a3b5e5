import { test } from "node:test";
import assert from "node:assert/strict";
import { stepsFor } from "../../scripts/check_docs.ts";

test("stepsFor() lints all entry points in one call", () => {
  const lints = stepsFor(["./mod.ts", "./src/jwt.ts"], []).filter(({ args }) => args.includes("--lint"));
  assert.deepEqual(lints.map(({ args }) => args), [["doc", "--lint", "./mod.ts", "./src/jwt.ts"]]);
});

test("stepsFor() runs the examples in comments without permissions", () => {
  const [run, ...others] = stepsFor(["./mod.ts"], []).filter(({ args }) => args[0] === "test");
  assert.deepEqual(others, []);
  assert.ok(run);
  assert.ok(run.args.includes("--doc") && run.args.includes("--no-prompt"));
  assert.deepEqual(run.args.filter((arg) => arg.startsWith("--allow") || arg === "-A"), []);
});

test("stepsFor() compiles the examples of the pages that it is given", () => {
  const withPage = stepsFor(["./mod.ts"], ["README.md"]);
  assert.ok(withPage.some(({ args }) => args.includes("--doc-only") && args.includes("README.md")));
  assert.equal(stepsFor(["./mod.ts"], []).length, withPage.length - 1);
});
