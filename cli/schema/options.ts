/**
 * What a schema is printed for.
 *
 * @module
 */
import { InvalidConfig } from "../../src/kernel/errors.ts";
import type { TableId, TableOptions } from "../../adapters/sql/schema.ts";

/** A database that speaks SQL. */
export type SqlDialect = "postgres" | "mysql" | "sqlite";

/** The dialects by name. */
export const DIALECTS: readonly SqlDialect[] = ["postgres", "mysql", "sqlite"];

/** Options of a schema. */
export interface SchemaOptions {
  /** The database. */
  readonly dialect: SqlDialect;
  /** The schema of the tables, in PostgreSQL. @default the one that the connection uses */
  readonly schema?: string | undefined;
  /** Names of tables, and of their columns where they are others. @default the names of Auth.js's adapter for that software */
  readonly tables?: Readonly<Partial<Record<TableId, string | TableOptions | undefined>>> | undefined;
}

/** Options of models and tables that may exist in part. */
export interface ModelOptions extends SchemaOptions {
  /** Whether to print only what the models of Auth.js lack. @default {false} */
  readonly missing?: boolean | undefined;
}

/** Checks what the types do not. @throws {InvalidConfig} if there is no such database, or `schema` is for another one. */
export function assertOptions({ dialect, schema }: SchemaOptions): void {
  if (!DIALECTS.includes(dialect)) {
    throw new InvalidConfig(`Cannot print a schema: dialect must be ${DIALECTS.join(", ")}`);
  }
  if (dialect !== "postgres" && schema !== undefined) {
    throw new InvalidConfig("Cannot print a schema: only PostgreSQL has schemas within a database. Leave out `schema`");
  }
}
