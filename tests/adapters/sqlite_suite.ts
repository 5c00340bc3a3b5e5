/** The conformance suite over every connection to SQLite that can run here. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { conformanceCases } from "@x/auth/adapters/conformance";
import { Miniflare } from "miniflare";
import { CONNECTIONS, SLOW } from "./sqlite_connections.ts";

// All cases are green on all of them. Those that are slow to open run what depends on transactions and on dates.
const IS_HARD = /callers|dates?\b|a plan (?:that|is)|evict|take\(\)/i;

for (const [name, open] of Object.entries(CONNECTIONS)) {
  const cases = conformanceCases(open).filter((one) => !SLOW.has(name) || IS_HARD.test(one.name));
  for (const { name: what, run } of cases) test(`sqliteAdapter() of ${name}: ${what}`, run);
}

test("sqliteAdapter() of D1 in a Worker passes all cases", async () => {
  const args = ["bundle", "--quiet", "--platform", "browser", "d1_worker.ts"];
  const { stdout, success } = await new Deno.Command(Deno.execPath(), { args, stderr: "inherit" }).output();
  assert.ok(success);
  const worker = new Miniflare({
    modules: [{ type: "ESModule", path: "worker.mjs", contents: new TextDecoder().decode(stdout) }],
    d1Databases: { DB: "auth" },
    compatibilityDate: "2025-01-01",
  });
  try {
    const verdicts = await (await worker.dispatchFetch("http://worker")).json() as Record<string, string | null>;
    assert.deepEqual(Object.entries(verdicts).filter(([, error]) => error !== null), []);
    assert.equal(Object.keys(verdicts).length, conformanceCases(() => ({ adapter: {} })).length);
  } finally {
    await worker.dispose();
  }
});
