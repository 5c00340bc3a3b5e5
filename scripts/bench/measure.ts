/**
 * Measures contenders in turns, so that a slow machine slows all of them.
 *
 * @module
 */

/** What is measured. */
export interface Contender {
  readonly name: string;
  /** Runs some times and returns the milliseconds that took, without the preparation. */
  readonly run: (times: number) => Promise<number>;
  /** Removes what earlier turns left behind. */
  readonly reset?: (() => void) | undefined;
}

/** How long to measure. */
export interface Timing {
  /** How many turns each contender has. */
  readonly rounds: number;
  /** Milliseconds that a turn lasts at least. */
  readonly turn: number;
  /** Milliseconds that each contender warms up. */
  readonly warmUp: number;
}

/** The results of each contender by its name, in the order of the rounds. */
export type Rounds = ReadonlyMap<string, readonly number[]>;

/** Measures the milliseconds of one run, for each contender in each round. */
export async function measureInTurns(contenders: readonly Contender[], timing: Timing): Promise<Rounds> {
  const ready = [];
  for (const contender of contenders) ready.push({ contender, times: await repetitionsFor(contender, timing) });
  return await inTurns(ready, timing.rounds, async ({ contender: { run, reset }, times }) => {
    reset?.();
    collectGarbage();
    return await run(times) / times;
  });
}

/** Calls a function for each contender in each round, and collects the results. */
export async function inTurns<T extends { readonly contender: { readonly name: string } }>(
  all: readonly T[],
  rounds: number,
  act: (each: T) => Promise<number>,
): Promise<Rounds> {
  const results = new Map<string, number[]>(all.map(({ contender }) => [contender.name, []]));
  for (let round = 0; round < rounds; round++) {
    // Each contender finds the machine as the one before left it, so the order rotates.
    const first = round % all.length;
    for (const each of [...all.slice(first), ...all.slice(0, first)]) {
      results.get(each.contender.name)?.push(await act(each));
    }
  }
  return results;
}

async function repetitionsFor({ run, reset }: Contender, { turn, warmUp }: Timing): Promise<number> {
  let times = 4;
  for (let spent = 0; spent < warmUp;) {
    reset?.();
    const milliseconds = await run(times);
    spent += milliseconds;
    // Grows in steps, because the first runs are slow; aims above the turn, because warm runs are faster.
    const fitting = Math.ceil(1.2 * turn * times / milliseconds);
    times = Math.max(4, Math.min(fitting, times * 8));
  }
  return times;
}

/**
 * Collects garbage between turns, so that no contender pays for another. Needs `--v8-flags=--expose-gc`.
 *
 * Only young garbage: after a full collection V8 discards compiled code, and a turn is too short to compile it again. The
 * result would be the speed of a cold start.
 */
export function collectGarbage(): void {
  const { gc } = globalThis as { readonly gc?: (options: { readonly type: "minor" }) => void };
  gc?.({ type: "minor" });
}

/** The median of several values, and their range. */
export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Returns the median and the range. @throws {RangeError} if there are no values. */
export function summarize(values: readonly number[]): Summary {
  const sorted = [...values].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (median === undefined || min === undefined || max === undefined) {
    throw new RangeError("Cannot take the median of nothing");
  }
  return { median, min, max };
}

/** Summarizes the ratios within each round. */
export function ratio(above: readonly number[], below: readonly number[]): Summary {
  return summarize(above.map((value, round) => value / (below[round] ?? NaN)));
}
