/**
 * Cases about buckets of limits: many calls at once, and many that are compared with a model.
 *
 * @module
 */
import type { Bucket } from "../../src/contract/adapter.ts";
import { at, bucket, SECOND, takeOne } from "./buckets.ts";
import { bucketCheck, type Check } from "./case.ts";
import { equal, together } from "./expect.ts";

const CALLERS = 64;

/** Runs something for many callers at once. */
function atOnce<T>(run: (caller: number) => T | Promise<T>): Promise<T[]> {
  return together(Array.from({ length: CALLERS }, (_, caller) => () => run(caller)));
}

const AT_ONCE: readonly Check[] = [
  bucketCheck("Of many callers who take from one bucket, as many get a token as it holds", async (a) => {
    const answers = await atOnce(() => takeOne(a, bucket(), at(0)));
    equal(answers.filter((answer) => answer === null).length, 5, `those of ${CALLERS} who got a token`);
    equal(await takeOne(a, bucket(), at(0)), at(SECOND), "take() afterwards");
  }, "survivesRaces"),
  bucketCheck("Many callers who take from two buckets in opposite orders all get an answer", async (a) => {
    const both = [bucket({ key: "a", burst: 40 }), bucket({ key: "z", burst: 7 })];
    const answers = await atOnce(async (caller) => {
      return caller % 2 === 0 ? await a.take(both, at(0)) : (await a.take(both.toReversed(), at(0))).toReversed();
    });
    const taken = both.map((_, index) => answers.filter((answer) => answer[index] === null).length);
    equal(taken, [40, 7], `those of ${CALLERS} who got a token of each`);
  }, "survivesRaces"),
  bucketCheck("What many callers take and give back at once is all there again", async (a) => {
    const asked = bucket({ burst: CALLERS + 3 });
    await atOnce(() => takeOne(a, asked, at(0)));
    equal(await takeOne(a, { ...asked, cost: 4 }, at(0)), at(SECOND), "take() of more than is left");
    await atOnce(() => takeOne(a, { ...asked, cost: -1 }, at(0)));
    equal(await takeOne(a, { ...asked, cost: CALLERS + 3 }, at(0)), null, "take() of all");
  }, "survivesRaces"),
];

const COMPARED: readonly Check[] = [
  bucketCheck("take() answers as a model does, whatever happens", async (a) => {
    const random = randomNumbers(20330);
    const model = new Map<string, number>();
    let now = 0;
    for (let step = 0; step < 300; step += 1) {
      // Some of it by another clock.
      now += random(4) === 0 ? random(4000) : random(120);
      const time = at(random(12) === 0 ? now - random(3000) : now);
      const count = 1 + random(3);
      const first = random(MODELLED.length);
      const asked = Array.from({ length: count }, (_, index): Bucket => {
        const chosen = MODELLED[(first + index) % MODELLED.length] ?? bucket();
        return random(3) === 0 ? { ...chosen, cost: costOf(random, chosen) } : chosen;
      });
      equal(await a.take(asked, time), asked.map((each) => answerOf(model, each, time)), `take() number ${step + 1}`);
    }
  }),
];

/** The buckets of the model. */
const MODELLED: readonly Bucket[] = [
  bucket({ key: "one", burst: 1 }),
  bucket({ key: "two", every: 7, burst: 3 }),
  bucket({ key: "three", every: 250, burst: 10 }),
  bucket({ key: "four", every: 1, burst: 100 }),
  bucket({ key: "five", every: 900, burst: 2 }),
];

function costOf(random: (below: number) => number, { burst }: Bucket): number {
  const cost = random(2 * burst + 1) - burst;
  return cost === 0 ? 1 : cost;
}

/** What the model answers: the algorithm as its description says it. @param model The times of the buckets. */
function answerOf(model: Map<string, number>, { key, every, burst, cost = 1 }: Bucket, date: Date): Date | null {
  const now = date.getTime();
  const known = model.get(key) ?? -Infinity;
  const from = Math.max(known, now);
  if (cost < 0) {
    if (known > now) model.set(key, Math.max(from + cost * every, now));
    return null;
  }
  const then = from + cost * every;
  if (then - now <= burst * every) {
    model.set(key, then);
    return null;
  }
  return new Date(then - burst * every);
}

/** Gives whole numbers below a limit, the same each time. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    // A linear congruential generator: nothing depends on how good it is.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
}

export const BUCKET_RACES: readonly Check[] = [...AT_ONCE, ...COMPARED];
