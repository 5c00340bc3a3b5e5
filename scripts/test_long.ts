/**
 * Runs the tests below tests/long, which take minutes.
 *
 * @example Usage
 * ```sh
 * deno run -A scripts/test_long.ts
 * ```
 *
 * @module
 */
import { printLine } from "./print.ts";
import { sourcesBelow } from "./source_files.ts";
import { runDeno } from "./watch_tests.ts";

/** Seconds that one test may take. */
const LIMIT = 45 * 60;

const tests = sourcesBelow("tests/long").filter((path) => path.endsWith("_test.ts"));

if (tests.length === 0) {
  printLine("tests/long contains no tests");
} else {
  const args = ["test", "--frozen", "--allow-all", ...tests];
  Deno.exit(await runDeno(LIMIT, args));
}
