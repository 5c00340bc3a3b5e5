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
import { runDeno } from "./watch_tests.ts";

/** Seconds that one of them may take. */
const LIMIT = 45 * 60;

const tests = [...sourcesBelow("tests/long")].filter((path) => path.endsWith("_test.ts"));

if (tests.length === 0) {
  say("There are no long tests: tests/long holds none");
} else {
  const args = ["test", "--frozen", "--allow-all", ...tests];
  Deno.exit(await runDeno(LIMIT, args));
}
