/**
 * Hashes wait for each other: each takes tens of milliseconds of a processor and megabytes of memory.
 *
 * @module
 */
import { Overloaded } from "../kernel/errors.ts";
import type { Awaitable } from "../kernel/model.ts";
import { sharesWork, systemRuntime } from "../kernel/runtime.ts";

/** Runs a job as soon as fewer than `concurrency` run. @throws {Overloaded} if too many wait, or it waits for too long. */
export type RunInTurn = <T>(concurrency: number, job: () => Awaitable<T>) => Promise<T>;

/** Jobs that may wait. */
const MOST_WAITING = 100;

/**
 * Milliseconds after which nobody waits for a hash any more, so that it is not computed. A sign-in may wait twice, and has ten
 * seconds for all that it does.
 */
const LONGEST_WAIT = 4000;

interface Waiting {
  readonly concurrency: number;
  readonly start: () => void;
}

/**
 * Makes a queue. Jobs start in the order in which they came. Each has to end, or its place is never free again.
 *
 * @param now The clock.
 */
export function createQueue(now: () => number = systemRuntime.now): RunInTurn {
  const waiting: Waiting[] = [];
  let running = 0;
  async function takePlace(concurrency: number): Promise<void> {
    if (waiting.length === 0 && running < concurrency) return void running++;
    if (waiting.length >= MOST_WAITING) {
      throw new Overloaded(`Cannot hash a secret: ${waiting.length} others wait already`);
    }
    await new Promise<void>((start) => waiting.push({ concurrency, start }));
  }
  function leavePlace(): void {
    running--;
    while (waiting[0] && running < waiting[0].concurrency) {
      running++;
      waiting.shift()?.start();
    }
  }
  return async (concurrency, job) => {
    // A request that ends in the middle would keep its place for ever.
    if (!sharesWork()) return await job();
    const since = now();
    await takePlace(concurrency);
    try {
      if (now() - since > LONGEST_WAIT) throw new Overloaded("Cannot hash a secret: it has waited for too long");
      return await job();
    } finally {
      leavePlace();
    }
  };
}
