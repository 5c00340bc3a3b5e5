/**
 * Timing in turns: whatever slows the machine down slows every contender.
 *
 * @module
 */

/** Somebody whose time is taken. */
export interface Contender {
  readonly name: string;
  /** Does it so many times and gives the milliseconds that took. What it needs is made before the clock starts. */
  readonly run: (times: number) => Promise<number>;
  /** Forgets what earlier turns left behind. */
  readonly reset?: (() => void) | undefined;
}

/** How long to measure. */
export interface Pace {
  /** How often everybody has a turn. */
  readonly rounds: number;
  /** How long a turn lasts at least, in milliseconds. */
  readonly turn: number;
  /** How long everybody warms up, in milliseconds. */
  readonly warmUp: number;
}

/** What a number of rounds gave for everybody, in the order of the rounds. */
export type Rounds = ReadonlyMap<string, readonly number[]>;

/** Takes the milliseconds of one time, for each contender and each round. */
export async function takeTurns(contenders: readonly Contender[], pace: Pace): Promise<Rounds> {
  const ready = [];
  for (const contender of contenders) ready.push({ contender, times: await timesToFill(contender, pace) });
  return await inTurns(ready, pace.rounds, async ({ contender: { run, reset }, times }) => {
    reset?.();
    collectGarbage();
    return await run(times) / times;
  });
}

/** Lets everybody do something in each round, and gathers what that gave. */
export async function inTurns<T extends { readonly contender: { readonly name: string } }>(
  all: readonly T[],
  rounds: number,
  act: (each: T) => Promise<number>,
): Promise<Rounds> {
  const results = new Map<string, number[]>(all.map(({ contender }) => [contender.name, []]));
  for (let round = 0; round < rounds; round++) {
    // Whoever comes second finds the machine as the first one left it, so the order moves on.
    const first = round % all.length;
    for (const each of [...all.slice(first), ...all.slice(0, first)]) {
      results.get(each.contender.name)?.push(await act(each));
    }
  }
  return results;
}

async function timesToFill({ run, reset }: Contender, { turn, warmUp }: Pace): Promise<number> {
  let times = 4;
  for (let spent = 0; spent < warmUp;) {
    reset?.();
    const milliseconds = await run(times);
    spent += milliseconds;
    // In steps, because the first runs are slow and say little; longer than the turn, because warm ones get faster.
    const fitting = Math.ceil(1.2 * turn * times / milliseconds);
    times = Math.max(4, Math.min(fitting, times * 8));
  }
  return times;
}

/**
 * Collects garbage between turns, so that nobody pays for another; needs `--v8-flags=--expose-gc`.
 *
 * Only young garbage: after a full collection V8 throws away compiled code that knew the shapes of objects which are gone,
 * and a turn is too short to compile it again. What it would measure is how everybody starts.
 */
export function collectGarbage(): void {
  const { gc } = globalThis as { readonly gc?: (options: { readonly type: "minor" }) => void };
  gc?.({ type: "minor" });
}

/** The middle of several values, and how far they lie apart. */
export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Sums values up. */
export function summarize(values: readonly number[]): Summary {
  const sorted = [...values].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (median === undefined || min === undefined || max === undefined) {
    throw new RangeError("Cannot take the median of nothing");
  }
  return { median, min, max };
}

/** Sums up the quotients of the same rounds. */
export function ratio(above: readonly number[], below: readonly number[]): Summary {
  return summarize(above.map((value, round) => value / (below[round] ?? NaN)));
}
