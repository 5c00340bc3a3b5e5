/**
 * Storage in SQLite: one file, no server.
 *
 * @module
 */
import type { CompleteAdapter } from "../src/contract/adapter.ts";
import type { RecordStore } from "../src/contract/records_apart.ts";
import { randomUuid } from "../src/crypto/random.ts";
import { createLogger, type Logger } from "../src/kernel/logger.ts";
import { systemRuntime } from "../src/kernel/runtime.ts";
import { sqlAdapter, sqlRecords } from "./sql/adapter.ts";
import { TABLE_IDS, type TableId, type TableNameOptions } from "./sql/schema.ts";
import { asyncSqliteDatabase } from "./sql/sqlite_async.ts";
import { drive } from "./sql/sqlite_connection.ts";
import type { KyselyInstance } from "./sql/kysely_instance.ts";
import type { PrismaConnection } from "./sql/prisma_connection.ts";
import type { SqliteHandle } from "./sql/sqlite_connection.ts";
import type { D1Connection, LibsqlClient, SqliteConnection, SqliteDrizzle } from "./sql/sqlite_connections.ts";
import { type SqliteDatabase, sqliteDatabase } from "./sql/sqlite_database.ts";
import { migrationStatements, SQLITE_NAMES } from "./sql/sqlite_schema.ts";
import { sourceOf } from "./sql/sqlite_source.ts";
import { tableNaming } from "./sql/table_naming.ts";

export type * from "../src/adapters.ts";
export type { KyselyInstance } from "./sql/kysely_instance.ts";
export type { PrismaConnection } from "./sql/prisma_connection.ts";
export type { SqliteHandle, SqliteStatement } from "./sql/sqlite_connection.ts";
export type {
  D1Connection,
  D1Statement,
  LibsqlClient,
  LibsqlStatement,
  SqliteConnection,
  SqliteDrizzle,
} from "./sql/sqlite_connections.ts";
export type { DrizzleTable, TableNameOptions, TableOptions } from "./sql/schema.ts";

/** Options of {@linkcode sqliteAdapter}. */
export interface SqliteAdapterOptions {
  /** Names of tables, and of their columns where they are others. @default the names of `@auth/drizzle-adapter` */
  readonly tables?: TableNameOptions | undefined;
  /**
   * When a write is done. `full`: when it survives a power failure. `normal`: many times faster, but a power failure can
   * undo the last writes. The end of the process cannot.
   *
   * @default {"full"}
   */
  readonly synchronous?: "full" | "normal" | undefined;
  /**
   * Milliseconds to wait while another process writes. After that the operation fails. Waiting does not block the event
   * loop, and the writers of one process queue up.
   *
   * @default {5000}
   */
  readonly busyTimeout?: number | undefined;
  /** Gets a warning when the file was deleted or replaced while it was open. @default {console} */
  readonly logger?: Pick<Logger, "warn"> | undefined;
  /** The clock, in milliseconds since 1970. @default {Date.now} */
  readonly now?: (() => number) | undefined;
}

/** Storage in SQLite. */
export interface SqliteAdapter extends CompleteAdapter {
  /** Closes the file, unless you passed an open database. Later operations fail. You can close twice. */
  close(): void;
}

/**
 * Stores everything in one SQLite file. Several processes may use it at the same time.
 *
 * The first operation opens the file in WAL mode and creates the tables, or adds the columns and indexes that existing
 * ones lack. Data stays as it is, also in a file of `@auth/drizzle-adapter`. If the file is deleted or replaced while it
 * is open, the adapter logs a warning and reopens it; with an open database, operations fail instead.
 *
 * An open database keeps its own `busy_timeout`. All adapters of one open database share what they know of its tables, so
 * you can make an adapter for each request.
 *
 * A member of a record is stored in the column of its name. Members without a column are stored as JSON in the column
 * `extra` and read back as they were, dates as dates. Members that are `undefined` are not stored.
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
 * Connections that answer with promises keep their own settings: `synchronous` is for files and open databases. On D1 and
 * libSQL an operation is decided first, and then written as one batch that fails if what it was decided on has changed; it
 * is decided again then. Close such a connection yourself.
 *
 * @param source The path of a file for `node:sqlite`, or a connection: an open database such as `DatabaseSync`,
 * `better-sqlite3` or `bun:sqlite`, a client of `@libsql/client`, a database of Cloudflare D1, what `drizzle()` of
 * `drizzle-orm` returns for one of these, a `Kysely` instance, or a `PrismaClient`. Do not await anything within a
 * transaction of your own on an open database.
 * @param options Names of tables, timeouts, logger, and clock.
 * @returns The adapter. Its operations throw what SQLite throws, and `AdapterError` if another process locks the file for
 * longer than `busyTimeout`, or if existing tables cannot be used: the message names each column and the fix.
 * @throws {InvalidConfig} if the source is neither a path nor such a connection, or the name of a table is not a valid
 * identifier.
 */
