/**
 * The stories once more, in a host whose `Response` and `Headers` keep, share and change what they are given. Other
 * runtimes do the same in scripts/npm/suites.ts.
 */
import assert from "node:assert/strict";
import { test } from "node:test";

test("every story holds under a Response that shares what it is given", async () => {
  const preload = "--preload=tests/_support/hostile_preload.ts";
  const args = ["test", "--frozen", "--no-check", "--allow-all", preload, "tests/stories"];
  const env = { NO_COLOR: "1" };
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, env, stdin: "null" }).output();
  const output = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("");
  assert.equal(code, 0, output.slice(-5000));
  assert.match(output, /\| [1-9]\d* passed /);
});
