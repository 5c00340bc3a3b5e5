/** Flaws in what an adapter does with buckets of limits. */
import type { Bucket, CompleteAdapter } from "../../../src/contract/adapter.ts";
import { type Flaws, over, pause, type Spoil } from "./_flaws.ts";

type Asked = Bucket & { readonly cost: number };

/** Says what to ask of each bucket instead. */
const asking = (change: (bucket: Bucket, now: Date) => Partial<Bucket>): Spoil =>
  over("take", (a, buckets, now) => a.take(buckets.map((bucket) => ({ ...bucket, ...change(bucket, now) })), now));

/** Changes keys on their way in, so that some become the same: the last of them is asked. */
const folding = (fold: (key: string) => string): Spoil =>
  over("take", async (a, buckets, now) => {
    const answers: (Date | null | undefined)[] = [];
    for (const bucket of buckets) answers.push((await a.take([{ ...bucket, key: fold(bucket.key) }], now))[0]);
    return answers;
  });

/** Changes the answers. */
const answering = (change: (answer: Date | null, bucket: Bucket, now: Date) => unknown): Spoil =>
  over("take", async (a, buckets, now) => {
    const answers = await a.take(buckets, now);
    return buckets.map((bucket, index) => change(answers[index] ?? null, bucket, now));
  });

/** What an adapter would do that has the times of its buckets in a map, and reads them before it writes. */
function byHand(
  decide: (time: number, bucket: Asked, now: number) => number | null,
  { isSlow = false, isOneByOne = false } = {},
): Spoil {
  return () => {
    const times = new Map<string, number>();
    let turn = Promise.resolve();
    const takeOne = async ({ cost = 1, ...bucket }: Bucket, now: Date): Promise<Date | null> => {
      const time = times.get(bucket.key) ?? 0;
      if (isSlow) await pause();
      const after = decide(time, { ...bucket, cost }, now.getTime());
      if (after === null) return new Date(time - (bucket.burst - cost) * bucket.every);
      times.set(bucket.key, after);
      return null;
    };
    const takeAll = async (buckets: readonly Bucket[], now: Date) => {
      const answers: (Date | null)[] = [];
      for (const bucket of buckets) answers.push(await takeOne(bucket, now));
      return answers;
    };
    return {
      take: (buckets, now) => {
        if (!isOneByOne) return takeAll(buckets, now);
        const answer = turn.then(() => takeAll(buckets, now));
        turn = answer.then(() => {});
        return answer;
      },
    };
  };
}

/** The algorithm as it should be. */
function rightly(time: number, { every, burst, cost }: Asked, now: number): number | null {
  if (cost < 0 && time <= now) return time;
  const after = Math.max(Math.max(time, now) + cost * every, now);
  return cost < 0 || after <= now + burst * every ? after : null;
}

/** Locks the buckets in the order given, each until the whole call is over. */
const locking: Spoil = (a) => {
  const locks = new Map<string, Promise<void>>();
  const lock = async (key: string): Promise<() => void> => {
    const before = locks.get(key) ?? Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    locks.set(key, before.then(() => promise));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const deadlock = new Promise<never>((_, reject) => timer = setTimeout(reject, 50, new Error("Deadlock")));
    await Promise.race([before, deadlock]).finally(() => clearTimeout(timer));
    return resolve;
  };
  return {
    take: async (buckets, now) => {
      const unlocks: (() => void)[] = [];
      try {
        for (const { key } of buckets) {
          unlocks.push(await lock(key));
          await pause();
        }
        return await a.take(buckets, now);
      } finally {
        for (const unlock of unlocks) unlock();
      }
    },
  };
};

/** Takes from the buckets before one that is wrong. */
const oneByOne: Spoil = over("take", async (a, buckets, now) => {
  const answers: (Date | null | undefined)[] = [];
  for (const bucket of buckets) answers.push((await a.take([bucket], now))[0]);
  return answers;
});

/** Takes whatever the other buckets say: from all, or from none. */
const together: Spoil = over("take", async (a: CompleteAdapter, buckets, now) => {
  const answers = await a.take(buckets, now);
  if (answers.every((answer) => answer === null)) return answers;
  const taken = buckets.filter((_, index) => answers[index] === null);
  await a.take(taken.map((bucket) => ({ ...bucket, cost: -(bucket.cost ?? 1) })), now);
  return answers;
});

const sorted: Spoil = over("take", (a, buckets, now) => {
  return a.take(buckets.toSorted((one, other) => one.key < other.key ? -1 : 1), now);
});

