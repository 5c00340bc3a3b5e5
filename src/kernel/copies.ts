/**
 * Which copies of the package a program runs: two of them know nothing of each other.
 *
 * @module
 */

/** A trace of each copy, by which one sees where it lies. */
const COPIES = Symbol.for("@x/auth/copies");

/** The most that are kept: development servers load a module again and again. */
const MOST = 32;

/** Where this code lies in the package, as a trace has it: in a file of its own, or in one of the npm package. */
const PLACE =
  /((?:[a-z]+:)?\/[^\s()]*)\/src\/kernel\/copies\.ts\b|((?:[a-z]+:)?\/[^\s()]*@x\/auth(?:\/\d[^/\s()]*)?)\/chunks\/setup\.js\b/;

type Traces = { [COPIES]?: Set<string> };

/** Notes that this copy serves requests. */
export function noteCopy(): void {
  const traces = (globalThis as Traces)[COPIES] ??= new Set();
  const place = placeIn(new Error("here").stack);
  if (place !== null && traces.size < MOST) traces.add(place);
}

/** Lists the folders of the copies that have served requests. */
export function foldersOfCopies(): readonly string[] {
  return [...(globalThis as Traces)[COPIES] ?? []];
}

/** Reads from a trace in which folder the package lies; `null` in the bundle of an application. */
export function placeIn(trace: string | undefined): string | null {
  const [, own, packed] = PLACE.exec(trace ?? "") ?? [];
  return own ?? packed ?? null;
}
