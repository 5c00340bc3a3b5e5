/** V25, V26, LNK-1, LNK-2, LNK-3: some of the histories of tests/long, the same each time. */
import { test } from "node:test";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { liveAll } from "../_support/histories.ts";
import { handlerStage } from "../_support/history_handler.ts";
import { signInStage } from "../_support/history_sign_in.ts";

const RUNS = [
  { how: "through the handler", stage: handlerStage, histories: 60, seed: 1000 },
  { how: "where all ways of signing in end", stage: signInStage, histories: 700, seed: 2000 },
] as const;

for (const { how, stage, ...run } of RUNS) {
  for (const strategy of ["database", "jwt", "jwt with rows"] as const) {
    test(`${run.histories} histories ${how} leave nobody inside whom nobody let in (${strategy})`, async () => {
      await liveAll(stage(() => memoryAdapter(), strategy), { ...run, length: 14, at: 4 });
    });
  }
}
