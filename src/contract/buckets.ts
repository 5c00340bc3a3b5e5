/**
 * What happens to a bucket, whatever stores it: the generic cell rate algorithm, with one time for each bucket.
 *
 * @see {@link https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm | Generic cell rate algorithm}
 *
 * @module
 */
import type { Bucket } from "./adapter.ts";

/** What is asked of one bucket, as storage compares it. Times are milliseconds since 1970. */
export interface Asked {
  readonly key: string;
  readonly every: number;
  /** Milliseconds that are added to its time; less than 0 if tokens are given back. */
  readonly step: number;
  /** The earliest time that it has afterwards: what a bucket that was absent has, or now if tokens are given back. */
  readonly least: number;
  /** The latest time at which there is room. */
  readonly most: number;
}

/** Sorts what is asked by the keys. @throws {TypeError} if a bucket cannot be used, or two have the same key. */
export function askedOf(buckets: readonly Bucket[], now: Date): readonly Asked[] {
  const time = now.getTime();
  if (Number.isNaN(time)) throw new TypeError("Cannot take from buckets: `now` is not a valid Date");
  const asked = buckets.map((bucket) => askedOfOne(bucket, time)).sort((one, other) => one.key < other.key ? -1 : 1);
  if (new Set(asked.map(({ key }) => key)).size < asked.length) {
    throw new TypeError("Cannot take from buckets: two of them have the same key");
  }
  return asked;
}

/** The time of a bucket afterwards; `null` if it refuses. @param time Its time before; 0 if it is absent. */
export function timeAfter(time: number, { step, least, most }: Asked): number | null {
  // To give back must not add: a clock that is fast would move the time to its own.
  if (step < 0 && time <= least) return time;
  return time <= most ? Math.max(time + step, least) : null;
}

/** Answers in the order given. @param refused The times of the buckets that refused. */
export function answersOf(
  buckets: readonly Bucket[],
  now: Date,
  refused: ReadonlyMap<string, number>,
): readonly (Date | null)[] {
  return buckets.map(({ key, every, burst, cost = 1 }) => {
    const time = refused.get(key);
    // Others may have given back since it refused.
    return time === undefined ? null : new Date(Math.max(time - (burst - cost) * every, now.getTime()));
  });
}

/** The most characters of a key. */
const LONGEST_KEY = 256;

/** The last instant that a `Date` holds. */
const LAST = 8.64e15;

function askedOfOne({ key, every, burst, cost = 1 }: Bucket, now: number): Asked {
  const problem = problemOf({ key, every, burst, cost }, now);
  if (problem) throw new TypeError(`Cannot take from bucket: ${problem}`);
  const step = cost * every;
  return {
    key,
    every,
    step,
    least: Math.max(now + step, now),
    most: step < 0 ? Number.MAX_SAFE_INTEGER : now + burst * every - step,
  };
}

function problemOf({ key, every, burst, cost }: Bucket & { readonly cost: number }, now: number): string | null {
  if (typeof key !== "string" || key === "" || key.length > LONGEST_KEY) {
    return `\`key\` is not a text of 1 to ${LONGEST_KEY} characters`;
  }
  if (!key.isWellFormed() || key.includes("\0")) return "`key` contains NUL or half of a surrogate pair";
  if (!Number.isInteger(every) || every < 1) return "`every` is not a whole number of milliseconds";
  if (!Number.isInteger(burst) || burst < 1) return "`burst` is not a whole number of at least 1";
  if (!Number.isInteger(cost) || cost === 0) return "`cost` is not a whole number, or is 0";
  if (Math.abs(cost) > burst) return "`cost` is more than `burst`";
  return now + burst * every <= LAST ? null : "`every` or `burst` is too large";
}