const FLAWS: Flaws = {
  "take() gives as many tokens as a bucket holds, and says when it has the next one": [
    byHand((time, bucket, now) => {
      const after = rightly(time, bucket, now);
      return after !== null && after < now + bucket.burst * bucket.every ? after : null;
    }),
    asking(({ burst }) => ({ burst: burst + 1 })),
    answering((answer) => answer && new Date(answer.getTime() + 1)),
    answering((answer) => answer === null ? null : false),
  ],
  "take() gives a token back each time that `every` has passed, and not before": [
    asking(({ every }) => ({ every: every - 1 })),
    asking(({ every }) => ({ every: every + 1 })),
    over("take", (a, buckets) => a.take(buckets, new Date(Date.UTC(2100, 0, 1)))),
  ],
  "A bucket that nobody uses for long holds `burst` tokens, and no more": byHand((time, bucket, now) => {
    const after = (time || now) + bucket.cost * bucket.every;
    return after <= now + bucket.burst * bucket.every ? after : null;
  }),
  "take() takes all of what an act costs, or nothing": [
    asking(({ cost = 1 }) => ({ cost: Math.min(cost, 1) })),
    byHand((time, { every, burst, cost }, now) => {
      const full = now + burst * every;
      return time < full ? Math.min(Math.max(time, now) + cost * every, full) : null;
    }),
    over("take", async (a, buckets, now) => {
      for (const bucket of buckets) {
        for (let cost = bucket.cost ?? 1; cost > 1; cost--) await a.take([{ ...bucket, cost: 1 }], now);
      }
      return await a.take(buckets.map((bucket) => ({ ...bucket, cost: 1 })), now);
    }),
  ],
  "take() with a negative cost gives tokens back": [
    over("take", (a, buckets, now) => a.take(buckets.filter(({ cost = 1 }) => cost > 0), now)),
    asking(({ cost = 1 }) => ({ cost: Math.max(cost, -1) })),
  ],
  "take() with a negative cost never makes a bucket hold more than `burst`": [
    byHand((time, bucket, now) => {
      // What was given back in the last half a minute is there.
      const after = (time > now - 30_000 ? time : now) + bucket.cost * bucket.every;
      return after <= now + bucket.burst * bucket.every ? after : null;
    }),
  ],
  "A clock that is slow by a minute frees no bucket": [
    byHand((time, bucket, now) => rightly(time > now + bucket.burst * bucket.every ? 0 : time, bucket, now)),
    byHand((time, bucket, now) => rightly(Math.min(time, now), bucket, now)),
  ],
  "A clock that is fast by a minute takes nothing when it gives back": byHand((time, bucket, now) => {
    return bucket.cost < 0 ? Math.max(time + bucket.cost * bucket.every, now) : rightly(time, bucket, now);
  }),
  "take() follows the rule that it is given, whatever the rule was before": (a) => {
    const rules = new Map<string, Bucket>();
    return {
      take: (buckets, now) => {
        for (const bucket of buckets) if (!rules.has(bucket.key)) rules.set(bucket.key, bucket);
        return a.take(buckets.map((bucket) => ({ ...bucket, burst: rules.get(bucket.key)?.burst ?? 1 })), now);
      },
    };
  },
  "take() decides each bucket by itself, and answers in the order given": [
    together,
    sorted,
    over("take", async (a, buckets, now) => (await a.take(buckets, now)).filter((answer) => answer !== null)),
  ],
  "Buckets of different keys are different, whatever characters they have": [
    folding((key) => key.toLowerCase()),
    folding((key) => key.trimEnd() || "-"),
    folding((key) => key.normalize("NFC")),
    folding((key) => key.replace("\u00df", "ss")),
    folding((key) => key.replaceAll(/["'`]/g, "")),
    folding((key) => key.replace(/^control ./su, "control")),
    folding((key) => key.replace(/^0+/, "")),
    folding((key) => key.slice(0, 2)),
  ],
  "take() takes from a hundred buckets in one call": [
    over("take", async (a, buckets, now) => {
      const answers = await a.take(buckets.slice(0, 50), now);
      return buckets.map((_, index) => answers[index] ?? null);
    }),
    sorted,
  ],
  "take() keeps to the millisecond, for a millisecond, a day and a million tokens": [
    byHand((time, bucket, now) => rightly(Math.floor(time / 1000) * 1000, bucket, now)),
    byHand((time, bucket, now) => {
      const after = rightly(time, bucket, now);
      return after && Math.min(after, now + 30 * 24 * 60 * 60 * 1000);
    }),
  ],
  "take() rejects a bucket that is none, or two of one key, and takes from none": [
    oneByOne,
    byHand(rightly),
    over("take", (a, buckets, now) => a.take([...new Map(buckets.map((each) => [each.key, each])).values()], now)),
  ],
  "once() and take() of one key do not disturb each other": (a) => ({
    once: async (key, expires) => {
      const every = Math.max(1, expires.getTime() - Date.UTC(2031, 0, 1));
      return (await a.take([{ key, every, burst: 1 }], new Date(Date.UTC(2031, 0, 1))))[0] === null;
    },
  }),
  "take() answers as a model does, whatever happens": [
    byHand((time, bucket, now) => {
      const after = rightly(time, bucket, now);
      return after !== null && after < now + bucket.burst * bucket.every ? after : null;
    }),
    byHand((time, bucket, now) => bucket.cost < 0 ? time : rightly(time, bucket, now)),
  ],
  "Of many callers who take from one bucket, as many get a token as it holds": byHand(rightly, { isSlow: true }),
  "Many callers who take from two buckets in opposite orders all get an answer": [
    locking,
    byHand(rightly, { isSlow: true }),
  ],
  "What many callers take and give back at once is all there again": byHand(rightly, { isSlow: true }),
};

/** Every case about buckets with every flaw that it must see. */
export const BUCKET_FLAWS: readonly (readonly [name: string, spoil: Spoil])[] = Object.entries(FLAWS).flatMap(
  ([name, spoils]) => [spoils].flat().map((spoil) => [name, spoil] as const),
);

/** The algorithm by hand, which has no flaw but that it checks nothing. */
export const BY_HAND: Spoil = byHand(rightly, { isOneByOne: true });
