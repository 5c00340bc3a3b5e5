import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { type ConformanceCase, conformanceCases, type OpenedAdapter } from "../../../adapters/conformance.ts";
import { denoKvAdapter, type KvLike } from "../../../adapters/deno_kv.ts";
import { AdapterError } from "../../../src/kernel/errors.ts";
import { fateful, openFile, randomFates } from "./_kv.ts";
import { dump, problemsOf } from "./_kv_dump.ts";
import { counted } from "./_reads.ts";

/** Opens an adapter, and checks what is stored when the case is over. */
async function open(over: (kv: Deno.Kv) => KvLike): Promise<OpenedAdapter> {
  const { kv, close } = await openFile();
  const { kv: asked, reads } = counted(over(kv));
  let clock = Date.UTC(2031, 0, 1);
  return {
    adapter: denoKvAdapter(asked, { now: () => clock }),
    now: { set: (milliseconds) => void (clock = milliseconds) },
    reads,
    close: async () => {
      const problems = problemsOf(await dump(kv));
      await close();
      assert.deepEqual(problems, []);
    },
  };
}

/** Runs a case, unless its plan needs more than the ten checks that the package for Node allows. */
async function judge({ run }: ConformanceCase, t: TestContext): Promise<void> {
  try {
    await run();
  } catch (error) {
    const excused = !("Deno" in globalThis) && error instanceof AdapterError && error.message.endsWith("TooManyChecks");
    if (!excused) throw error;
    t.skip("it needs more checks at once than npm:@deno/kv allows");
  }
}

for (const each of conformanceCases(() => open((kv) => kv))) {
  test(`denoKvAdapter(): ${each.name}`, (t) => judge(each, t));
}

let seed = 1;
for (const each of conformanceCases(() => open((kv) => fateful(kv, randomFates(seed++))))) {
  test(`denoKvAdapter() over a store that fails now and then: ${each.name}`, (t) => judge(each, t));
}
