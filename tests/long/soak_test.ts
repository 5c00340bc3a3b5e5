/** A service that runs for long does not grow. `SOAK_REQUESTS` says how many, `FUZZ_SEED` which. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { printLine } from "../../scripts/print.ts";
import { seedOf } from "../_support/chance.ts";
import type { Sample } from "./_soak.ts";

const requests = Number(process.env.SOAK_REQUESTS || 80_000);
const seed = seedOf(process.env.FUZZ_SEED);

const SAMPLES = 20;
const MIB = 1024 * 1024;

/**
 * The most bytes that it may grow by with each request, by the line through the second half of the samples, less its
 * uncertainty. The smallest object that is kept in a list takes about as many. The engine's own memory grows by fewer,
 * ever more slowly, and not with time but with what has run: so requests are counted, not seconds.
 */
const MOST_GROWTH = 64;

const COMMAND = "Deno" in globalThis ? ["run", "--allow-all", "--v8-flags=--expose-gc"] : ["--expose-gc"];

async function soak(): Promise<readonly Sample[]> {
  const script = fileURLToPath(new URL("./_soak.ts", import.meta.url));
  const child = spawn(process.execPath, [...COMMAND, script, `${seed}`, `${requests}`, `${SAMPLES}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let told = "";
  child.stdout.on("data", (text) => told += text);
  const code = await new Promise((resolve) => child.on("close", resolve));
  assert.equal(code, 0, told);
  return told.trim().split("\n").map((line) => JSON.parse(line));
}

/** The slope of the line with the least squares, and twice its standard error, in bytes a request. */
function fit(samples: readonly Sample[]): { readonly slope: number; readonly error: number } {
  const sum = (of: (sample: Sample) => number) => samples.reduce((total, sample) => total + of(sample), 0);
  const at = sum((sample) => sample.requests) / samples.length;
  const heap = sum((sample) => sample.heap) / samples.length;
  const spread = sum((sample) => (sample.requests - at) ** 2);
  const slope = sum((sample) => (sample.requests - at) * (sample.heap - heap)) / spread;
  const rest = sum((sample) => (sample.heap - heap - slope * (sample.requests - at)) ** 2);
  return { slope, error: 2 * Math.sqrt(rest / (samples.length - 2) / spread) };
}

test(`a service does not grow in ${requests} mixed and hostile requests`, async () => {
  const samples = await soak();
  assert.equal(samples.length, SAMPLES);
  const { slope, error } = fit(samples.slice(SAMPLES / 2));
  const heaps = samples.map(({ heap }) => (heap / MIB).toFixed(1)).join(" ");
  printLine(`FUZZ_SEED=${seed}, MiB in use: ${heaps}`);
  const growth = `${slope.toFixed(1)} ± ${error.toFixed(1)} bytes a request`;
  printLine(`the line through the second half grows by ${growth}`);
  assert.ok(slope - error <= MOST_GROWTH, `it grows by ${growth}`);
  assert.deepEqual(samples.map(({ timers }) => timers), Array(SAMPLES).fill(0), "no timer is left running");
});
