import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { openStored } from "../../_support/stored.ts";

/** Storage that reports a conflict for the first plans. */
function contested(conflicts: number) {
  const adapter = memoryAdapter();
  let commits = 0;
  return {
    ...adapter,
    commit: (plan: Parameters<typeof adapter.commit>[0]) => {
      commits += 1;
      return commits <= conflicts ? "conflict" as const : adapter.commit(plan);
    },
    commits: () => commits,
  };
}

for (const [conflicts, comesIn] of [[4, true], [5, false]] as const) {
  test(`a sign-in with ${conflicts} conflicts in a row ${comesIn ? "succeeds" : "fails"}`, async () => {
    const adapter = contested(conflicts);
    const { browser } = await openStored({ adapter, mayFail: true }).come();
    assert.equal((await browser.session())?.user?.email, comesIn ? "grace@example.com" : undefined);
    assert.equal(adapter.commits(), 5);
  });
}
