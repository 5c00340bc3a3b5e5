/**
 * What a program that measures in a process of its own has in common with the others: its input is the first argument,
 * as JSON; its result is the last line of its output, as JSON; what it does now stands in its error output.
 *
 * @module
 */
import process from "node:process";

/** Reads the input. */
export function readInput<T>(): T {
  return JSON.parse(process.argv[2] ?? "null") as T;
}

/** Tells what the program does now. */
export function tell(what: string): void {
  process.stderr.write(`${what}\n`);
}

/** Writes the result and ends the program, even if connections to a database are open. */
export function finish(result: unknown): void {
  process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
}
