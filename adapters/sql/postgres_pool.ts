/**
 * What every supported connection to PostgreSQL becomes, and what is said of one that cannot be used.
 *
 * @module
 */
import { InvalidConfig } from "../../src/kernel/errors.ts";
import type { Query } from "./postgres_prepared.ts";

export type { Query } from "./postgres_prepared.ts";

/** A connection, whatever package it is of. */
export interface Pool {
  /** Runs a statement on any connection. */
  readonly query: Query;
  /** The same, prepared where the driver and what lies between can do that. For texts that come again. */
  readonly prepared: Query;
  /**
   * Runs a function in a transaction, which is rolled back if the function throws. `prepared` is there where statements
   * can be prepared. @throws {Unprepared} if one could not be, and the transaction has to begin again.
   */
  readonly transaction: <Result>(run: (query: Query, prepared?: Query) => Promise<Result>) => Promise<Result>;
}

/** Stated, because the default of the database may be stricter. Rows are locked where it matters. */
export const ISOLATION = "isolation level read committed";

/** Makes the error for a driver that cannot be used. */
export function unusable(problem: string): InvalidConfig {
  return new InvalidConfig(`Cannot use driver: ${problem}`, { logCode: "driver-unusable" });
}

const ADAPTERS: Readonly<Record<string, string>> = {
  sqlite: "`sqliteAdapter()` of `@x/auth/adapters/sqlite`",
  mysql: "`mysqlAdapter()` of `@x/auth/adapters/mysql`",
  mariadb: "`mysqlAdapter()` of `@x/auth/adapters/mysql`",
};

/** Makes the error for a connection to another database. @param dialect Its name in lower case. */
export function otherDatabase(what: string, dialect: string): InvalidConfig {
  const adapter = Object.hasOwn(ADAPTERS, dialect) ? ADAPTERS[dialect] : undefined;
  const remedy = adapter ? `pass it to ${adapter}` : "use the adapter of Auth.js for it";
  return unusable(`${what} is connected to ${dialect}, not to PostgreSQL; ${remedy}`);
}
