/**
 * Storage in PostgreSQL.
 *
 * @module
 */
import type { CompleteAdapter } from "../src/contract/adapter.ts";
import { randomUuid } from "../src/crypto/random.ts";
import { systemRuntime } from "../src/kernel/runtime.ts";
import { sqlAdapter } from "./sql/adapter.ts";
import { postgresDatabase } from "./sql/postgres_database.ts";
import { type PgPool, poolOf, type PostgresJs } from "./sql/postgres_driver.ts";
import { migrationStatements, POSTGRES_NAMES, type TableLocation } from "./sql/postgres_schema.ts";
import { assertName, type TableNameOptions, tableNames } from "./sql/schema.ts";

export type { PgClient, PgPool, PostgresJs, PostgresJsTransaction } from "./sql/postgres_driver.ts";
export type { TableNameOptions } from "./sql/schema.ts";

/** Where the tables are. */
export interface PostgresSchemaOptions {
  /** The schema of the tables. @default the first of the connection's `search_path` */
  readonly schema?: string | undefined;
  /** Names of tables that differ from those of `@auth/pg-adapter`. */
  readonly tables?: TableNameOptions | undefined;
}

/** What a developer may set on {@linkcode postgresAdapter}. */
export interface PostgresAdapterOptions extends PostgresSchemaOptions {
  /** The clock, in milliseconds since 1970. @default {Date.now} */
  readonly now?: (() => number) | undefined;
}

/** Storage in PostgreSQL. */
export interface PostgresAdapter extends CompleteAdapter {
  /**
   * Makes the tables, or adds to older ones what they lack. What they hold stays as it is. To be called when a program
   * starts, by as many instances as there are; or not at all where {@linkcode postgresSchema} was run by hand.
   */
  migrate(): Promise<void>;
}

/**
 * Stores everything in PostgreSQL 13 or newer.
 *
 * A pool of one connection is enough, and so is a pooler that gives every transaction another connection. A transaction
 * that collides with another is tried again, three times at most.
 *
 * Tables are those of `@auth/pg-adapter` with ids of text. Members of records that have a column of their name are kept
 * there. All others are kept as JSON in the column `extra` and given back as they were: dates as dates, members that are
 * `undefined` not at all.
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
 * @param driver A `Pool` of the package `pg`, or what `postgres()` of the package `postgres` gives. Ending it is up to
 * whoever made it; so is listening to the `error` events of a `Pool`, without which a connection that is lost while
 * nobody uses it ends the program.
 * @param options What differs from the defaults.
 * @returns The adapter.
 * @throws {InvalidConfig} if the driver is neither of these, or a name is none. Operations throw what the driver throws.
 */
export function postgresAdapter(driver: PgPool | PostgresJs, options: PostgresAdapterOptions = {}): PostgresAdapter {
  const { now = systemRuntime.now } = options;
  const database = postgresDatabase(poolOf(driver), {
    location: placeOf(options),
    runtime: systemRuntime,
    now,
    makeId: () => randomUuid(systemRuntime),
  });
  return { ...sqlAdapter(database, systemRuntime.random), migrate: () => database.migrate() };
}

/**
 * Writes what {@linkcode PostgresAdapter.migrate} does as SQL, for those who make tables by hand.
 *
 * @example Usage
 * ```ts
 * import { postgresSchema } from "@x/auth/adapters/postgres";
 * import assert from "node:assert/strict";
 *
 * assert.match(postgresSchema(), /create table if not exists "users"/);
 * ```
 *
 * @param options Where the tables shall be.
 * @returns Statements that can be run again without harm.
 * @throws {InvalidConfig} if a name is none.
 */
export function postgresSchema(options: PostgresSchemaOptions = {}): string {
  return migrationStatements(placeOf(options)).map((statement) => `${statement};\n`).join("");
}

function placeOf({ schema, tables = {} }: PostgresSchemaOptions): TableLocation {
  return {
    schema: schema === undefined ? undefined : assertName(schema),
    names: tableNames(tables, POSTGRES_NAMES),
  };
}
