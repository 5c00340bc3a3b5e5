/**
 * Which copies of the package a program runs: two of them know nothing of each other.
 *
 * @module
 */

/** A trace of each copy, by which one sees where it lies. */
const COPIES = Symbol.for("@x/auth/copies");

/** The most that are kept: development servers load a module again and again. */
const MOST = 32;

/** Where this file lies in the package, as a trace has it. Bundles have another name, so they do not count. */
const PLACE = /((?:file|https?|jsr|npm):[^\s()]*|\/[^\s()]*)\/src\/kernel\/copies\.[cm]?[jt]s\b/;

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

/** Reads from a trace in which folder the package lies; `null` in a bundle. */
export function placeIn(trace: string | undefined): string | null {
  return PLACE.exec(trace ?? "")?.[1] ?? null;
}
