/**
 * The database of Better Auth: SQLite or PostgreSQL, with one interface.
 *
 * @module
 */
import { type PgPool, poolOf, type PostgresJs } from "../../adapters/sql/postgres_driver.ts";
import type { SqliteHandle } from "../../adapters/sql/sqlite_connection.ts";
import { InvalidConfig } from "../../src/kernel/errors.ts";
import { isObject } from "../../src/kernel/objects.ts";

/** A row as it was read. */
export type Row = Readonly<Record<string, unknown>>;

/** The value of a parameter. */
export type Value = string | number | null;

/** An open database: SQLite, or PostgreSQL. */
export type BetterAuthDatabase = SqliteHandle | PgPool | PostgresJs;

/** Asks a database. */
export interface Database {
  /** Runs a statement, whose parameters are written as `?`. */
  readonly ask: (sql: string, params: readonly Value[]) => Promise<readonly Row[]>;
  /** The beginning of a statement that reads whole rows of a table, whose name is quoted. */
  readonly select: (table: string) => string;
  /** Lists the columns of a table; none if there is no such table. */
  readonly columns: (table: string) => Promise<readonly string[]>;
}

/** Recognizes a database by its shape. @throws {InvalidConfig} for any other object. */
export function databaseOf(given: BetterAuthDatabase): Database {
  if (isObject(given) && "prepare" in given && "exec" in given) return sqlite(given as SqliteHandle);
  if (isObject(given)) return postgres(given as unknown as PgPool | PostgresJs);
  throw new InvalidConfig(
    "Cannot use `database` of `betterAuth()`: pass an open `DatabaseSync`, a `Pool` of `pg`, or what `postgres()` returns",
  );
}

function sqlite(handle: SqliteHandle): Database {
  // Not prepared once and kept: the tables may be migrated meanwhile.
  const ask = (sql: string, params: readonly Value[]) => handle.prepare(sql).all(...params) as Row[];
  return {
    ask: (sql, params) => Promise.resolve().then(() => ask(sql, params)),
    select: (table) => `select * from ${table}`,
    columns: (table) => {
      return Promise.resolve().then(() => namesIn(ask("select name from pragma_table_info(?)", [table])));
    },
  };
}

/** A text that is not a value of the column's type: an id of ours, where Better Auth has numbers or UUIDs. */
const NO_VALUE: ReadonlySet<unknown> = new Set(["22P02", "22003"]);

function postgres(driver: PgPool | PostgresJs): Database {
  const { query } = poolOf(driver);
  const ask = async (sql: string, params: readonly Value[]): Promise<readonly Row[]> => {
    let count = 0;
    const numbered = sql.replaceAll("?", () => `$${++count}`);
    try {
      const values = params.map((value) => value === null ? null : String(value));
      const rows: readonly Row[] = await query(numbered, values);
      return rows.map(({ row, ...others }) => isObject(row) ? row : others);
    } catch (error) {
      if (isObject(error) && NO_VALUE.has(error.code)) return [];
      throw error;
    }
  };
  const catalogue = "select attname as name from pg_attribute " +
    "where attrelid = to_regclass(quote_ident(?)) and attnum > 0 and not attisdropped";
  // As JSON, for drivers read dates without a time zone as local time, and Better Auth writes them in UTC.
  const select = (table: string): string => `select to_jsonb(t) as row from ${table} as t`;
  return { ask, select, columns: async (table) => namesIn(await ask(catalogue, [table])) };
}

function namesIn(rows: readonly Row[]): string[] {
  return rows.map(({ name }) => String(name));
}
