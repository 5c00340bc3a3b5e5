/**
 * Cases about buckets of limits, one call after the other.
 *
 * @module
 */
import type { Bucket, CompleteAdapter } from "../../src/contract/adapter.ts";
import { bucketCheck, type Check } from "./case.ts";
import { equal, fails } from "./expect.ts";
import { LATER } from "./records.ts";

export const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** Some milliseconds after the time of these cases. */
export function at(milliseconds: number): Date {
  return new Date(LATER.getTime() + milliseconds);
}

/** A bucket of five tokens, of which one comes back each second. */
export function bucket(others: Partial<Bucket> = {}): Bucket {
  return { key: "b", every: SECOND, burst: 5, ...others };
}

/** Takes from one bucket. */
export async function takeOne(a: CompleteAdapter, asked: Bucket, now: Date): Promise<Date | null | undefined> {
  return (await a.take([asked], now))[0];
}

/** Counts the tokens that there are, and takes them. */
async function drain(a: CompleteAdapter, asked: Bucket, now: Date): Promise<number> {
  let count = 0;
  while (count <= asked.burst && await takeOne(a, { ...asked, cost: 1 }, now) === null) count += 1;
  return count;
}

const ONE_BY_ONE: readonly Check[] = [
  bucketCheck("take() gives as many tokens as a bucket holds, and says when it has the next one", async (a) => {
    equal(await drain(a, bucket(), at(0)), 5, "the tokens of a bucket that nobody has used");
    equal(await takeOne(a, bucket(), at(0)), at(SECOND), "take() of the next one");
    equal(await takeOne(a, bucket(), at(300)), at(SECOND), "take() a moment later");
  }),
  bucketCheck("take() gives a token back each time that `every` has passed, and not before", async (a) => {
    await drain(a, bucket(), at(0));
    equal(await takeOne(a, bucket(), at(SECOND - 1)), at(SECOND), "take() a millisecond before");
    equal(await takeOne(a, bucket(), at(SECOND)), null, "take() at that time");
    equal(await drain(a, bucket(), at(3 * SECOND)), 2, "the tokens after two seconds more");
  }),
  bucketCheck("A bucket that nobody uses for long holds `burst` tokens, and no more", async (a) => {
    await takeOne(a, bucket(), at(0));
    equal(await drain(a, bucket(), at(DAY)), 5, "the tokens after a day");
    equal(await drain(a, bucket(), at(DAY + 5 * SECOND)), 5, "the tokens when all have come back");
  }),
  bucketCheck("take() takes all of what an act costs, or nothing", async (a) => {
    equal(await takeOne(a, bucket({ cost: 4 }), at(0)), null, "take() of four");
    equal(await takeOne(a, bucket({ cost: 3 }), at(0)), at(2 * SECOND), "take() of three more");
    equal(await takeOne(a, bucket({ cost: 1 }), at(0)), null, "take() of the last one");
    equal(await takeOne(a, bucket({ cost: 5 }), at(5 * SECOND)), null, "take() of all, when they have come back");
  }),
  bucketCheck("take() with a negative cost gives tokens back", async (a) => {
    await drain(a, bucket(), at(0));
    equal(await takeOne(a, bucket({ cost: -2 }), at(0)), null, "take() that gives back two");
    equal(await drain(a, bucket(), at(0)), 2, "the tokens");
  }),
  bucketCheck("take() with a negative cost never makes a bucket hold more than `burst`", async (a) => {
    equal(await takeOne(a, bucket({ cost: -5 }), at(0)), null, "take() of a bucket that nobody has used");
    await takeOne(a, bucket(), at(0));
    equal(await takeOne(a, bucket({ cost: -5 }), at(0)), null, "take() that gives back more than was taken");
    equal(await drain(a, bucket(), at(0)), 5, "the tokens");
    equal(await takeOne(a, bucket({ cost: -5 }), at(MINUTE)), null, "take() of one that is full again");
    equal(await drain(a, bucket(), at(MINUTE)), 5, "the tokens a minute later");
  }),
  bucketCheck("A clock that is slow by a minute frees no bucket", async (a) => {
    await drain(a, bucket(), at(0));
    equal(await takeOne(a, bucket(), at(-MINUTE)), at(SECOND), "take() by the slow clock");
    equal(await takeOne(a, bucket(), at(0)), at(SECOND), "take() by the clock that is right");
    await takeOne(a, bucket({ cost: -1 }), at(-MINUTE));
    equal(await drain(a, bucket(), at(0)), 1, "the tokens after one was given back by the slow clock");
  }),
  bucketCheck("A clock that is fast by a minute takes nothing when it gives back", async (a) => {
    await takeOne(a, bucket(), at(0));
    await takeOne(a, bucket({ cost: -1 }), at(MINUTE));
    equal(await drain(a, bucket(), at(0)), 4, "the tokens by the clock that is right");
  }),
  bucketCheck("take() follows the rule that it is given, whatever the rule was before", async (a) => {
    await drain(a, bucket({ burst: 10 }), at(0));
    equal(await takeOne(a, bucket({ burst: 4 }), at(0)), at(7 * SECOND), "take() of fewer tokens");
    equal(await drain(a, bucket({ burst: 12 }), at(0)), 2, "the tokens of a larger bucket");
  }),
];

