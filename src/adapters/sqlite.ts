/**
 * Storage in SQLite: one file, no server.
 *
 * @module
 */
import type { CompleteAdapter } from "../adapter.ts";
import { randomUuid } from "../crypto/random.ts";
import { systemRuntime } from "../runtime.ts";
import { sqlAdapter } from "../sql/adapter.ts";
import { type TableNameOptions, tableNames } from "../sql/schema.ts";
import { sqliteDatabase, type SqliteHandle, type SqliteSource } from "../sql/sqlite_database.ts";
import { SQLITE_NAMES } from "../sql/sqlite_schema.ts";

export type { SqliteHandle, SqliteStatement } from "../sql/sqlite_database.ts";
export type { TableNameOptions } from "../sql/schema.ts";

/** What a developer may set on {@linkcode sqliteAdapter}. */
export interface SqliteAdapterOptions {
  /** Names of tables that differ from Drizzle's. */
  readonly tables?: TableNameOptions | undefined;
  /**
   * When a write counts as done. `full`: when it survives a power failure. `normal`: many times faster, but a power
   * failure can undo the last moments; the end of the process can not.
   *
   * @default {"full"}
   */
  readonly synchronous?: "full" | "normal" | undefined;
  /** Milliseconds to wait while another process writes, before the operation fails. @default {5000} */
  readonly busyTimeout?: number | undefined;
  /** The clock, in milliseconds since 1970. @default {Date.now} */
  readonly now?: (() => number) | undefined;
}

/** Storage in SQLite. */
export interface SqliteAdapter extends CompleteAdapter {
  /** Closes the file, unless it was given already open. Operations fail afterwards. */
  close(): void;
}

/**
 * Stores everything in one SQLite file. Several processes may use it at the same time.
 *
 * The file is opened, and its tables are made, when something is asked of it first. It keeps a write-ahead log beside
 * itself. An older file, also one of `@auth/drizzle-adapter`, gets what it lacks; what it holds stays as it is.
 *
 * Members of records that have a column of their name are kept there. All others are kept as JSON in the column `extra`
 * and given back as they were: dates as dates, members that are `undefined` not at all.
 *
 * @example Usage
 * ```ts
 * import { sqliteAdapter } from "@x/auth/adapters/sqlite";
 * import assert from "node:assert/strict";
 *
 * const adapter = sqliteAdapter(":memory:");
 * await adapter.createUser({ id: "1", email: "ada@example.com", emailVerified: null });
 *
 * assert.equal((await adapter.getUserByEmail("ada@example.com"))?.id, "1");
 * adapter.close();
 * ```
 *
 * @param source The path of a file for `node:sqlite`, or an open database: `DatabaseSync` itself, or another of its shape
 * such as `better-sqlite3`. One that is given open must not be left within a transaction while others use it.
 * @param options What differs from the defaults.
 * @returns The adapter.
 * @throws {InvalidConfig} if the name of a table is none. Operations throw what SQLite throws, also when the file stays
 * locked by another process for longer than `busyTimeout`.
 */
export function sqliteAdapter(source: string | SqliteHandle, options: SqliteAdapterOptions = {}): SqliteAdapter {
  const { tables = {}, synchronous = "full", busyTimeout = 5000, now = systemRuntime.now } = options;
  const database = sqliteDatabase(typeof source === "string" ? fileAt(source) : given(source), {
    names: tableNames(tables, SQLITE_NAMES),
    synchronous,
    busyTimeout,
    timer: systemRuntime.timer,
    now,
    makeId: () => randomUuid(systemRuntime),
  });
  return { ...sqlAdapter(database, now), close: () => database.close() };
}

function fileAt(path: string): SqliteSource {
  let handle: { close(): void } | undefined;
  return {
    open: async () => {
      // Loaded when it is used: not every runtime has it, and those with a database of their own do without.
      const { DatabaseSync } = await import("node:sqlite");
      const opened = new DatabaseSync(path);
      handle = opened;
      return opened;
    },
    close: () => {
      handle?.close();
      handle = undefined;
    },
  };
}

function given(handle: SqliteHandle): SqliteSource {
  return { open: () => Promise.resolve(handle), close: () => {} };
}
