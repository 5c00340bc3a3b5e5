/** Every order of two people and one address, where passwords are one way in of several. */
import assert from "node:assert/strict";
import { denoKvAdapter } from "@x/auth/adapters/deno-kv";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { type Kind, testOrders } from "../security/_password_prehijack.ts";

const kv = (globalThis as { Deno?: { openKv?: (path: string) => Promise<Parameters<typeof denoKvAdapter>[0]> } }).Deno;

const KINDS: readonly Kind[] = [
  {
    name: "memory",
    every: 1,
    open: () => Promise.resolve({ adapter: memoryAdapter(), close: () => {} }),
  },
  {
    name: "SQLite",
    every: 1,
    open() {
      const adapter = sqliteAdapter(":memory:");
      return Promise.resolve({ adapter, close: () => adapter.close() });
    },
  },
  {
    name: "Deno KV",
    every: 1,
    skip: typeof kv?.openKv !== "function",
    async open() {
      const opened = await kv?.openKv?.(":memory:");
      assert.ok(opened);
      return { adapter: denoKvAdapter(opened), close: () => (opened as unknown as { close(): void }).close() };
    },
  },
];

for (const kind of KINDS) testOrders(kind);
