/**
 * Errors about existing tables that cannot be used as they are.
 *
 * @module
 */
import { AdapterError } from "../../src/kernel/errors.ts";
import { quoteName } from "./names.ts";
import { EXTRA, type TableId, TABLES } from "./schema.ts";

/** A column that cannot hold what it must. */
export interface UnusableColumn {
  readonly table: string;
  readonly column: string;
  readonly holds: string;
  /** What it must hold, and how to fix it. */
  readonly needs: string;
}

export function describeColumn({ table, column, holds, needs }: UnusableColumn): string {
  return `column ${quoteName(column)} of table ${quoteName(table)} holds ${holds}, and must hold ${needs}`;
}

/** Writes the query that finds duplicates in columns that must be unique. All names are as a statement writes them. */
export function duplicatesQuery(table: string, columns: readonly string[]): string {
  const list = columns.join(", ");
  const filled = columns.map((column) => `${column} is not null`).join(" and ");
  return `select ${list} from ${table} where ${filled} group by ${list} having count(*) > 1`;
}

/** Describes duplicates in columns that must be unique. `sql` finds them, because the rows themselves are private. */
export function describeDuplicates(table: string, columns: readonly string[], sql: string): string {
  const list = columns.map(quoteName).join(", ");
  return `table ${quoteName(table)} has duplicates in ${list}, which must be unique. Find them with ` +
    `\`${sql}\`, and change or remove all but one`;
}

/** Throws if there are problems. @throws {AdapterError} with all of them. */
export function assertUsable(problems: readonly string[]): void {
  if (problems.length === 0) return;
  throw new AdapterError(
    `Cannot use storage: ${problems.join("; ")}. Or choose other tables with the option \`tables\``,
    { logCode: "storage-tables" },
  );
}

/** Throws if columns are missing that a table has from its beginning. @throws {AdapterError} that names the remedy. */
export function assertComplete(table: string, id: TableId, found: readonly { readonly member: string }[]): void {
  if (TABLES[id].isLater && found.length === 0) return;
  const members = new Set(found.map(({ member }) => member));
  const columns = TABLES[id].columns.filter(({ isLater }) => !isLater).map(({ name }) => name);
  const missing = [...columns, ...(TABLES[id].isPlain ? [] : [EXTRA])].filter((name) => !members.has(name));
  if (missing.length === 0) return;
  throw unmigrated(`table ${quoteName(table)} ${members.size === 0 ? "is" : "has columns"} missing`, { missing });
}

/** Makes the error for a table without a unique index. */
export function notUnique(table: string, columns: readonly string[]): AdapterError {
  return unmigrated(`table ${quoteName(table)} may have several rows of the same ${columns.map(quoteName).join(", ")}`);
}

function unmigrated(problem: string, cause?: object): AdapterError {
  return new AdapterError(`Cannot use storage: ${problem}: call migrate() once`, { cause, logCode: "storage-tables" });
}

/**
 * Says what is missing.
 *
 * @param find Looks whether the tables can be used.
 * @param list Lists the statements for what is missing.
 */
export async function problemsOf(find: () => Promise<unknown>, list: () => Promise<string[]>): Promise<string[]> {
  try {
    await find();
    return [];
  } catch (error) {
    if (!(error instanceof AdapterError) || error.logCode !== "storage-tables") throw error;
    const statements = await list();
    return statements.map((sql) => `Call migrate(), or run: ${sql.replaceAll(/\s*\n\s*/g, " ")}`);
  }
}
