/**
 * A service under many mixed and hostile requests: what it holds afterwards, again and again, as a line of JSON. To be
 * run where garbage can be collected on demand.
 *
 * @module
 */
import process from "node:process";
import { printLine } from "../../scripts/print.ts";
import { chanceOf } from "../_support/chance.ts";
import { Fuzzer, openArenas } from "../_support/fuzz.ts";

/** What was held at one moment. */
export interface Sample {
  /** Requests so far. */
  readonly requests: number;
  /** Bytes in use after a collection. */
  readonly heap: number;
  /** Timers that run. */
  readonly timers: number;
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

async function soak(seed: number, requests: number, samples: number): Promise<void> {
  countTimers();
  const fuzzer = new Fuzzer(chanceOf(seed), openArenas());
  for (let sample = 1; sample <= samples; sample++) {
    while (fuzzer.tally.shots < (sample / samples) * requests) await fuzzer.shoot();
    fuzzer.renew();
    await new Promise((resolve) => setTimeout(resolve, 10));
    collect();
    const heap = process.memoryUsage().heapUsed;
    printLine(JSON.stringify({ requests: fuzzer.tally.shots, heap, timers: running.size } satisfies Sample));
  }
  await fuzzer.assertEverybodySignsIn();
}

const [seed = 1, requests = 0, samples = 20] = process.argv.slice(2).map(Number);
await soak(seed, requests, samples);
