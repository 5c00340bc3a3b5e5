/**
 * The statements that make the tables.
 *
 * @module
 */
import { postgresSchema } from "../../adapters/postgres.ts";
import { sqliteSchema } from "../../adapters/sqlite.ts";
import { InvalidConfig } from "../../src/kernel/errors.ts";
import { assertOptions, type SchemaOptions, type SqlDialect } from "./options.ts";

/** A dialect without a function is not printed as SQL. */
const STATEMENTS: Readonly<Partial<Record<SqlDialect, (options: Omit<SchemaOptions, "dialect">) => string>>> = {
  postgres: postgresSchema,
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
 * @param options The database, its schema, and names of tables.
 * @returns Statements that can be run more than once.
 * @throws {InvalidConfig} if a name is not a valid identifier, or there is no SQL for that database.
 */
export function sqlSchema(options: SchemaOptions): string {
  assertOptions(options);
  const { dialect, ...where } = options;
  const statements = STATEMENTS[dialect];
  if (!statements) {
    throw new InvalidConfig(`Cannot print SQL for ${dialect}: choose ${Object.keys(STATEMENTS).join(" or ")}`);
  }
  return statements(where);
}

/** Finds the names of indexes: what the adapter makes by itself must not be made twice. */
export function indexNames(options: SchemaOptions): (table: string, columns: readonly string[]) => string | undefined {
  const sql = STATEMENTS[options.dialect]?.(options) ?? "";
  const found = sql.matchAll(/index if not exists "([^"]+)" on (?:"[^"]+"\.)?"([^"]+)" \(([^)]*)\)/g);
  const names = new Map([...found].map(([, name = "", table, list = ""]) => [`${table} (${list})`, name]));
  return (table, columns) => names.get(`${table} (${columns.map((column) => `"${column}"`).join(", ")})`);
}
