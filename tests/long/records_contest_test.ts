/** Records that several processes change at once: no change is lost. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { postgresAdapter } from "../../adapters/postgres.ts";
import { sqliteAdapter } from "../../adapters/sqlite.ts";
import type { CompleteAdapter } from "../../src/contract/adapter.ts";
import { findPostgres, skipsWithoutPostgres, startPostgres } from "../_support/postgres.ts";

const PROCESSES = 4;
const TIMES = 200;
const KEY = { kind: "counter", id: "c" };
const SCRIPT = fileURLToPath(new URL("./_record_counter.ts", import.meta.url));
const COMMAND = "Deno" in globalThis ? ["run", "--no-check", "--allow-all", SCRIPT] : [SCRIPT];

async function count(adapter: CompleteAdapter, kind: string, at: string): Promise<void> {
  await adapter.putRecord({ ...KEY, version: 0, data: { count: 0, kept: "as it is" } });
  const ends = Array.from({ length: PROCESSES }, () => {
    const child = spawn(process.execPath, [...COMMAND, kind, at, `${TIMES}`], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    return new Promise((resolve) => child.on("close", resolve));
  });
  assert.deepEqual(await Promise.all(ends), Array(PROCESSES).fill(0));
  assert.deepEqual((await adapter.getRecord(KEY))?.data, { count: PROCESSES * TIMES, kept: "as it is" });
}

test(`${PROCESSES} processes that change one record ${TIMES} times each lose no change in SQLite`, async () => {
  const folder = await mkdtemp(join(tmpdir(), "sqlite-"));
  const at = join(folder, "auth.db");
  const adapter = sqliteAdapter(at, { synchronous: "normal" });
  await count(adapter, "sqlite", at);
  adapter.close();
  await rm(folder, { recursive: true });
});

const bin = findPostgres();

describe("with PostgreSQL", { skip: skipsWithoutPostgres(bin, "The contest of records on PostgreSQL") }, () => {
  test(`${PROCESSES} processes that change one record ${TIMES} times each lose no change`, async () => {
    const server = await startPostgres(bin);
    const pool = new pg.Pool({ connectionString: server.url, max: 2 });
    const adapter = postgresAdapter(pool);
    await adapter.migrate();
    await count(adapter, "postgres", server.url);
    await pool.end();
    await server.stop();
  });
});
