/**
 * A connection to SQLite: how it is set up, and how it runs an operation.
 *
 * @module
 */
import { BoundedMap } from "../../src/kernel/bounded_map.ts";
import type { Operation } from "./operations.ts";
import { namingKey, type TableNaming } from "./column_names.ts";
import { findStore, migrationStatements } from "./sqlite_schema.ts";
import type { SqlStore } from "./store.ts";
import type { Row } from "./table.ts";
import type { SqlSteps } from "./statement.ts";

/** A prepared statement. */
export interface SqliteStatement {
  /** Runs it and gives its rows. */
  all(...params: (string | number | bigint | null | Uint8Array)[]): unknown[];
  /** Makes each row an array, which is faster than an object with names. Not every driver has it. */
  setReturnArrays?(enabled: boolean): void;
}

/** An open database: `DatabaseSync` of `node:sqlite`, or another of this shape. */
export interface SqliteHandle {
  /** Prepares a statement. */
  prepare(sql: string): SqliteStatement;
  /** Runs statements without parameters. */
  exec(sql: string): unknown;
}

export interface ConnectionSettings extends TableNaming {
  /** When a commit is on disk. */
  readonly synchronous: "full" | "normal";
}

export interface Connection {
  /** Storage, as it was found. */
  readonly store: SqlStore;
  /** Runs an operation, or fails at once if another connection is writing. */
  readonly run: <Result>(operation: Operation<Result>) => Result;
}

/** The connections of a handle, by the settings with which they were made. */
const connections = new WeakMap<SqliteHandle, Map<string, CachedConnection>>();

interface CachedConnection extends Connection {
  /** `schema_version`, which changes with every change of the schema. */
  readonly version: unknown;
}

/**
 * Sets up a connection and migrates the tables. A handle that was set up before is used as it is.
 *
 * @throws {AdapterError} if there are tables that cannot be used. Errors of SQLite are thrown as they are. If the file is
 * locked, the call can be repeated.
 */
export function connect(handle: SqliteHandle, { synchronous, ...naming }: ConnectionSettings): Connection {
  const withoutBusyTimeout = disableBusyTimeout(handle);
  return withoutBusyTimeout(() => {
    const prepare = preparing(handle);
    const version = () => drive(schemaVersion(), prepare);
    const settings = JSON.stringify([namingKey(naming), synchronous]);
    const before = connections.get(handle)?.get(settings);
    if (before && before.version === version()) return before;
    handle.exec("pragma journal_mode = wal");
    handle.exec(`pragma synchronous = ${synchronous}`);
    handle.exec("pragma foreign_keys = on");
    // Checked first, so that a start with complete tables does not wait for a writer.
    const missing = () => drive(migrationStatements(naming), prepare);
    if (missing().length > 0) {
      inTransaction(handle, () => missing().forEach((statement) => handle.exec(statement)));
    }
    const made = {
      version: version(),
      store: drive(findStore(naming), prepare),
      run: <Result>({ transaction, start }: Operation<Result>): Result => {
        const runSteps = () => drive(start(), prepare);
        return withoutBusyTimeout(() => transaction ? inTransaction(handle, runSteps) : runSteps());
      },
    };
    connections.set(handle, (connections.get(handle) ?? new Map<string, CachedConnection>()).set(settings, made));
    return made;
  });
}

/** Tells namings apart. */
function* schemaVersion(): SqlSteps<unknown> {
  const [row] = yield { sql: 'select schema_version as "0" from pragma_schema_version', params: [] };
  return row?.[0];
}

/** Gives the path of the file of a handle; the empty string if there is no file. */
export function pathOf(handle: SqliteHandle): string {
  const rows = handle.prepare("pragma database_list").all() as Readonly<Record<string, unknown>>[];
  return String(rows.find(({ name }) => name === "main")?.file ?? "");
}

/**
 * Makes SQLite fail at once if the file is locked, because its own way of waiting blocks the event loop. The timeout is
 * restored after each call, for the application that uses the handle too.
 */
function disableBusyTimeout(handle: SqliteHandle): <Result>(run: () => Result) => Result {
  const [row] = handle.prepare("pragma busy_timeout").all() as Readonly<Record<string, unknown>>[];
  const own = Math.floor(Number(row?.timeout ?? 0));
  if (own === 0) return (run) => run();
  return (run) => {
    handle.exec("pragma busy_timeout = 0");
    try {
      return run();
    } finally {
      handle.exec(`pragma busy_timeout = ${own}`);
    }
  };
}

/** The most prepared statements. Their texts depend on which members records have, so there are few. */
const MOST_PREPARED = 256;

type Prepare = (sql: string) => SqliteStatement;

function preparing(handle: SqliteHandle): Prepare {
  const prepared = new BoundedMap<string, SqliteStatement>(MOST_PREPARED);
  return (sql) => {
    const known = prepared.get(sql);
    if (known) return known;
    const statement = handle.prepare(sql);
    statement.setReturnArrays?.(true);
    prepared.set(sql, statement);
    return statement;
  };
}

export function drive<Result>(steps: SqlSteps<Result>, prepare: Prepare): Result {
  let step = steps.next();
  while (!step.done) {
    const { sql, params } = step.value;
    step = steps.next(prepare(sql).all(...params) as Row[]);
  }
  return step.value;
}

function inTransaction<Result>(handle: SqliteHandle, run: () => Result): Result {
  // Locked for writing from the start: a transaction that reads first fails if another process writes in between.
  handle.exec("begin immediate");
  try {
    const result = run();
    handle.exec("commit");
    return result;
  } catch (error) {
    rollBack(handle);
    throw error;
  }
}

function rollBack(handle: SqliteHandle): void {
  try {
    handle.exec("rollback");
  } catch {
    // SQLite ended the transaction itself, as it does when the disk is full. The caller gets the first error.
  }
}
