/**
 * The statements that make the tables.
 *
 * @module
 */
import { mysqlSchema } from "../../adapters/mysql.ts";
import { postgresSchema } from "../../adapters/postgres.ts";
import { sqliteSchema } from "../../adapters/sqlite.ts";
import { assertOptions, type SchemaOptions, type SqlDialect } from "./options.ts";

const STATEMENTS: Readonly<Record<SqlDialect, (options: Omit<SchemaOptions, "dialect">) => string>> = {
  postgres: postgresSchema,
  mysql: mysqlSchema,
  sqlite: sqliteSchema,
};

/**
 * Gives the SQL that makes the tables.
 *
 * @example Usage
 * ```ts
 * import { sqlSchema } from "@x/auth/cli";
 * import assert from "node:assert/strict";
 *
 * assert.match(sqlSchema({ dialect: "sqlite" }), /create table if not exists "user"/);
 * ```
 *
 * @param options The database, its schema, and names of tables and columns.
 * @returns Statements that can be run more than once.
 * @throws {InvalidConfig} if a name is not a valid identifier.
 */
export function sqlSchema(options: SchemaOptions): string {
  assertOptions(options);
  const { dialect, ...where } = options;
  return STATEMENTS[dialect](where);
}
