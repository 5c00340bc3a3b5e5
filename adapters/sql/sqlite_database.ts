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

/** How a database is opened. */
export interface SqliteSettings extends OperationSettings, LockSettings, ConnectionSettings {
  /** Tells that the file was opened anew. */
  readonly warn: (code: string, message: string) => void;
}

/** Where an open database comes from. */
export interface SqliteSource {
  /** Gives it, when something is asked of it first. */
  open(): Promise<SqliteHandle>;
  /** Takes it back. */
  close(): void;
  /** Names the file at a path, whatever it is called: `null` if there is none, `undefined` if nobody knows. */
  identify(path: string): string | null | undefined;
  /** Removes the log that a file which is gone has left beside its path. Without it the file cannot be opened anew. */
  readonly discardLog?: (path: string) => void;
}

/** A database that can be closed. */
export interface SqliteDatabase extends Database {
  /** Closes it for good. */
  close(): void;
}

/** A connection, and what is done with it. */
interface Session extends Connection {
  readonly prepare: Prepare;
  /** Where the file is; nothing if there is none. */
  readonly path: string;
  /** Which file it was when it was opened. */
  readonly identity: string | null | undefined;
  /** Which log it had. */
  readonly log: string | null | undefined;
}

/** Milliseconds after which a reader makes sure that the file is still there. Writers always do. */
const RECHECK = 1000;

/** Makes a database of where it comes from. */
export function sqliteDatabase(source: SqliteSource, settings: SqliteSettings): SqliteDatabase {
  let session: Session | undefined;
  let opening: Promise<Session> | undefined;
  let checked = 0;
  let closed = false;
  const checkOpen = (): void => {
    if (closed) throw new AdapterError("Cannot use storage: it is closed");
  };
  const open = async (): Promise<Session> => {
    const handle = await source.open();
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
      return session = { ...connection, prepare, path, identity, log };
    } catch (error) {
      source.close();
      throw error;
    }
  };
  const isMoved = ({ path, identity }: Session, readOnly: boolean): boolean => {
    if (!identity) return false;
    const now = settings.now();
    if (readOnly && Math.abs(now - checked) < RECHECK) return false;
    checked = now;
    const found = source.identify(path);
    return found !== undefined && found !== identity;
  };
  const leave = ({ path, log }: Session): void => {
    if (!source.discardLog) throw new AdapterError(MOVED);
    // Closed before it is opened anew: whoever closes a file last removes its log, by name.
    source.close();
    session = undefined;
    // SQLite would take the log for that of the file which is there now, and write the old pages over the new.
    if (log && source.identify(logOf(path)) === log) source.discardLog(path);
    settings.warn("storage-moved", REOPENED);
  };
  const current = (readOnly: boolean): Session | Promise<Session> => {
    checkOpen();
    if (session && isMoved(session, readOnly)) leave(session);
    // What fails to open, because it is locked for one, is tried again by whoever asks next.
    return session ?? (opening ??= open().finally(() => opening = undefined));
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
      session = undefined;
      source.close();
    },
    constraintOf,
  };
}

function logOf(path: string): string {
  return `${path}-wal`;
}

const MOVED = "Cannot use storage: the file was deleted or replaced while it was open. Open it anew";
const REOPENED =
  "The SQLite file was deleted or replaced while it was open. It is opened anew; what was in the other is " +
  "not in this one";

function constraintOf(error: unknown): Constraint | null {
  const message = error instanceof Error ? error.message : "";
  // The text is SQLite's own; the codes beside it are spelled differently by every driver.
  if (message.includes("UNIQUE constraint failed")) return "unique";
  return message.includes("FOREIGN KEY constraint failed") ? "foreign key" : null;
}
