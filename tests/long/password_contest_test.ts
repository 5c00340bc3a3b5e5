/** Many who use one link, or change one password, at the same time, in every storage. */
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
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
import { FOREIGN_ADAPTERS } from "../_support/foreign_adapters.ts";
import { findMariadb, skipsWithoutMariadb, startMariadb } from "../_support/mariadb.ts";
import { type Contested, CONTESTS } from "../_support/password_contest.ts";
import { hashTable } from "../_support/passwords.ts";
import { findPostgres, skipsWithoutPostgres, startPostgres } from "../_support/postgres.ts";

interface Opened extends Pick<Contested, "adapter" | "store"> {
  readonly close: () => Promise<unknown> | unknown;
}

type Strategy = Contested["strategy"];

const STRATEGIES: readonly Strategy[] = ["database", "jwt"];

interface Place {
  readonly name: string;
  readonly skip?: boolean;
  /** The strategies with which the sessions of a user can be ended, as the documentation says. @default both */
  readonly endsSessions?: readonly Strategy[];
  /** Opens it once for all contests, each of which has an address of its own. */
  readonly open: () => Promise<Opened> | Opened;
}

const kv = (globalThis as { Deno?: { openKv?: (path: string) => Promise<Parameters<typeof denoKvAdapter>[0]> } }).Deno;
const QUIET = { logger: { warn: () => {} } };
const postgres = findPostgres();
const mariadb = findMariadb();

/** An adapter of Auth.js, from npm. */
async function openForeign(): Promise<{ readonly adapter: Adapter; readonly close: Opened["close"] }> {
  const family = FOREIGN_ADAPTERS.find(({ name }) => name === "@auth/kysely-adapter") ?? assert.fail();
  const { adapter, close } = await family.open();
  return { adapter: adapter as Adapter, close };
}

const PLACES: readonly Place[] = [
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
    endsSessions: ["database"],
    async open() {
      const { adapter, close } = await openForeign();
      return { adapter: withRecords(withSessions(adapter, memorySessions()), memoryRecords(), QUIET), close };
    },
  },
  {
    name: "an adapter of Auth.js with records",
    endsSessions: [],
    async open() {
      const { adapter, close } = await openForeign();
      return { adapter: withRecords(adapter, memoryRecords(), QUIET), close };
    },
  },
  {
    name: "an adapter of Auth.js and a table of hashes",
    endsSessions: [],
    async open() {
      return { ...await openForeign(), store: hashTable() };
    },
  },
];

for (const { name, skip = false, endsSessions = STRATEGIES, open } of PLACES) {
  describe(`in ${name}`, { skip }, () => {
    let opened: Promise<Opened> | null = null;
    after(async () => await (await opened)?.close());
    for (const strategy of STRATEGIES) {
      for (const [what, contest] of Object.entries(CONTESTS)) {
        test(`${what} (${strategy})`, async () => {
          opened ??= Promise.resolve(open());
          const { adapter, store } = await opened;
          await contest({ adapter, strategy, endsSessions: endsSessions.includes(strategy), ...(store && { store }) });
        });
      }
    }
  });
}
