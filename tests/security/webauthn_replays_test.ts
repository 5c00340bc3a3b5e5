/** V84 on every storage that runs everywhere, and on PostgreSQL where there is one. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { postgresAdapter } from "@x/auth/adapters/postgres";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import postgres from "postgres";
import { findPostgres, skipsWithoutPostgres, startPostgres } from "../_support/postgres.ts";
import { START } from "../_support/runtime.ts";
import { replay } from "./_replays.ts";

const now = () => START;

test("V84: of 64 that send the same answer one is signed in, in memory", async () => {
  await replay(memoryAdapter({ now }));
});

test("V84: of 64 that send the same answer one is signed in, on SQLite", async () => {
  const folder = mkdtempSync(join(tmpdir(), "replay-"));
  const adapter = sqliteAdapter(join(folder, "auth.db"), { now, synchronous: "normal" });
  try {
    await replay(adapter);
  } finally {
    adapter.close();
    rmSync(folder, { recursive: true });
  }
});

const bin = findPostgres();
const skip = skipsWithoutPostgres(bin, "The replays on PostgreSQL");

test("V84: of 64 that send the same answer one is signed in, on PostgreSQL", { skip }, async () => {
  const server = await startPostgres(bin);
  const sql = postgres(server.url, { onnotice: () => {} });
  try {
    const adapter = postgresAdapter(sql, { now });
    await adapter.migrate();
    await replay(adapter);
  } finally {
    await sql.end();
    await server.stop();
  }
});
