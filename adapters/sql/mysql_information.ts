/**
 * What is asked of the catalogue of MySQL or MariaDB, and of the connection.
 *
 * @module
 */
import { AdapterError } from "../../src/kernel/errors.ts";
import type { Query } from "./mysql_pool.ts";

/** Rows of the catalogue, as text. The first member is the name of the table. */
export type Rows = readonly (readonly (string | null)[])[];

/** Reads what is known of the columns, the indexes and the foreign keys of tables. */
export async function readCatalogue(
  query: Query,
  database: string | undefined,
  tables: readonly string[],
): Promise<Rows[]> {
  const schema = database === undefined ? "database()" : "?";
  const inTables = `table_schema = ${schema} and table_name in (${tables.map(() => "?").join(", ")})`;
  const params = database === undefined ? tables : [database, ...tables];
  const rowsOf = async (columns: readonly string[], rest: string): Promise<Rows> => {
    // As text: the catalogue has names and types of a binary collation, which drivers may take for bytes.
    const list = columns.map((column, at) => `cast(${column} as char) as "${at}"`).join(", ");
    const rows = await query(`select ${list} from information_schema.${rest}`, params);
    return rows.map((row) => columns.map((_, at) => textOf(row[at])));
  };
  return [
    await rowsOf([
      "table_name",
      "column_name",
      "data_type",
      "column_type",
      "character_set_name",
      "collation_name",
      "character_maximum_length",
      "datetime_precision",
      "extra",
      "is_nullable",
    ], `columns where ${inTables} order by ordinal_position`),
    await rowsOf(
      ["table_name", "index_name", "non_unique", "column_name"],
      `statistics where ${inTables} order by index_name, seq_in_index`,
    ),
    await rowsOf(
      ["table_name", "referenced_table_name"],
      `key_column_usage where ${inTables} and referenced_table_name is not null`,
    ),
  ];
}

/** Whether names of tables that differ in case only are the same. @throws {AdapterError} if the connection is unusable. */
export async function checkConnection(query: Query): Promise<boolean> {
  const [row] = await query(
    `select cast(@@autocommit + 0 as char) as "0", cast(@@character_set_client as char) as "1",
       cast(@@lower_case_table_names + 0 as char) as "2", cast(database() as char) as "3"`,
    [],
  );
  const [autocommit, charset, folds, database] = [0, 1, 2, 3].map((at) => textOf(row?.[at]));
  const problem = autocommit === "0"
    ? "`autocommit` is off, so that reads would not see what was stored since the first one. Switch it on"
    : charset !== "utf8mb4"
    ? `it sends text as ${charset}, which cannot say every character. Set its charset to utf8mb4`
    : database === null
    ? "it has no database. Name one in its options"
    : null;
  if (problem !== null) {
    throw new AdapterError(`Cannot use connection: ${problem}`, { logCode: "storage-tables" });
  }
  return folds !== "0";
}

// A driver may give text that the server calls binary as bytes.
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value);
}
