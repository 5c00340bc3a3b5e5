/**
 * The names of tables and columns. They are checked here before they become part of statements.
 *
 * @module
 */
import { InvalidConfig } from "../../src/kernel/errors.ts";
import { describeValue } from "../../src/kernel/objects.ts";

/**
 * Checks the name of a table, or of a schema.
 *
 * @param where What has the name, such as "option `schema`".
 * @throws {InvalidConfig} if it is not a valid identifier.
 */
export function assertName(name: string, where: string): string {
  // PostgreSQL cuts off names after 63 characters, and the names of indexes begin with those of their tables.
  if (typeof name === "string" && /^[A-Za-z_][A-Za-z0-9_$-]{0,44}$/.test(name)) return name;
  throw invalidName(name, `${where}: use letters, digits, "_", "-" and "$", at most 45, and no digit first`);
}

/** Checks the name of a column. @throws {InvalidConfig} if a database could not store it as it is. */
export function assertColumnName(name: string, where: string): string {
  if (isColumnName(name)) return name;
  throw invalidName(
    name,
    `${where}: use at most ${LONGEST_COLUMN} bytes of UTF-8, without control characters, and no spaces at the ends`,
  );
}

function invalidName(name: string, rest: string): InvalidConfig {
  return new InvalidConfig(`Cannot use ${describeValue(name)} as a name in ${rest}`);
}

/** The most bytes: PostgreSQL cuts off what is longer. MySQL takes 64 characters. */
const LONGEST_COLUMN = 63;

/** Control characters, halves of surrogate pairs, and what ends a line of a program that a schema is printed into. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Whether a column can have a name. Whatever else it contains is quoted. */
export function isColumnName(name: string): boolean {
  if (typeof name !== "string" || name === "" || name !== name.trim() || UNPRINTABLE.test(name)) return false;
  return new TextEncoder().encode(name).length <= LONGEST_COLUMN;
}

/** Quotes a name for a statement. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