export function sqliteAdapter(
  source: string | SqliteHandle | LibsqlClient | D1Connection | SqliteDrizzle | KyselyInstance | PrismaConnection,
  options: SqliteAdapterOptions = {},
): SqliteAdapter {
  const database = databaseOf("sqliteAdapter", source, options, TABLE_IDS);
  return { ...sqlAdapter(database, systemRuntime.random), close: () => database.close() };
}

/** Records of features in SQLite. */
export interface SqliteRecords extends RecordStore {
  /** Closes the file, unless you passed an open database. Later operations fail. You can close twice. */
  close(): void;
}

/**
 * Stores records of features in a SQLite file, beside an adapter that has none: see `withRecords()`.
 *
 * The first operation creates the tables `authRecord` and `authBucket`, and no other.
 *
 * @example Usage
 * ```ts
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 * import { withRecords } from "@x/auth/adapters/records";
 * import { sqliteRecords } from "@x/auth/adapters/sqlite";
 *
 * const adapter = withRecords(memoryAdapter(), sqliteRecords(":memory:"));
 * ```
 *
 * @param source The path of a file for `node:sqlite`, or a connection, as for {@linkcode sqliteAdapter}.
 * @param options The name of the table, timeouts, logger, and clock.
 * @returns The records. Pass them to `withRecords()`.
 * @throws {InvalidConfig} if the source is neither a path nor such a connection.
 */
export function sqliteRecords(
  source: string | SqliteHandle | LibsqlClient | D1Connection | SqliteDrizzle | KyselyInstance | PrismaConnection,
  options: SqliteAdapterOptions = {},
): SqliteRecords {
  const database = databaseOf("sqliteRecords", source, options, ["records", "buckets"]);
  return { ...sqlRecords(database, systemRuntime.random), close: () => database.close() };
}

function databaseOf(
  name: string,
  source: string | SqliteConnection,
  options: SqliteAdapterOptions,
  ids: readonly TableId[],
): SqliteDatabase {
  const { tables = {}, synchronous = "full", busyTimeout = 5000, logger, now = systemRuntime.now } = options;
  const { warn } = createLogger({ logger });
  const found = sourceOf(name, source);
  const settings = {
    ...tableNaming({ source, tables, defaults: SQLITE_NAMES, ids }),
    synchronous,
    busyTimeout,
    runtime: systemRuntime,
    warn,
    now,
    makeId: () => randomUuid(systemRuntime),
  };
  return "open" in found ? sqliteDatabase(found, settings) : asyncSqliteDatabase(found, settings);
}

/**
 * Gives the SQL of the tables in an empty file, so that you can run it by hand. {@linkcode sqliteAdapter} runs it by
 * itself.
 *
 * @example Usage
 * ```ts
 * import { sqliteSchema } from "@x/auth/adapters/sqlite";
 * import assert from "node:assert/strict";
 *
 * assert.match(sqliteSchema(), /create table if not exists "user"/);
 * ```
 *
 * @param options Names of tables.
 * @returns Statements that can be run more than once.
 * @throws {InvalidConfig} if a name is not a valid identifier.
 */
export function sqliteSchema({ tables = {} }: Pick<SqliteAdapterOptions, "tables"> = {}): string {
  const naming = tableNaming({ source: null, tables, defaults: SQLITE_NAMES, ids: TABLE_IDS });
  const statements = drive(migrationStatements(naming), () => ({ all: () => [] }));
  return statements.map((statement) => `${statement};\n`).join("");
}
