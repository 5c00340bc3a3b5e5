/**
 * What is said about tables that somebody else made and that cannot be used as they are.
 *
 * @module
 */
import { AdapterError } from "../../src/kernel/errors.ts";
import { quoteName } from "./schema.ts";

/** A column that cannot hold what it has to. */
export interface UnusableColumn {
  readonly table: string;
  readonly column: string;
  /** What it holds. */
  readonly holds: string;
  /** What it has to hold, and what to do. */
  readonly needs: string;
}

/** Says of a column that it cannot be used. */
export function describeColumn({ table, column, holds, needs }: UnusableColumn): string {
  return `column ${quoteName(column)} of table ${quoteName(table)} holds ${holds}, and must hold ${needs}`;
}

/** Says of a table that rows in it are the same that must not be. `sql` finds them: the rows themselves are private. */
export function describeDuplicates(table: string, columns: readonly string[], sql: string): string {
  const list = columns.map(quoteName).join(", ");
  return `table ${quoteName(table)} has several rows of the same ${list}, of which there may be one. Find them with ` +
    `\`${sql}\`, and change or remove all but one`;
}

/** Refuses tables. @throws {AdapterError} if there is anything to say about them. */
export function assertUsable(problems: readonly string[]): void {
  if (problems.length === 0) return;
  throw new AdapterError(
    `Cannot use storage: ${problems.join("; ")}. Or give other names of tables by the option \`tables\``,
  );
}
