/**
 * Output of scripts.
 *
 * @module
 */

/** Prints a line on standard output. */
export function printLine(line: string): void {
  // deno-lint-ignore no-console -- scripts print here only
  console.log(line);
}
