import { test } from "node:test";
import assert from "node:assert/strict";
import { fits, type Maker } from "./exports/_fits.ts";

/** Two types: whether the first fits the second, and the second the first, where the library makes the values. */
type Row = readonly [one: string, other: string, forth: boolean, back: boolean];

/** The same where programs make them. */
const OF_PROGRAMS: readonly Row[] = [
  ["string", "string | null", true, false],
  ["{ a: string; b: string }", "{ a: string }", false, false],
  ["{ a: string; b?: string }", "{ a: string }", false, true],
  ["() => void", "(A) => void", true, false],
  ["({ a: A }) => void", "({ a: A; b: B }) => void", true, false],
  ["(A) => B", "(A) => B | C", true, false],
];

const ROWS: readonly Row[] = [
  ["string", "string", true, true],
  ["string", "number", false, false],
  ["string", "string | null", true, false],
  ["A | B", "B | A", true, true],
  ["A | B", "(B | A) | C", true, false],
  ['"a"', "string", true, false],
  ['"a" | "b"', "string", true, false],
  ['"a | b"', '"a" | "b"', false, false],
  ["true", "boolean", true, false],
  ["string", "unknown", true, false],
  ["never", "string", true, false],
  // Lists and what holds others
  ["string[]", "readonly string[]", true, false],
  ['"a"[]', "string[]", true, false],
  ["Promise<string>", "Promise<string | null>", true, false],
  ["Promise<string>", "Awaitable<string>", true, false],
  ["string", "Awaitable<string | null>", true, false],
  ["Map<string>", "Map<string | null>", false, false],
  ["Promise<A> & Promise<B>", "Promise<A | C> & Promise<B>", false, false],
  // Objects
  ["{ a: string; b: string }", "{ a: string }", true, false],
  ["{ a: string }", "{ a: string; b?: string }", true, true],
  ["{ a: string }", "{ a?: string }", true, false],
  ["{ a: string }", "{ readonly a: string }", true, false],
  ["{ a: { b: string } }", "{ a: { b: string | null } }", true, false],
  ["{ a: string }", "{ b: string }", false, false],
  ["{}", "{ a?: string }", true, true],
  ["{ [K in A]: B }", "{ [K in A]: C }", false, false],
  // Functions
  ["() => void", "(A) => void", false, false],
  ["(A?) => void", "(A) => void", true, false],
  ["(A, B?) => void", "(A) => void", true, false],
  ["(...A[]) => void", "() => void", true, false],
  ["(A | B) => void", "(A) => void", true, false],
  ["(A) => B", "(A) => B | C", true, false],
  ["(A) => B", "(A) => void", true, false],
  ["<T>(T) => B", "<U>(U) => B", false, false],
  ["({ a: A }) => void", "({ a: A; b?: B }) => void", false, true],
  ["(A) => B | C", "((A) => B) | C", false, false],
  ["(A<B, C>) => D", "(A<B, D>) => D", false, false],
  ["((A) => B) | null", "((A, C?) => B) | null", false, true],
];

const ALL: readonly (readonly [Maker, readonly Row[]])[] = [["library", ROWS], ["program", OF_PROGRAMS]];

for (const [maker, rows] of ALL) {
  for (const [one, other, forth, back] of rows) {
    const [there, here] = [forth, back].map((each) => each ? "fits" : "does not fit");
    test(`${one} of a ${maker} ${there} ${other}, which ${here} it`, () => {
      assert.deepEqual([fits(one, other, maker), fits(other, one, maker)], [forth, back]);
    });
  }
}
