/**
 * A clock that a test moves.
 *
 * @module
 */

const UNITS = { s: 1, m: 60, h: 60 * 60, d: 24 * 60 * 60, w: 7 * 24 * 60 * 60 } as const;

/** A span of time: seconds, or a number with its unit, such as `"31d"`. Units are `s`, `m`, `h`, `d` and `w`. */
export type Span = number | `${number}${"s" | "m" | "h" | "d" | "w"}`;

/** The clock of a test. It stands still until the test moves it. */
export interface TestClock {
  /** The time, in milliseconds since 1970. */
  now(): number;
  /** Moves it on. @throws {TypeError} if the span cannot be read. */
  advance(by: Span): void;
}

/** Makes a clock. */
export function createClock(start: number): TestClock {
  let now = start;
  return {
    now: () => now,
    advance: (by) => void (now += secondsOf(by) * 1000),
  };
}

function secondsOf(span: Span): number {
  if (typeof span === "number" && Number.isFinite(span)) return span;
  const [, count, unit] = /^(\d+(?:\.\d+)?)([smhdw])$/.exec(String(span)) ?? [];
  if (count === undefined || unit === undefined) {
    throw new TypeError(`Cannot move the clock by "${span}": write seconds, or a number with its unit, such as "31d"`);
  }
  return Number(count) * UNITS[unit as keyof typeof UNITS];
}
