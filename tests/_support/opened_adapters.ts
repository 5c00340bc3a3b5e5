/**
 * The four adapters of this package over storage of their own, for tests that last.
 *
 * @module
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { CompleteAdapter } from "@x/auth";
import { denoKvAdapter } from "@x/auth/adapters/deno-kv";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { postgresAdapter } from "@x/auth/adapters/postgres";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { findPostgres, startPostgres } from "./postgres.ts";

/** An adapter that is open. */
export interface OpenedAdapter {
  /** The adapter. In memory it is a new one each time: its lists cost as much as there are rows. */
  adapterOf(): CompleteAdapter;
  close(): Promise<void>;
}

/** Opens the adapters, by their names. */
export const ADAPTERS: Readonly<Record<string, () => Promise<OpenedAdapter>>> = {
  memory: () => Promise.resolve({ adapterOf: () => memoryAdapter(), close: () => Promise.resolve() }),
  async SQLite() {
    const folder = await mkdtemp(join(tmpdir(), "people-"));
    const adapter = sqliteAdapter(join(folder, "auth.db"), { synchronous: "normal" });
    return {
      adapterOf: () => adapter,
      async close() {
        adapter.close();
        await rm(folder, { recursive: true });
      },
    };
  },
  async "Deno KV"() {
    const kv = await Deno.openKv(":memory:");
    const adapter = denoKvAdapter(kv);
    return { adapterOf: () => adapter, close: () => Promise.resolve(kv.close()) };
  },
  async PostgreSQL() {
    const server = await startPostgres(findPostgres());
    const pool = new pg.Pool({ connectionString: server.url, max: 16 });
    const adapter = postgresAdapter(pool);
    await adapter.migrate();
    return {
      adapterOf: () => adapter,
      async close() {
        await pool.end();
        await server.stop();
      },
    };
  },
};

/** The same storage, as far away as if it were over a network: whatever it does, others have a turn before and after. */
export function farAway(adapter: CompleteAdapter): CompleteAdapter {
  const turn = () => new Promise((resolve) => setTimeout(resolve));
  const calls = Object.entries(adapter).map(([name, operation]) => [name, async (...args: unknown[]) => {
    await turn();
    const result = await (operation as (...args: unknown[]) => unknown)(...args);
    await turn();
    return result;
  }]);
  return Object.fromEntries(calls);
}
