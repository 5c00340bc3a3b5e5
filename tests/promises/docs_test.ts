import { test } from "node:test";
import assert from "node:assert/strict";
import { stepsFor } from "../../scripts/check_docs.ts";

test("stepsFor() lints all entry points in one call", () => {
  const lints = stepsFor(["./mod.ts", "./src/jwt.ts"]).filter(({ args }) => args.includes("--lint"));
  assert.deepEqual(lints.map(({ args }) => args), [["doc", "--lint", "./mod.ts", "./src/jwt.ts"]]);
});

test("stepsFor() runs the examples in comments without permissions", () => {
  const [run, ...others] = stepsFor(["./mod.ts"]).filter(({ args }) => args[0] === "test");
  assert.deepEqual(others, []);
  assert.ok(run);
  assert.ok(run.args.includes("--doc") && run.args.includes("--no-prompt"));
  assert.deepEqual(run.args.filter((arg) => arg.startsWith("--allow") || arg === "-A"), []);
});
