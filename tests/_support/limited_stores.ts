/**
 * Storage of every kind that counts, for whole sign-ins with limits.
 *
 * @module
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import mysql from "mysql2/promise";
import pg from "pg";
import type { CompleteAdapter } from "@x/auth";
import { denoKvAdapter } from "@x/auth/adapters/deno-kv";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { mysqlAdapter } from "@x/auth/adapters/mysql";
import { postgresAdapter } from "@x/auth/adapters/postgres";
import { redisBuckets, withBuckets } from "@x/auth/adapters/redis";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { openD1 } from "./d1_double.ts";
import { findMariadb, startMariadb } from "./mariadb.ts";
import { findPostgres, startPostgres } from "./postgres.ts";
import { findRedis, startRedis } from "./redis.ts";

/** A store that counts. */
export interface LimitedStore {
  /** An adapter of one server. Each server of a site has one of its own over the same rows. */
  connect(): CompleteAdapter;
  close(): Promise<void>;
}

/** A kind of store. */
export interface LimitedStoreKind {
  readonly name: string;
  /** Its server, if it needs one that may not be installed. */
  readonly server?: { readonly name: string; readonly isInstalled: boolean };
  /** Whether each bucket is taken from alone, because others may be on another server. */
  readonly takesApart?: true;
  open(now: () => number): Promise<LimitedStore>;
}

const mariadb = findMariadb();
const postgres = findPostgres();
const redis = findRedis();

/** Every kind. */
export const LIMITED_STORES: readonly LimitedStoreKind[] = [
  {
    name: "memory",
    open: (now) => {
      const adapter = memoryAdapter({ now });
      return Promise.resolve({ connect: () => ({ ...adapter }), close: () => Promise.resolve() });
    },
  },
  { name: "a file of SQLite", open: openSqlite },
  {
    name: "D1",
    open: (now) => {
      const { d1, database } = openD1();
      return Promise.resolve({
        connect: () => sqliteAdapter(d1, { now }),
        close: () => Promise.resolve(database.close()),
      });
    },
  },
  {
    name: "Deno KV",
    open: async () => {
      const kv = await Deno.openKv(":memory:");
      return { connect: () => denoKvAdapter(kv), close: () => Promise.resolve(kv.close()) };
    },
  },
  { name: "Redis", server: { name: "Redis", isInstalled: redis !== null }, takesApart: true, open: openRedis },
  { name: "PostgreSQL", server: { name: "PostgreSQL", isInstalled: postgres !== null }, open: openPostgres },
  { name: "MariaDB", server: { name: "MariaDB", isInstalled: mariadb !== null }, open: openMariadb },
];

async function openSqlite(now: () => number): Promise<LimitedStore> {
  const folder = await mkdtemp(join(tmpdir(), "limited-"));
  const opened: ReturnType<typeof sqliteAdapter>[] = [];
  return {
    connect: () => {
      const adapter = sqliteAdapter(join(folder, "auth.db"), { now, synchronous: "normal" });
      opened.push(adapter);
      return adapter;
    },
    close: async () => {
      for (const adapter of opened) adapter.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function openRedis(now: () => number): Promise<LimitedStore> {
  const server = await startRedis(redis);
  const rows = memoryAdapter({ now });
  const clients: Redis[] = [];
  return {
    connect: () => {
      const client = new Redis(server.url);
      clients.push(client);
      return withBuckets({ ...rows }, redisBuckets(client));
    },
    close: async () => {
      for (const client of clients) client.disconnect();
      await server.stop();
    },
  };
}

async function openPostgres(now: () => number): Promise<LimitedStore> {
  const server = await startPostgres(postgres);
  const pools: pg.Pool[] = [];
  const connect = () => {
    const pool = new pg.Pool({ connectionString: server.url, max: 8 });
    pools.push(pool);
    return postgresAdapter(pool, { now });
  };
  await connect().migrate();
  return {
    connect,
    close: async () => {
      await Promise.all(pools.map((pool) => pool.end()));
      await server.stop();
    },
  };
}

async function openMariadb(now: () => number): Promise<LimitedStore> {
  const server = await startMariadb(mariadb);
  const pools: mysql.Pool[] = [];
  const connect = () => {
    const pool = mysql.createPool({ uri: server.url, connectionLimit: 8 });
    pools.push(pool);
    return mysqlAdapter(pool, { now });
  };
  await connect().migrate();
  return {
    connect,
    close: async () => {
      await Promise.all(pools.map((pool) => pool.end()));
      await server.stop();
    },
  };
}

/** The same storage, where each call takes some milliseconds. */
export function slowed(adapter: CompleteAdapter, milliseconds: number): CompleteAdapter {
  const calls = Object.entries(adapter).map(([name, operation]) => [name, async (...args: unknown[]) => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    return await (operation as (...args: unknown[]) => unknown)(...args);
  }]);
  return Object.fromEntries(calls);
}
