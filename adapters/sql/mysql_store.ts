/**
 * The tables as they were found in MySQL or MariaDB.
 *
 * @module
 */
import type { TableNaming } from "./column_names.ts";
import { findMissingUniques, findTables, findUnusableColumns, type Found, type FoundType } from "./mysql_catalogue.ts";
import { CODECS, describe, fitted } from "./mysql_codecs.ts";
import type { Query } from "./mysql_pool.ts";
import { qualifiedName, quote } from "./mysql_names.ts";
import { mysqlWrites } from "./mysql_writes.ts";
import { EXTRA, indexName, type TableId, TABLES } from "./schema.ts";
import { makeTables, type SqlStore } from "./store.ts";
import { makeTable, type Spelling } from "./table.ts";
import { assertComplete, assertUsable, notUnique } from "./unusable_tables.ts";

/** Collations that compare byte by byte, and do not ignore spaces at the end. */
const EXACT: readonly (string | null | undefined)[] = ["utf8mb4_0900_bin", "utf8mb4_nopad_bin"];

/** Reads the catalogue. @throws {AdapterError} if tables, columns or indexes are missing or cannot be used. */
export async function findStore(naming: TableNaming, query: Query): Promise<SqlStore> {
  const found = await findTables(naming, query);
  // First: `migrate()` does not help where tables belong to other software.
  assertUsable(findUnusableColumns(naming, found));
  for (const id of naming.ids) assertComplete(naming.names[id], id, found[id].columns);
  const [first] = findMissingUniques(naming, found);
  if (first) throw notUnique(naming.names[first.id], first.columns);
  const { records } = naming.names;
  const required = requiredColumns(naming, found);
  return {
    tables: makeTables((id) => tableOf(naming, found, id)),
    ago: (id, seconds) => {
      const then = `utc_timestamp(3) - interval ${seconds} second`;
      return id === "buckets" ? `timestampdiff(microsecond, '1970-01-01', ${then}) div 1000` : then;
    },
    hasRecords: found.records.columns.length > 0,
    hasBuckets: found.buckets.columns.length > 0,
    // Without statistics the primary key may be chosen, and all records of a kind be read.
    byIndex: (members) => {
      const name = indexName(records, members, "index");
      return found.records.indexes.some((index) => index.name === name) ? ` force index (${quote(name)})` : "";
    },
    lock: " for update",
    writes: mysqlWrites((table, column) => required.has(`${table} ${column}`)),
  };
}

/** The columns that cannot be empty. */
function requiredColumns(naming: TableNaming, found: Found): ReadonlySet<string> {
  return new Set(naming.ids.flatMap((id) => {
    const columns = found[id].columns.filter(({ isRequired }) => isRequired);
    return columns.map(({ name }) => `${qualifiedName(naming, id)} ${quote(name)}`);
  }));
}

function tableOf<Stored>(naming: TableNaming, found: Found, id: TableId) {
  const { columns } = found[id];
  const byName = new Map(columns.map((column) => [column.name, column]));
  const spelling: Spelling = {
    quote,
    isEqual: (column, sql) => isEqual(column && byName.get(column.name), sql),
  };
  const extra = columns.find(({ member }) => member === EXTRA);
  return makeTable<Stored>({
    id,
    sql: qualifiedName(naming, id),
    found: columns.map((column) =>
      describe(column, TABLES[id].columns.find(({ name }) => name === column.member)?.kind)
    ),
    codecs: extra ? { ...CODECS, extraJson: fitted(CODECS.extraJson, "json", extra) } : CODECS,
    fills: naming.fills?.[id],
    spelling,
  });
}

/** Compares by the index first, and then byte by byte. `?^` is the same parameter again. */
function isEqual(column: FoundType | undefined, sql: string): string {
  if (EXACT.includes(column?.collation)) return `${sql} = ?`;
  const bytes = column?.charset === "utf8mb4" ? sql : `convert(${sql} using utf8mb4)`;
  return `(${sql} = ? and cast(${bytes} as binary) = cast(?^ as binary))`;
}