const SEVERAL: readonly Check[] = [
  bucketCheck("take() decides each bucket by itself, and answers in the order given", async (a) => {
    const [one, other, third] = [bucket({ key: "z" }), bucket({ key: "a", burst: 2 }), bucket({ key: "m" })];
    await drain(a, one, at(0));
    await drain(a, third, at(500));
    equal(await a.take([one, other, third], at(500)), [at(SECOND), null, at(1500)], "take()");
    equal(await drain(a, other, at(500)), 1, "the tokens of the one that was taken from");
    equal(await a.take([], at(0)), [], "take() of no bucket");
  }),
  bucketCheck("Buckets of different keys are different, whatever characters they have", async (a) => {
    const buckets = KEYS.map((key) => bucket({ key, burst: 1 }));
    equal(await a.take(buckets, at(0)), KEYS.map(() => null), "take()");
    equal(await a.take(buckets.toReversed(), at(0)), KEYS.map(() => at(SECOND)), "take() again");
  }),
  bucketCheck("take() takes from a hundred buckets in one call", async (a) => {
    const buckets = Array.from({ length: 100 }, (_, index) => bucket({ key: `b-${index}`, burst: 1 + index % 3 }));
    equal(await a.take(buckets, at(0)), buckets.map(() => null), "take()");
    const again = buckets.map(({ burst }) => burst === 1 ? at(SECOND) : null);
    equal(await a.take(buckets.toReversed(), at(0)), again.toReversed(), "take() again");
  }),
  bucketCheck("take() keeps to the millisecond, for a millisecond, a day and a million tokens", async (a) => {
    const shortest = bucket({ key: "shortest", every: 1, burst: 1 });
    equal(await takeOne(a, shortest, at(0)), null, "take() of the shortest");
    equal(await takeOne(a, shortest, at(0)), at(1), "take() of the shortest at the same time");
    equal(await takeOne(a, shortest, at(1)), null, "take() of the shortest a millisecond later");
    const longest = bucket({ key: "longest", every: DAY, burst: 1 });
    equal(await takeOne(a, longest, at(0)), null, "take() of the longest");
    equal(await takeOne(a, longest, at(DAY - 1)), at(DAY), "take() of the longest before a day is over");
    equal(await takeOne(a, longest, at(DAY)), null, "take() of the longest after a day");
    const largest = bucket({ key: "largest", every: DAY, burst: 1e6, cost: 1e6 });
    equal(await takeOne(a, largest, at(0)), null, "take() of a million tokens");
    equal(await takeOne(a, { ...largest, cost: 1 }, at(DAY - 1)), at(DAY), "take() of one more");
  }),
  bucketCheck("take() rejects a bucket that is none, or two of one key, and takes from none", async (a) => {
    const wrong: readonly Partial<Bucket>[] = [
      {},
      { key: "" },
      { key: "nul \0" },
      { key: "half \ud83d" },
      { key: "x".repeat(257) },
      { key: "c", every: 0 },
      { key: "c", every: 1.5 },
      { key: "c", burst: 0 },
      { key: "c", burst: Infinity },
      { key: "c", cost: 0 },
      { key: "c", cost: 6 },
      { key: "c", cost: -6 },
    ];
    for (const each of wrong) {
      await fails(() => a.take([bucket(), bucket(each)], at(0)), `take() with ${JSON.stringify(each)}`);
    }
    await fails(() => a.take([bucket()], new Date(NaN)), "take() without a time");
    equal(await drain(a, bucket(), at(0)), 5, "the tokens");
  }),
  bucketCheck("once() and take() of one key do not disturb each other", async (a) => {
    await drain(a, bucket(), at(0));
    equal(await a.once("b", at(0)), true, "once()");
    equal(await takeOne(a, bucket(), at(0)), at(SECOND), "take()");
    equal(await a.once("b", at(0)), false, "once() again");
  }),
];

/** Keys of which no two are the same, however storage compares or writes texts. */
const KEYS = [
  "key",
  "KEY",
  "k\u00e9y",
  "ke\u0301y",
  "key ",
  " key",
  "key\t",
  "key\n",
  "'key'",
  '"key"',
  "`key`",
  "key\\",
  "key?",
  "$1",
  "{key}",
  "{}",
  "a,b",
  "null",
  "NULL",
  "007",
  "7",
  "7.0",
  "%",
  "_",
  "--",
  "stra\u00dfe",
  "strasse",
  "\u{1f600}",
  "\u{1f601}",
  ...Array.from({ length: 31 }, (_, code) => `control ${String.fromCharCode(code + 1)}`),
  "x".repeat(256),
];

export const BUCKETS: readonly Check[] = [...ONE_BY_ONE, ...SEVERAL];
