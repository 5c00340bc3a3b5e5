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
 * @param options The database, its schema, and names of tables.
 * @returns Statements that can be run more than once.
 * @throws {InvalidConfig} if a name is not a valid identifier.
 */
export function sqlSchema(options: SchemaOptions): string {
  assertOptions(options);
  const { dialect, ...where } = options;
  return STATEMENTS[dialect](where);
}

/** What the adapter makes: models must not make it a second time, or otherwise. */
export interface Made {
  /** The name of an index. */
  indexName(table: string, columns: readonly string[]): string | undefined;
  /** The most characters of a column, where the database wants to know that. */
  lengthOf(table: string, column: string): number | undefined;
}

/** Reads what the statements for a database say of its tables. */
export function madeBy(options: SchemaOptions): Made {
  // Names need no quotes: they are letters, digits and underscores.
  const statements = STATEMENTS[options.dialect](options).replaceAll(/["`]/g, "").split(";\n");
  const found = statements.flatMap((text): [key: string, value: string][] => {
    const [, table = ""] = /^create (?:table|(?:unique )?index) if not exists (?:\w+ on )?(?:\w+\.)?(\w+)/.exec(text) ??
      [];
    const indexes = text.matchAll(/index (?:if not exists )?(\w+) (?:on \S+ )?\(([\w, ]+)\)/g);
    const lengths = text.matchAll(/^\s*(\w+) varchar\((\d+)\)/gm);
    return [
      ...[...indexes].map(([, name = "", columns]): [string, string] => [`${table} (${columns})`, name]),
      ...[...lengths].map(([, column, length = ""]): [string, string] => [`${table}.${column}`, length]),
    ];
  });
  const known = new Map(found);
  return {
    indexName: (table, columns) => known.get(`${table} (${columns.join(", ")})`),
    lengthOf: (table, column) => Number(known.get(`${table}.${column}`)) || undefined,
  };
}
