/**
 * A service under mixed and hostile requests for some time: what it holds afterwards, again and again, as a line of
 * JSON. To be run where garbage can be collected on demand.
 *
 * @module
 */
import process from "node:process";
import { printLine } from "../../scripts/print.ts";
import { chanceOf } from "../_support/chance.ts";
import { Fuzzer, openArenas } from "../_support/fuzz.ts";

/** What was held at one moment. */
export interface Sample {
  /** Seconds since the start. */
  readonly at: number;
  /** Bytes in use after a collection. */
  readonly heap: number;
  /** Timers that run. */
  readonly timers: number;
  /** Requests so far. */
  readonly requests: number;
}

const running = new Set<unknown>();
const { setTimeout, clearTimeout } = globalThis;

function countTimers(): void {
  const set = (run: () => void, milliseconds: number) => {
    const timer = setTimeout(() => {
      running.delete(timer);
      run();
    }, milliseconds);
    running.add(timer);
    return timer;
  };
  const clear = (timer: Parameters<typeof clearTimeout>[0]) => {
    running.delete(timer);
    clearTimeout(timer);
  };
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
}

function collect(): void {
  const { gc } = globalThis as { gc?: () => void };
  if (!gc) throw new Error("Cannot collect garbage: run this with --expose-gc");
  for (let round = 0; round < 3; round++) gc();
}

async function soak(seed: number, seconds: number, samples: number): Promise<void> {
  countTimers();
  const fuzzer = new Fuzzer(chanceOf(seed), openArenas());
  const start = performance.now();
  for (let sample = 1; sample <= samples; sample++) {
    const end = start + (sample / samples) * seconds * 1000;
    while (performance.now() < end) await fuzzer.shoot();
    fuzzer.renew();
    await new Promise((resolve) => setTimeout(resolve, 10));
    collect();
    const at = (performance.now() - start) / 1000;
    const heap = process.memoryUsage().heapUsed;
    printLine(JSON.stringify({ at, heap, timers: running.size, requests: fuzzer.tally.shots } satisfies Sample));
  }
  await fuzzer.assertEverybodySignsIn();
}

const [seed, seconds, samples] = process.argv.slice(2).map(Number);
await soak(seed ?? 1, seconds ?? 60, samples ?? 20);
