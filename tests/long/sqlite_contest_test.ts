import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sqliteAdapter } from "../../adapters/sqlite.ts";
import { contend, contendInProcesses, oneEach, prepare } from "../_support/contest.ts";

const ROUNDS = 200;

test(`Of 64 callers in one process one wins, ${ROUNDS} times of ${ROUNDS}`, async () => {
  const adapter = sqliteAdapter(":memory:");
  await prepare(adapter, ROUNDS);
  assert.deepEqual(await contend(adapter, { rounds: ROUNDS, callers: 64 }), oneEach(ROUNDS));
  adapter.close();
});

test(`Of 64 callers in four processes on one file one wins, ${ROUNDS} times of ${ROUNDS}`, async () => {
  const folder = await mkdtemp(join(tmpdir(), "sqlite-"));
  const at = join(folder, "auth.db");
  const adapter = sqliteAdapter(at, { synchronous: "normal" });
  await prepare(adapter, ROUNDS);
  const wins = await contendInProcesses({ kind: "sqlite", at }, { rounds: ROUNDS, callers: 16 }, 4);
  assert.deepEqual(wins, oneEach(ROUNDS));
  adapter.close();
  await rm(folder, { recursive: true });
});
