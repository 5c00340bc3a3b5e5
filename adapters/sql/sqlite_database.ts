/**
 * Executes operations on SQLite, which answers at once.
 *
 * @module
 */
import { AdapterError } from "../../src/kernel/errors.ts";
import type { Constraint, Database } from "./adapter.ts";
import { type LockSettings, untilUnlocked, withFile } from "./lock_queue.ts";
import { makeOperations, type OperationSettings, type Prepare } from "./operations.ts";
import { connect, type Connection, type ConnectionSettings, pathOf, type SqliteHandle } from "./sqlite_connection.ts";

export interface SqliteSettings extends OperationSettings, LockSettings, ConnectionSettings {
  /** Logs that the file was reopened. */
  readonly warn: (code: string, message: string) => void;
}

/** Where an open database comes from. */
export interface SqliteSource {
  /** Opens it, when the first operation needs it. */
  open(): Promise<SqliteHandle>;
  close(): void;
  /** Identifies the file at a path by its inode: `null` if there is none, `undefined` if that cannot be found out. */
  identify(path: string): string | null | undefined;
  /** Removes the log of a file that was replaced. Without this function the file cannot be reopened. */
  readonly discardLog?: (path: string) => void;
  /** Says what is wrong with the file, if the error is about it. */
  readonly explain?: (error: unknown) => unknown;
}

export interface SqliteDatabase extends Database {
  /** Closes it for good. */
  close(): void;
}

/** A connection, its operations, and the file that was opened. */
interface OpenConnection extends Connection {
  readonly prepare: Prepare;
  /** The path of the file; the empty string if there is none. */
  readonly path: string;
  /** The file that was opened, as `identify` has it. */
  readonly identity: string | null | undefined;
  /** The log of that file. */
  readonly log: string | null | undefined;
}

/** Milliseconds after which a read checks that the file is still the same. A write always does. */
const RECHECK = 1000;

export function sqliteDatabase(source: SqliteSource, settings: SqliteSettings): SqliteDatabase {
  let opened: OpenConnection | undefined;
  let opening: Promise<OpenConnection> | undefined;
  let checked = 0;
  let closed = false;
  const checkOpen = (): void => {
    if (closed) throw new AdapterError("Cannot use storage: it is closed");
  };
  const open = async (): Promise<OpenConnection> => {
    const handle = await source.open().catch((error: unknown) => {
      throw source.explain?.(error) ?? error;
    });
    try {
      const path = pathOf(handle);
      const identity = path === "" ? undefined : source.identify(path);
      const connection = await untilUnlocked(settings, () => {
        checkOpen();
        return connect(handle, settings);
      });
      checkOpen();
      const prepare = makeOperations(connection.store, settings);
      const log = identity && source.identify(logOf(path));
      return opened = { ...connection, prepare, path, identity, log };
    } catch (error) {
      source.close();
      throw source.explain?.(error) ?? error;
    }
  };
  const isMoved = ({ path, identity }: OpenConnection, readOnly: boolean): boolean => {
    if (!identity) return false;
    const now = settings.now();
    if (readOnly && Math.abs(now - checked) < RECHECK) return false;
    checked = now;
    const found = source.identify(path);
    return found !== undefined && found !== identity;
  };
  const reopen = ({ path, log }: OpenConnection): void => {
    if (!source.discardLog) throw new AdapterError(MOVED);
    // Closed first: the last connection to close a file removes its log, by name.
    source.close();
    opened = undefined;
    // SQLite would treat the old log as the log of the new file, and write the old pages over the new ones.
    if (log && source.identify(logOf(path)) === log) source.discardLog(path);
    settings.warn("storage-moved", REOPENED);
  };
  const current = (readOnly: boolean): OpenConnection | Promise<OpenConnection> => {
    checkOpen();
    if (opened && isMoved(opened, readOnly)) reopen(opened);
    // If it cannot be opened now, because it is locked, the next operation tries again.
    return opened ?? (opening ??= open().finally(() => opening = undefined));
  };
  return {
    execute: async (name, args, { noWait } = { noWait: false }) => {
      const first = await current(true);
      const operation = first.prepare(name, args);
      const { readOnly } = operation;
      const attempt = async () => {
        const latest = await current(readOnly);
        return latest.run(latest === first ? operation : latest.prepare(name, args));
      };
      if (noWait) return await attempt();
      return await withFile(settings, { path: first.path || null, readOnly, attempt });
    },
    close: () => {
      closed = true;
      opened = undefined;
      source.close();
    },
    constraintOf,
  };
}

function logOf(path: string): string {
  return `${path}-wal`;
}

const MOVED = "Cannot use storage: the SQLite file was deleted or replaced while it was open. Open the database again";
const REOPENED =
  "The SQLite file was deleted or replaced while it was open. It was reopened; the data of the old file is not " +
  "in the new one";

export function constraintOf(error: unknown): Constraint | null {
  const message = error instanceof Error ? error.message : "";
  // The message comes from SQLite itself, or from Prisma. Each driver spells the codes differently.
  if (/unique constraint failed/i.test(message)) return "unique";
  return /foreign key constraint (?:failed|violated)/i.test(message) ? "foreign key" : null;
}
