/**
 * Runs the tests that take longer than anybody waits between two edits: those below tests/long.
 *
 * @example Usage
 * ```sh
 * deno run -A scripts/test_long.ts
 * ```
 *
 * @module
 */
import { say } from "./say.ts";
import { sourcesBelow } from "./source_files.ts";

const tests = [...sourcesBelow("tests/long")].filter((path) => path.endsWith("_test.ts"));

if (tests.length === 0) {
  say("There are no long tests: tests/long holds none");
} else {
  const args = ["test", "--frozen", "--allow-all", ...tests];
  const { code } = await new Deno.Command(Deno.execPath(), { args, stdin: "null" }).spawn().status;
  Deno.exit(code);
}
