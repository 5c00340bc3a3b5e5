/** A service that runs for long does not grow. `SOAK_SECONDS` says how long, `FUZZ_SEED` with which requests. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { printLine } from "../../scripts/print.ts";
import { seedOf } from "../_support/chance.ts";
import type { Sample } from "./_soak.ts";

const seconds = Number(process.env.SOAK_SECONDS || 60);
const seed = seedOf(process.env.FUZZ_SEED);

const SAMPLES = 20;
const MIB = 1024 * 1024;

/** The most that it may grow in a minute, by the line through the second half of the samples, less its uncertainty. */
const MOST_GROWTH = MIB;

const COMMAND = "Deno" in globalThis ? ["run", "--allow-all", "--v8-flags=--expose-gc"] : ["--expose-gc"];

async function soak(): Promise<readonly Sample[]> {
  const script = fileURLToPath(new URL("./_soak.ts", import.meta.url));
  const child = spawn(process.execPath, [...COMMAND, script, `${seed}`, `${seconds}`, `${SAMPLES}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let told = "";
  child.stdout.on("data", (text) => told += text);
  const code = await new Promise((resolve) => child.on("close", resolve));
  assert.equal(code, 0, told);
  return told.trim().split("\n").map((line) => JSON.parse(line));
}

/** The slope of the line with the least squares, and twice its standard error, in bytes a minute. */
function fit(samples: readonly Sample[]): { readonly slope: number; readonly error: number } {
  const sum = (of: (sample: Sample) => number) => samples.reduce((total, sample) => total + of(sample), 0);
  const at = sum((sample) => sample.at) / samples.length;
  const heap = sum((sample) => sample.heap) / samples.length;
  const spread = sum((sample) => (sample.at - at) ** 2);
  const slope = sum((sample) => (sample.at - at) * (sample.heap - heap)) / spread;
  const rest = sum((sample) => (sample.heap - heap - slope * (sample.at - at)) ** 2);
  return { slope: slope * 60, error: 2 * Math.sqrt(rest / (samples.length - 2) / spread) * 60 };
}

test(`a service does not grow in ${seconds} seconds of mixed and hostile requests`, async () => {
  const samples = await soak();
  assert.equal(samples.length, SAMPLES);
  const { slope, error } = fit(samples.slice(SAMPLES / 2));
  const heaps = samples.map(({ heap }) => (heap / MIB).toFixed(1)).join(" ");
  printLine(`FUZZ_SEED=${seed}, ${samples.at(-1)?.requests} requests, MiB in use: ${heaps}`);
  const growth = `${(slope / MIB).toFixed(3)} ± ${(error / MIB).toFixed(3)} MiB a minute`;
  printLine(`the line through the second half grows by ${growth}`);
  assert.ok(slope - error <= MOST_GROWTH, `it grows by ${growth}`);
  assert.deepEqual(samples.map(({ timers }) => timers), Array(SAMPLES).fill(0), "no timer is left running");
});
