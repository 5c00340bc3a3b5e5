import assert from "node:assert/strict";
import { test } from "node:test";
import { conformanceCases, type OpenedAdapter } from "../../../src/adapters/conformance.ts";
import { denoKvAdapter, type KvLike } from "../../../src/adapters/deno_kv.ts";
import { fateful, openFile, randomFates } from "./_kv.ts";
import { dump, problemsOf } from "./_kv_dump.ts";

/** Opens an adapter and looks at what is really stored when the case is over. */
async function open(over: (kv: Deno.Kv) => KvLike): Promise<OpenedAdapter> {
  const { kv, close } = await openFile();
  let clock = Date.UTC(2031, 0, 1);
  return {
    adapter: denoKvAdapter(over(kv), { now: () => clock }),
    now: { set: (milliseconds) => void (clock = milliseconds) },
    close: async () => {
      const problems = problemsOf(await dump(kv));
      await close();
      assert.deepEqual(problems, []);
    },
  };
}

for (const { name, run } of conformanceCases(() => open((kv) => kv))) test(`denoKvAdapter(): ${name}`, run);

let seed = 1;
for (const { name, run } of conformanceCases(() => open((kv) => fateful(kv, randomFates(seed++))))) {
  test(`denoKvAdapter() over a store that fails now and then: ${name}`, run);
}
