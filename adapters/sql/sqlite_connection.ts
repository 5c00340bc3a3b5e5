/**
 * A connection to SQLite: how it is set up, and how it runs an operation.
 *
 * @module
 */
import { BoundedMap } from "../../src/kernel/bounded_map.ts";
import type { Operation } from "./operations.ts";
import type { TableNames } from "./schema.ts";
import { findStore, migrations, type Query } from "./sqlite_schema.ts";
import type { Store } from "./store.ts";
import type { Row } from "./table.ts";
import type { SqlSteps } from "./steps.ts";

/** A prepared statement. */
export interface SqliteStatement {
  /** Runs it and gives its rows. */
  all(...params: (string | number | bigint | null | Uint8Array)[]): unknown[];
}

/** An open database: `DatabaseSync` of `node:sqlite`, or any other of this shape. */
export interface SqliteHandle {
  /** Prepares a statement. */
  prepare(sql: string): SqliteStatement;
  /** Runs statements without parameters. */
  exec(sql: string): unknown;
}

/** How a connection is set up. */
export interface ConnectionSettings {
  /** The names of the tables. */
  readonly names: TableNames;
  /** When a write counts as done. */
  readonly synchronous: "full" | "normal";
}

/** A connection that is set up. */
export interface Connection {
  /** Storage, as it was found. */
  readonly store: Store;
  /** Runs an operation, or fails at once if somebody else is writing. */
  readonly run: <Result>(operation: Operation<Result>) => Result;
}

/** What is known of a handle, by the settings it was set up with. */
const known = new WeakMap<SqliteHandle, Map<string, Known>>();

interface Known extends Connection {
  /** Changes with every table and column, whoever makes it. */
  readonly version: unknown;
}

/**
 * Sets up a connection, makes what tables lack, and looks at them. A handle that was set up before stays as it is.
 *
 * @throws {AdapterError} if there are tables that cannot be used. Whatever SQLite throws goes on as it is, also that the
 * file is locked: then it can be tried again.
 */
export function connect(handle: SqliteHandle, { names, synchronous }: ConnectionSettings): Connection {
  const withoutBusyTimeout = disableBusyTimeout(handle);
  return withoutBusyTimeout(() => {
    const query: Query = (sql) => handle.prepare(sql).all() as Readonly<Record<string, unknown>>[];
    const version = () => query("pragma schema_version")[0]?.schema_version;
    const settings = JSON.stringify([names, synchronous]);
    const before = known.get(handle)?.get(settings);
    if (before && before.version === version()) return before;
    handle.exec("pragma journal_mode = wal");
    handle.exec(`pragma synchronous = ${synchronous}`);
    handle.exec("pragma foreign_keys = on");
    // Looked at first, so that somebody who starts does not wait for a writer when nothing is to be written.
    if (migrations(names, query).length > 0) {
      inTransaction(handle, () => migrations(names, query).forEach((statement) => handle.exec(statement)));
    }
    const prepare = preparing(handle);
    const made = {
      version: version(),
      store: findStore(names, query),
      run: <Result>({ transaction, start }: Operation<Result>): Result => {
        const runSteps = () => drive(start(), prepare);
        return withoutBusyTimeout(() => transaction ? inTransaction(handle, runSteps) : runSteps());
      },
    };
    known.set(handle, (known.get(handle) ?? new Map<string, Known>()).set(settings, made));
    return made;
  });
}

/** Says where the file of a handle is; nothing if there is none. */
export function pathOf(handle: SqliteHandle): string {
  const rows = handle.prepare("pragma database_list").all() as Readonly<Record<string, unknown>>[];
  return String(rows.find(({ name }) => name === "main")?.file ?? "");
}

/**
 * Makes SQLite answer at once that a file is locked: its own way of waiting stops the whole program. The timeout of a
 * handle that the application uses too is put back each time.
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

/** Statements that are kept prepared. Their texts depend on which members records have, so there are not many. */
const MOST_PREPARED = 256;

type Prepare = (sql: string) => SqliteStatement;

function preparing(handle: SqliteHandle): Prepare {
  const prepared = new BoundedMap<string, SqliteStatement>(MOST_PREPARED);
  return (sql) => {
    const known = prepared.get(sql);
    if (known) return known;
    const statement = handle.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
}

function drive<Result>(steps: SqlSteps<Result>, prepare: Prepare): Result {
  let step = steps.next();
  while (!step.done) {
    const { sql, params } = step.value;
    step = steps.next(prepare(sql).all(...params) as Row[]);
  }
  return step.value;
}

function inTransaction<Result>(handle: SqliteHandle, run: () => Result): Result {
  // Taken for writing at once: what begins with a read and writes later fails if another process wrote in between.
  handle.exec("begin immediate");
  try {
    const result = run();
    handle.exec("commit");
    return result;
  } catch (error) {
    undo(handle);
    throw error;
  }
}

function undo(handle: SqliteHandle): void {
  try {
    handle.exec("rollback");
  } catch {
    // A full disk, for one, makes SQLite end the transaction by itself. The reason is on its way to the caller.
  }
}
