/** Some orders of two people and one address; tests/long has all of them. */
import assert from "node:assert/strict";
import { denoKvAdapter } from "@x/auth/adapters/deno-kv";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { type Kind, testOrders } from "./_password_prehijack.ts";

const kv = (globalThis as { Deno?: { openKv?: (path: string) => Promise<Parameters<typeof denoKvAdapter>[0]> } }).Deno;

const KINDS: readonly Kind[] = [
  {
    name: "memory",
    every: 5,
    open: () => Promise.resolve({ adapter: memoryAdapter(), close: () => {} }),
  },
  {
    name: "SQLite",
    every: 41,
    open() {
      const adapter = sqliteAdapter(":memory:");
      return Promise.resolve({ adapter, close: () => adapter.close() });
    },
  },
  {
    name: "Deno KV",
    every: 61,
    skip: typeof kv?.openKv !== "function",
    async open() {
      const opened = await kv?.openKv?.(":memory:");
      assert.ok(opened);
      return { adapter: denoKvAdapter(opened), close: () => (opened as unknown as { close(): void }).close() };
    },
  },
];

for (const kind of KINDS) testOrders(kind);
