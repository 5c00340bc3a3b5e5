/**
 * Speaking to whoever runs a script.
 *
 * @module
 */

/** Prints a line. */
export function say(line: string): void {
  // deno-lint-ignore no-console -- the one place where a script speaks
  console.log(line);
}
