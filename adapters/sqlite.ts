/**
 * Storage in SQLite: one file, no server.
 *
 * @module
 */
import type { CompleteAdapter } from "../src/contract/adapter.ts";
import { randomUuid } from "../src/crypto/random.ts";
import { createLogger, type Logger } from "../src/kernel/logger.ts";
import { systemRuntime } from "../src/kernel/runtime.ts";
import { sqlAdapter } from "./sql/adapter.ts";
import { type TableNameOptions, tableNames } from "./sql/schema.ts";
import type { SqliteHandle } from "./sql/sqlite_connection.ts";
import { sqliteDatabase, type SqliteSource } from "./sql/sqlite_database.ts";
import { SQLITE_NAMES } from "./sql/sqlite_schema.ts";

export type { SqliteHandle, SqliteStatement } from "./sql/sqlite_connection.ts";
export type { TableNameOptions } from "./sql/schema.ts";

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
  /**
   * Milliseconds to wait in all while another process writes, before the operation fails. The program goes on meanwhile:
   * the wait is one of timers, and writers of one process stand in line.
   *
   * @default {5000}
   */
  readonly busyTimeout?: number | undefined;
  /** Told when the file was deleted or replaced while it was open. @default {console} */
  readonly logger?: Pick<Logger, "warn"> | undefined;
  /** The clock, in milliseconds since 1970. @default {Date.now} */
  readonly now?: (() => number) | undefined;
}

/** Storage in SQLite. */
export interface SqliteAdapter extends CompleteAdapter {
  /** Closes the file, unless it was given already open. Operations fail afterwards. Closing twice does no harm. */
  close(): void;
}

/**
 * Stores everything in one SQLite file. Several processes may use it at the same time.
 *
 * The file is opened, and its tables are made, when something is asked of it first. It keeps a write-ahead log beside
 * itself. An older file, also one of `@auth/drizzle-adapter`, gets what it lacks; what it holds stays as it is. A file
 * that is deleted or replaced while it is open is noticed, opened anew, and told to the log; of a database that was given
 * open, operations fail then.
 *
 * A database that was given open keeps its own `busy_timeout`. What was found out about it is shared by all adapters made
 * of it, so that one may be made for each request.
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
 * @throws {InvalidConfig} if the name of a table is none. Operations throw what SQLite throws, and an `AdapterError` when
 * the file stays locked by another process for longer than `busyTimeout`, or when tables of other software cannot be used:
 * it says which column, and what to do.
 */
export function sqliteAdapter(source: string | SqliteHandle, options: SqliteAdapterOptions = {}): SqliteAdapter {
  const { tables = {}, synchronous = "full", busyTimeout = 5000, logger, now = systemRuntime.now } = options;
  const { warn } = createLogger({ logger });
  const database = sqliteDatabase(typeof source === "string" ? fileAt(source) : given(source), {
    names: tableNames(tables, SQLITE_NAMES),
    synchronous,
    busyTimeout,
    runtime: systemRuntime,
    warn,
    now,
    makeId: () => randomUuid(systemRuntime),
  });
  return { ...sqlAdapter(database, systemRuntime.random), close: () => database.close() };
}

function fileAt(path: string): SqliteSource {
  let handle: { close(): void } | undefined;
  const files = fileSystem();
  return {
    open: async () => {
      await files.load();
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
    identify: files.identify,
    discardLog: files.discardLog,
  };
}

function given(handle: SqliteHandle): SqliteSource {
  const files = fileSystem();
  return {
    open: async () => {
      await files.load();
      return handle;
    },
    close: () => {},
    identify: files.identify,
  };
}

/** Tells files apart that have the same name one after the other. */
function fileSystem(): Required<Pick<SqliteSource, "identify" | "discardLog">> & {
  readonly load: () => Promise<void>;
} {
  let files: Pick<typeof import("node:fs"), "statSync" | "rmSync"> | undefined;
  return {
    load: async () => {
      // A database that was given open may live where there are no files.
      files ??= await import("node:fs").catch(() => undefined);
    },
    identify: (path) => {
      try {
        const found = files?.statSync(path, { throwIfNoEntry: false });
        return found ? `${found.dev} ${found.ino}` : files && null;
      } catch {
        return undefined; // it may not be looked at
      }
    },
    discardLog: (path) => ["-wal", "-shm"].forEach((end) => files?.rmSync(path + end, { force: true })),
  };
}
