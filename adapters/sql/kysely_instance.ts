/**
 * A `Kysely` instance, which each of the three databases can be reached by.
 *
 * @module
 */
import { hasMethods } from "./shape.ts";

/** A `Kysely` of the package `kysely`. */
export interface KyselyInstance {
  /** Runs a compiled query. */
  executeQuery(query: never): unknown;
  /** Gives what compiles and runs queries. */
  getExecutor(): unknown;
  /** Begins to build a transaction. */
  transaction(): unknown;
  /** Gives the same instance without its plugins. */
  withoutPlugins(): unknown;
}

export function isKysely(source: object): source is KyselyInstance {
  return hasMethods(source, "executeQuery", "getExecutor", "withoutPlugins", "transaction");
}
