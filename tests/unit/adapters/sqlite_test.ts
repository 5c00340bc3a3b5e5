import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { conformanceCases } from "../../../adapters/conformance.ts";
import { sqliteAdapter, type SqliteHandle } from "../../../adapters/sqlite.ts";
import { planned } from "./_reads.ts";

function opened(source: string | SqliteHandle, close: () => unknown = () => {}) {
  let clock = Date.UTC(2031, 0, 1);
  const adapter = sqliteAdapter(source, { now: () => clock, synchronous: "normal" });
  return {
    adapter,
    now: { set: (milliseconds: number) => void (clock = milliseconds) },
    close: async () => {
      adapter.close();
      await close();
    },
  };
}

async function openFile() {
  const folder = await mkdtemp(join(tmpdir(), "sqlite-"));
  return opened(join(folder, "auth.db"), () => rm(folder, { recursive: true }));
}

function openHandle() {
  const database = new DatabaseSync(":memory:");
  const { handle, reads } = planned(database);
  return { ...opened(handle, () => database.close()), reads };
}

for (const { name, run } of conformanceCases(openFile)) test(`sqliteAdapter() of a file: ${name}`, run);
for (const { name, run } of conformanceCases(openHandle)) test(`sqliteAdapter() of an open database: ${name}`, run);
