/** Storage of every kind, for passwords: our own, on servers too, and adapters of Auth.js with what they lack. */
import assert from "node:assert/strict";
import mysql from "mysql2/promise";
import pg from "pg";
import type { Adapter } from "@x/auth";
import { denoKvAdapter } from "@x/auth/adapters/deno-kv";
import { memoryAdapter, memoryRecords, memorySessions } from "@x/auth/adapters/memory";
import { mysqlAdapter } from "@x/auth/adapters/mysql";
import { postgresAdapter } from "@x/auth/adapters/postgres";
import { withRecords } from "@x/auth/adapters/records";
import { withSessions } from "@x/auth/adapters/sessions";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import type { PasswordStore } from "@x/auth/providers/password";
import { FOREIGN_ADAPTERS } from "./foreign_adapters.ts";
import { findMariadb, skipsWithoutMariadb, startMariadb } from "./mariadb.ts";
import { hashTable } from "./passwords.ts";
import { findPostgres, skipsWithoutPostgres, startPostgres } from "./postgres.ts";

/** Storage that is open. */
export interface OpenedPlace {
  readonly adapter: Adapter;
  /** Where hashes are, if not in records. */
  readonly store?: PasswordStore;
  readonly close: () => Promise<unknown> | unknown;
}

/** How sessions are kept. */
export type Strategy = "jwt" | "database";

/** All of them. */
export const STRATEGIES: readonly Strategy[] = ["database", "jwt"];

/** A kind of storage. */
export interface Place {
  readonly name: string;
  readonly skip?: boolean;
  /** The strategies with which the sessions of a user can be ended, as the documentation says. @default both */
  readonly endsSessions?: readonly Strategy[];
  /** Whether the adapter is one of Auth.js, which cannot list the accounts of a user. @default {false} */
  readonly isForeign?: boolean;
  readonly open: () => Promise<OpenedPlace> | OpenedPlace;
}

const kv = (globalThis as { Deno?: { openKv?: (path: string) => Promise<Parameters<typeof denoKvAdapter>[0]> } }).Deno;
const QUIET = { logger: { warn: () => {} } };
const postgres = findPostgres();
const mariadb = findMariadb();

/** An adapter of Auth.js, from npm. */
async function openForeign(): Promise<{ readonly adapter: Adapter; readonly close: OpenedPlace["close"] }> {
  const name = "@auth/drizzle-adapter with its own tables";
  const family = FOREIGN_ADAPTERS.find((family) => family.name === name) ?? assert.fail();
  const { adapter, close } = await family.open({ passkeys: true });
  return { adapter: adapter as Adapter, close };
}

/** The kinds. Servers are started when they are opened, and stopped when they are closed. */
export const PLACES: readonly Place[] = [
  { name: "memory", open: () => ({ adapter: memoryAdapter(), close: () => {} }) },
  {
    name: "SQLite",
    open() {
      const adapter = sqliteAdapter(":memory:");
      return { adapter, close: () => adapter.close() };
    },
  },
  {
    name: "Deno KV",
    skip: typeof kv?.openKv !== "function",
    async open() {
      const opened = await kv?.openKv?.(":memory:") ?? assert.fail();
      return { adapter: denoKvAdapter(opened), close: () => (opened as unknown as { close(): void }).close() };
    },
  },
  {
    name: "PostgreSQL",
    skip: skipsWithoutPostgres(postgres, "The contest of passwords on PostgreSQL"),
    async open() {
      const server = await startPostgres(postgres);
      const pool = new pg.Pool({ connectionString: server.url, max: 8 });
      const adapter = postgresAdapter(pool);
      await adapter.migrate();
      return { adapter, close: () => pool.end().then(() => server.stop()) };
    },
  },
  {
    name: "MariaDB",
    skip: skipsWithoutMariadb(mariadb, "The contest of passwords on MariaDB"),
    async open() {
      const server = await startMariadb(mariadb);
      const pool = mysql.createPool({ uri: server.url, connectionLimit: 8 });
      const adapter = mysqlAdapter(pool);
      await adapter.migrate();
      return { adapter, close: () => pool.end().then(() => server.stop()) };
    },
  },
  {
    name: "an adapter of Auth.js with records and sessions",
    isForeign: true,
    endsSessions: ["database"],
    async open() {
      const { adapter, close } = await openForeign();
      return { adapter: withRecords(withSessions(adapter, memorySessions()), memoryRecords(), QUIET), close };
    },
  },
  {
    name: "an adapter of Auth.js with records",
    isForeign: true,
    endsSessions: [],
    async open() {
      const { adapter, close } = await openForeign();
      return { adapter: withRecords(adapter, memoryRecords(), QUIET), close };
    },
  },
  {
    name: "an adapter of Auth.js with sessions and a table of hashes",
    isForeign: true,
    endsSessions: ["database"],
    async open() {
      const { adapter, close } = await openForeign();
      return { adapter: withSessions(adapter, memorySessions()), store: hashTable(), close };
    },
  },
];
