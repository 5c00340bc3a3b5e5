import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sqliteAdapter } from "../../../adapters/sqlite.ts";
import { contend, contendInProcesses, oneEach, prepare } from "../../_support/contest.ts";

test("Of 64 callers in one process one wins, 20 times of 20", async () => {
  const adapter = sqliteAdapter(":memory:");
  await prepare(adapter, 20);
  assert.deepEqual(await contend(adapter, { rounds: 20, callers: 64 }), oneEach(20));
  adapter.close();
});

test("Of 64 callers in four processes on one file one wins, 20 times of 20", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sqlite-"));
  const at = join(folder, "auth.db");
  const adapter = sqliteAdapter(at, { synchronous: "normal" });
  await prepare(adapter, 20);
  const wins = await contendInProcesses({ kind: "sqlite", at }, { rounds: 20, callers: 16 }, 4);
  assert.deepEqual(wins, oneEach(20));
  adapter.close();
  await rm(folder, { recursive: true });
});

test("Four processes can create the same file at the same time", async () => {
  for (let time = 0; time < 10; time += 1) {
    const folder = await mkdtemp(join(tmpdir(), "sqlite-"));
    const place = { kind: "sqlite", at: join(folder, "auth.db") } as const;
    const { mark, person } = await contendInProcesses(place, { rounds: 1, callers: 1 }, 4);
    assert.deepEqual({ mark, person }, { mark: [1], person: [1] });
    await rm(folder, { recursive: true });
  }
});
