/** A hundred thousand requests that are almost right. `FUZZ_SEED` repeats a run, `FUZZ_REQUESTS` says how many. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { printLine } from "../../scripts/print.ts";
import { watchProcess } from "../_support/faults.ts";
import { seedOf } from "../_support/chance.ts";
import { fuzz } from "../_support/fuzz.ts";

watchProcess();
const seed = seedOf(process.env.FUZZ_SEED);
const requests = Number(process.env.FUZZ_REQUESTS || 100_000);

test(`${requests} requests by chance are answered as they should be, and everybody can sign in`, async () => {
  printLine(`FUZZ_SEED=${seed} FUZZ_REQUESTS=${requests}`);
  const { shots, statuses, entered, vouched, reached } = await fuzz(seed, requests);
  const counts = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  printLine(
    `requests by chance: ${shots} rows, ${entered} sessions made, ${vouched} of them by a provider; ${
      counts.join(", ")
    }`,
  );
  printLine(`of those who are remembered: ${JSON.stringify(reached)}`);
  for (const [what, times] of Object.entries(reached)) assert.ok(times > requests / 20_000, `${what}: ${times} times`);
  assert.ok(entered > requests / 100 && vouched > requests / 1000, "too few got in on the way");
});
