/**
 * Carries out tasks on SQLite, which answers at once.
 *
 * @module
 */
import { BoundedMap } from "../bounded_map.ts";
import { AdapterError } from "../errors.ts";
import type { Runtime } from "../runtime.ts";
import type { Database, Violation } from "./adapter.ts";
import { makeOperations, type Operations, type Surroundings } from "./operations.ts";
import type { TableNames } from "./schema.ts";
import { migrate, openStore } from "./sqlite_schema.ts";
import type { Row } from "./table.ts";
import type { Task, Work } from "./work.ts";

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

/** How a database is opened. */
export interface SqliteSettings extends Surroundings {
  /** The names of the tables. */
  readonly names: TableNames;
  /** When a write counts as done. */
  readonly synchronous: "full" | "normal";
  /** Milliseconds to wait while another process writes. */
  readonly busyTimeout: number;
  /** Runs a function after some seconds. */
  readonly timer: Runtime["timer"];
}

/** Statements that are kept prepared. Their texts depend on which members records have, so there are not many. */
const MOST_PREPARED = 256;

/** Where an open database comes from. */
export interface SqliteSource {
  /** Gives it, when something is asked of it first. */
  open(): Promise<SqliteHandle>;
  /** Takes it back. */
  close(): void;
}

/** A database that can be closed. */
export interface SqliteDatabase extends Database {
  /** Closes it for good. */
  close(): void;
}

/** Makes a database of where it comes from. */
export function sqliteDatabase(source: SqliteSource, settings: SqliteSettings): SqliteDatabase {
  let session: Session | undefined;
  let opening: Promise<Session> | undefined;
  let closed = false;
  const checkOpen = (): void => {
    if (closed) throw new AdapterError("Cannot use storage: it is closed");
  };
  const open = async (): Promise<Session> => {
    const handle = await source.open();
    try {
      const started = await startSession(handle, settings);
      checkOpen();
      return session = started;
    } catch (error) {
      source.close();
      throw error;
    }
  };
  return {
    perform: async (choose) => {
      checkOpen();
      // What fails to open, because it is locked for one, is tried again by whoever asks next.
      const { operations, run } = session ?? await (opening ??= open().finally(() => opening = undefined));
      return run(choose(operations));
    },
    close: () => {
      closed = true;
      session = undefined;
      source.close();
    },
    violation,
  };
}

interface Session {
  readonly operations: Operations;
  readonly run: <Result>(task: Task<Result>) => Result;
}

async function startSession(handle: SqliteHandle, settings: SqliteSettings): Promise<Session> {
  const query = (sql: string) => handle.prepare(sql).all() as Readonly<Record<string, unknown>>[];
  handle.exec(`pragma busy_timeout = ${Math.floor(settings.busyTimeout)}`);
  await useWriteAheadLog(handle, settings);
  handle.exec(`pragma synchronous = ${settings.synchronous}`);
  handle.exec("pragma foreign_keys = on");
  atomically(handle, () => migrate(settings.names, query, (sql) => handle.exec(sql)));
  const statements = preparing(handle);
  return {
    operations: makeOperations(openStore(settings.names, query), settings),
    run: ({ whole, start }) => {
      return whole ? atomically(handle, () => drive(start(), statements)) : drive(start(), statements);
    },
  };
}

/** Milliseconds between two tries. */
const PAUSE = 20;

/** The only step for which SQLite itself does not wait, when several processes open a new file at once. */
async function useWriteAheadLog(handle: SqliteHandle, { busyTimeout, timer }: SqliteSettings): Promise<void> {
  for (let waited = 0;; waited += PAUSE) {
    try {
      handle.exec("pragma journal_mode = wal");
      return;
    } catch (error) {
      if (waited >= busyTimeout || !messageOf(error).includes("database is locked")) throw error;
    }
    await new Promise<void>((resolve) => void timer(PAUSE / 1000, resolve));
  }
}

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

function drive<Result>(work: Work<Result>, prepare: Prepare): Result {
  let step = work.next();
  while (!step.done) {
    const { sql, params } = step.value;
    step = work.next(prepare(sql).all(...params) as Row[]);
  }
  return step.value;
}

function atomically<Result>(handle: SqliteHandle, run: () => Result): Result {
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

function violation(error: unknown): Violation | null {
  const message = messageOf(error);
  // The text is SQLite's own; the codes beside it are spelled differently by every driver.
  if (message.includes("UNIQUE constraint failed")) return "taken";
  return message.includes("FOREIGN KEY constraint failed") ? "orphan" : null;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}
