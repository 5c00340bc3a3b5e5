/**
 * Storage in MySQL and MariaDB.
 *
 * @module
 */
import type { CheckedAdapter, CompleteAdapter } from "../src/contract/adapter.ts";
import type { RecordStore } from "../src/contract/records_apart.ts";
import { randomUuid } from "../src/crypto/random.ts";
import { systemRuntime } from "../src/kernel/runtime.ts";
import { sqlAdapter, sqlRecords } from "./sql/adapter.ts";
import { type MysqlDatabase, mysqlDatabase } from "./sql/mysql_database.ts";
import { type MysqlSource, poolOf } from "./sql/mysql_driver.ts";
import { migrationStatements, MYSQL_NAMES } from "./sql/mysql_schema.ts";
import { TABLE_IDS, type TableId, type TableNameOptions } from "./sql/schema.ts";
import { tableNaming } from "./sql/table_naming.ts";

export type * from "../src/adapters.ts";
export type {
  BunSql,
  DrizzleLike,
  MysqlCallbackPool,
  MysqlConnection,
  MysqlPool,
  MysqlSource,
  MysqlStatement,
  PrismaConnection,
} from "./sql/mysql_driver.ts";
export type { KyselyConnection, KyselyLike, KyselyResult } from "./sql/mysql_kysely.ts";
export type { DrizzleTable, TableNameOptions, TableOptions } from "./sql/schema.ts";

/** Options of {@linkcode mysqlSchema}: names of tables. */
export interface MysqlSchemaOptions {
  /** Names of tables, and of their columns where they are others. @default the names of `@auth/drizzle-adapter` */
  readonly tables?: TableNameOptions | undefined;
}

/** Options of {@linkcode mysqlAdapter}. */
export interface MysqlAdapterOptions extends MysqlSchemaOptions {
  /** The clock, in milliseconds since 1970. @default {Date.now} */
  readonly now?: (() => number) | undefined;
}

/** Storage in MySQL or MariaDB. */
export interface MysqlAdapter extends CompleteAdapter {
  /**
   * Creates the tables, or adds the columns and indexes that existing ones lack. Data stays as it is. Call it when your
   * program starts; several instances may do so at once. For an empty database, you can run {@linkcode mysqlSchema} by
   * hand instead.
   *
   * @throws {AdapterError} if existing tables cannot be used. The message names each column and the fix.
   */
  migrate(): Promise<void>;
}

/**
 * Stores everything in MySQL 8.0.17 or newer, or in MariaDB 10.6 or newer.
 *
 * A pool of one connection is enough. A transaction that collides with another is retried up to 12 times. If the
 * connection is lost during a commit, the operation fails with an `AdapterError`, because the server cannot tell whether
 * it happened.
 *
 * The tables are those of `@auth/drizzle-adapter`. A member of a record is stored in the column of its name. Members
 * without a column are stored as JSON in the column `extra` and read back as they were, dates as dates. Members that are
 * `undefined` are not stored. Ids and tokens are compared byte by byte, whatever the collation of their columns. What a
 * column cannot hold is an error, whatever `sql_mode` is.
 *
 * @example Usage
 * ```ts
 * import { mysqlAdapter } from "@x/auth/adapters/mysql";
 * import mysql from "mysql2/promise";
 *
 * const adapter = mysqlAdapter(mysql.createPool("mysql://localhost/app"));
 *
 * async function start() {
 *   await adapter.migrate();
 * }
 * ```
 *
 * @param connection A pool of the package `mysql2`, with promises or callbacks, a Drizzle database that was made with one,
 * a Kysely instance of its dialect for MySQL, a `PrismaClient`, or Bun's `SQL`. You end it.
 * @param options Names of tables, and clock.
 * @returns The adapter. Its operations throw what the driver throws.
 * @throws {InvalidConfig} if the connection is none of these, or a name is not a valid identifier.
 */
export function mysqlAdapter(connection: MysqlSource, options: MysqlAdapterOptions = {}): MysqlAdapter {
  const database = databaseOf(connection, options, TABLE_IDS);
  const adapter: MysqlAdapter & CheckedAdapter = {
    ...sqlAdapter(database, systemRuntime.random),
    migrate: () => database.migrate(),
    findProblems: () => database.findProblems(),
  };
  return adapter;
}

/** Records of features in MySQL or MariaDB. */
export interface MysqlRecords extends RecordStore {
  /** Creates the tables. Call it when your program starts; several instances may do so at once. */
  migrate(): Promise<void>;
}

/**
 * Stores records of features in MySQL or MariaDB, beside an adapter that has none: see `withRecords()`.
 *
 * @example Usage
 * ```ts
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 * import { mysqlRecords } from "@x/auth/adapters/mysql";
 * import { withRecords } from "@x/auth/adapters/records";
 * import mysql from "mysql2/promise";
 *
 * const records = mysqlRecords(mysql.createPool("mysql://localhost/app"));
 * const adapter = withRecords(memoryAdapter(), records);
 *
 * async function start() {
 *   await records.migrate();
 * }
 * ```
 *
 * @param connection A connection as {@linkcode mysqlAdapter} takes it. You end it.
 * @param options Name of the table, and clock.
 * @returns The records. Pass them to `withRecords()`.
 * @throws {InvalidConfig} if the connection is none of these, or a name is not a valid identifier.
 */
export function mysqlRecords(connection: MysqlSource, options: MysqlAdapterOptions = {}): MysqlRecords {
  const database = databaseOf(connection, options, ["records", "buckets"]);
  return { ...sqlRecords(database, systemRuntime.random), migrate: () => database.migrate() };
}

function databaseOf(
  connection: MysqlSource,
  { tables = {}, now = systemRuntime.now }: MysqlAdapterOptions,
  ids: readonly TableId[],
): MysqlDatabase {
  return mysqlDatabase(poolOf(connection), {
    naming: tableNaming({ source: connection, tables, defaults: MYSQL_NAMES, ids }),
    runtime: systemRuntime,
    now,
    makeId: () => randomUuid(systemRuntime),
  });
}

/**
 * Gives the SQL that {@linkcode MysqlAdapter.migrate} runs in an empty database, so that you can run it by hand.
 *
 * @example Usage
 * ```ts
 * import { mysqlSchema } from "@x/auth/adapters/mysql";
 * import assert from "node:assert/strict";
 *
 * assert.match(mysqlSchema(), /create table if not exists `user`/);
 * ```
 *
 * @param options Names of tables.
 * @returns Statements that can be run more than once.
 * @throws {InvalidConfig} if a name is not a valid identifier.
 */
export function mysqlSchema({ tables = {} }: MysqlSchemaOptions = {}): string {
  const naming = tableNaming({ source: null, tables, defaults: MYSQL_NAMES, ids: TABLE_IDS });
  return migrationStatements(naming).map((statement) => `${statement};\n`).join("");
}
