/**
 * Storage in PostgreSQL.
 *
 * @module
 */
import type { CheckedAdapter, CompleteAdapter } from "../src/contract/adapter.ts";
import type { RecordStore } from "../src/contract/records_apart.ts";
import { randomUuid } from "../src/crypto/random.ts";
import { systemRuntime } from "../src/kernel/runtime.ts";
import { sqlAdapter, sqlRecords } from "./sql/adapter.ts";
import { type PostgresDatabase, postgresDatabase } from "./sql/postgres_database.ts";
import {
  type BunSql,
  type DrizzleDatabase,
  type KyselyInstance,
  type Pglite,
  type PgPool,
  poolOf,
  type PostgresDriver,
  type PostgresJs,
  type PrismaConnection,
} from "./sql/postgres_driver.ts";
import { migrationStatements, POSTGRES_NAMES, printStatement, type TableLocation } from "./sql/postgres_schema.ts";
import { assertName } from "./sql/names.ts";
import { TABLE_IDS, type TableId, type TableNameOptions } from "./sql/schema.ts";
import { tableNaming } from "./sql/table_naming.ts";

export type * from "../src/adapters.ts";
export type {
  BunSql,
  DrizzleDatabase,
  KyselyInstance,
  PgClient,
  Pglite,
  PgliteTransaction,
  PgPool,
  PostgresDriver,
  PostgresJs,
  PostgresJsTransaction,
  PrismaConnection,
} from "./sql/postgres_driver.ts";
export type { DrizzleTable, TableNameOptions, TableOptions } from "./sql/schema.ts";

/** Options of {@linkcode postgresSchema}: where the tables are. */
export interface PostgresSchemaOptions {
  /** The schema of the tables. @default the first of the connection's `search_path` */
  readonly schema?: string | undefined;
  /** Names of tables, and of their columns where they are others. @default the names of `@auth/pg-adapter` */
  readonly tables?: TableNameOptions | undefined;
}

/** Options of {@linkcode postgresAdapter}. */
export interface PostgresAdapterOptions extends PostgresSchemaOptions {
  /** The clock, in milliseconds since 1970. @default {Date.now} */
  readonly now?: (() => number) | undefined;
}

/** Storage in PostgreSQL. */
export interface PostgresAdapter extends CompleteAdapter {
  /**
   * Creates the tables, or adds the columns and indexes that existing ones lack. Data stays as it is. Call it when your
   * program starts; several instances may do so at once. Or run {@linkcode postgresSchema} by hand instead.
   *
   * @throws {AdapterError} if existing tables cannot be used. The message names each column and the fix.
   */
  migrate(): Promise<void>;
}

/**
 * Stores everything in PostgreSQL 13 or newer.
 *
 * A pool of one connection is enough, and a pooler may give every transaction another connection. A transaction that
 * collides with another is retried up to 12 times.
 *
 * The tables are those of `@auth/pg-adapter` with ids of type text. A member of a record is stored in the column of its
 * name. Members without a column are stored as JSON in the column `extra` and read back as they were, dates as dates.
 * Members that are `undefined` are not stored.
 *
 * @example Usage
 * ```ts
 * import { postgresAdapter } from "@x/auth/adapters/postgres";
 * import pg from "pg";
 *
 * const pool = new pg.Pool({ connectionString: "postgres://localhost/app" });
 * pool.on("error", (error: Error) => console.error(error.message));
 * const adapter = postgresAdapter(pool);
 *
 * async function start() {
 *   await adapter.migrate();
 * }
 * ```
 *
 * @param driver The connection that your application has: a `Pool` of the package `pg` or of `@neondatabase/serverless`,
 * what `postgres()` of the package `postgres` returns, a `PGlite`, Bun's `SQL`, a `Kysely` instance, what `drizzle()`
 * returns, or a `PrismaClient`. You end it. Listen to the `error` events of a `Pool`: without a listener, losing an idle
 * connection ends the program.
 * @param options Schema, names of tables, and clock.
 * @returns The adapter. Its operations throw what the driver throws.
 * @throws {InvalidConfig} if the driver is none of these, or a name is not a valid identifier.
 */
export function postgresAdapter(
  driver: PgPool | PostgresJs | Pglite | BunSql | KyselyInstance | DrizzleDatabase | PrismaConnection,
  options: PostgresAdapterOptions = {},
): PostgresAdapter {
  const database = databaseOf(driver, options, TABLE_IDS);
  const adapter: PostgresAdapter & CheckedAdapter = {
    ...sqlAdapter(database, systemRuntime.random),
    migrate: () => database.migrate(),
    findProblems: () => database.findProblems(),
  };
  return adapter;
}

/** Records of features in PostgreSQL. */
export interface PostgresRecords extends RecordStore {
  /** Creates the tables. Call it when your program starts; several instances may do so at once. */
  migrate(): Promise<void>;
}

/**
 * Stores records of features in PostgreSQL, beside an adapter that has none: see `withRecords()`.
 *
 * @example Usage
 * ```ts
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 * import { postgresRecords } from "@x/auth/adapters/postgres";
 * import { withRecords } from "@x/auth/adapters/records";
 * import pg from "pg";
 *
 * const records = postgresRecords(new pg.Pool({ connectionString: "postgres://localhost/app" }));
 * const adapter = withRecords(memoryAdapter(), records);
 *
 * async function start() {
 *   await records.migrate();
 * }
 * ```
 *
 * @param driver A connection, as for {@linkcode postgresAdapter}. You end it.
 * @param options Schema, name of the table, and clock.
 * @returns The records. Pass them to `withRecords()`.
 * @throws {InvalidConfig} if the driver is none of these, or a name is not a valid identifier.
 */
export function postgresRecords(
  driver: PgPool | PostgresJs | Pglite | BunSql | KyselyInstance | DrizzleDatabase | PrismaConnection,
  options: PostgresAdapterOptions = {},
): PostgresRecords {
  const database = databaseOf(driver, options, ["records", "buckets"]);
  return { ...sqlRecords(database, systemRuntime.random), migrate: () => database.migrate() };
}

function databaseOf(
  driver: PostgresDriver,
  options: PostgresAdapterOptions,
  ids: readonly TableId[],
): PostgresDatabase {
  const { now = systemRuntime.now } = options;
  return postgresDatabase(poolOf(driver), {
    location: placeOf(options, ids, driver),
    runtime: systemRuntime,
    now,
    makeId: () => randomUuid(systemRuntime),
  });
}

/**
 * Gives the SQL that {@linkcode PostgresAdapter.migrate} runs, so that you can run it by hand.
 *
 * @example Usage
 * ```ts
 * import { postgresSchema } from "@x/auth/adapters/postgres";
 * import assert from "node:assert/strict";
 *
 * assert.match(postgresSchema(), /create table if not exists "users"/);
 * ```
 *
 * @param options Schema and names of tables.
 * @returns Statements that can be run more than once.
 * @throws {InvalidConfig} if a name is not a valid identifier.
 */
export function postgresSchema(options: PostgresSchemaOptions = {}): string {
  return migrationStatements(placeOf(options)).map((statement) => `${printStatement(statement)};\n`).join("");
}

function placeOf(
  { schema, tables = {} }: PostgresSchemaOptions,
  ids: readonly TableId[] = TABLE_IDS,
  driver?: PostgresDriver,
): TableLocation {
  const naming = tableNaming({ source: driver, tables, defaults: POSTGRES_NAMES, ids });
  return { ...naming, schema: schema === undefined ? undefined : assertName(schema, "option `schema`") };
}
