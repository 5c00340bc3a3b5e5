/**
 * What a SQLite database has: columns, indexes, and how its dates are stored.
 *
 * @module
 */
import { membersOf, type TableNaming } from "./column_names.ts";
import { quoteName } from "./names.ts";
import { type Kind, type TableId, TABLES, uniquesOf } from "./schema.ts";
import type { SqlSteps } from "./statement.ts";
import type { Row } from "./table.ts";
import { describeColumn, describeDuplicates, duplicatesQuery } from "./unusable_tables.ts";

/** A table before the migration. Without columns it does not exist. */
export interface FoundTable {
  readonly id: TableId;
  readonly name: string;
  readonly columns: readonly FoundType[];
  readonly indexes: readonly FoundIndex[];
}

export interface FoundType {
  readonly name: string;
  /** The member of a record that it holds. */
  readonly member: string;
  /** The declared type. */
  readonly type: string;
  /** Whether it is part of the primary key. */
  readonly primary: boolean;
  /** What is stored, if the type does not say whether dates are text. */
  readonly stored: StoredDates | undefined;
}

/** What a column of dates holds. */
export interface StoredDates {
  /** A text that it holds. */
  readonly text: string | null;
  readonly hasNumbers: boolean;
}

export interface FoundIndex {
  readonly name: string;
  /** Whether it makes its columns unique in every row. */
  readonly unique: boolean;
  readonly columns: readonly string[];
}

const COLUMNS = 'select t.value as "0", c.name as "1", c.type as "2", c.pk as "3"' +
  " from json_each(?) t join pragma_table_info(t.value) c order by t.key, c.cid";
const INDEXES = 'select t.value as "0", i.name as "1", i."unique" and not i.partial as "2", c.name as "3"' +
  " from json_each(?) t join pragma_index_list(t.value) i join pragma_index_info(i.name) c order by i.name, c.seqno";

/** Looks which of the tables there are. */
export function* findTables({ names, ids, columns: named }: TableNaming): SqlSteps<FoundTable[]> {
  const asked = JSON.stringify(ids.map((id) => names[id]));
  const columns = yield { sql: COLUMNS, params: [asked] };
  const indexes = yield { sql: INDEXES, params: [asked] };
  const tables: FoundTable[] = [];
  for (const id of ids) {
    const isOf = (row: Row) => row[0] === names[id];
    const rows = columns.filter(isOf);
    const members = membersOf(id, rows.map((row) => String(row[1])), named?.[id]);
    const found: FoundType[] = [];
    for (const row of rows) {
      const name = String(row[1]);
      const member = members.get(name);
      if (member === undefined) continue;
      const column = { name, member, type: String(row[2]), primary: Number(row[3]) > 0 };
      found.push({ ...column, stored: isVague(id, column) ? yield* findStored(names[id], name) : undefined });
    }
    tables.push({ id, name: names[id], columns: found, indexes: indexesOf(indexes.filter(isOf)) });
  }
  return tables;
}

function indexesOf(rows: readonly Row[]): FoundIndex[] {
  return [...Map.groupBy(rows, (row) => String(row[1]))].map(([name, columns]) => {
    return { name, unique: Number(columns[0]?.[2]) === 1, columns: columns.map((column) => String(column[3])) };
  });
}

/** Whether a column of dates is declared as DATETIME or similar, which SQLite ignores. */
function isVague(id: TableId, { member, type }: Pick<FoundType, "member" | "type">): boolean {
  return kindOf(id, member) === "timestamp" && !["text", "integer"].includes(affinityOf(type));
}

function* findStored(table: string, column: string): SqlSteps<StoredDates> {
  const some = `select ${quoteName(column)} as value from ${quoteName(table)} limit 100`;
  const [row] = yield {
    sql: `select max(case typeof(value) when 'text' then value end) as "0",` +
      ` max(typeof(value) in ('integer', 'real')) as "1" from (${some})`,
    params: [],
  };
  const text = row?.[0];
  // Some drivers make a date of what is in such a column.
  return {
    text: text == null ? null : text instanceof Date ? text.toISOString() : String(text),
    hasNumbers: Number(row?.[1]) === 1,
  };
}

/** Whether these members are unique in a table. */
export function isUnique({ columns, indexes }: FoundTable, wanted: readonly string[]): boolean {
  const memberOf = (column: string) => columns.find(({ name }) => name === column)?.member ?? column;
  const primary = columns.filter((column) => column.primary).map(({ member }) => member);
  const sets = [primary, ...indexes.filter(({ unique }) => unique).map((index) => index.columns.map(memberOf))];
  return sets.some((set) => set.length > 0 && set.every((column) => wanted.includes(column)));
}

/** Describes what keeps tables from being used. */
export function* findProblems(tables: readonly FoundTable[]): SqlSteps<string[]> {
  const problems: string[] = [];
  for (const table of tables) {
    problems.push(...findUnusableColumns(table));
    problems.push(...yield* findDuplicates(table));
  }
  return problems;
}

function* findDuplicates(table: FoundTable): SqlSteps<string[]> {
  const { id, name, columns } = table;
  const problems: string[] = [];
  for (const wanted of uniquesOf(id)) {
    const there = wanted.flatMap((member) =>
      columns.filter((known) => known.member === member).map(({ name }) => name)
    );
    if (there.length < wanted.length || isUnique(table, wanted)) continue;
    const sql = duplicatesQuery(quoteName(name), there.map(quoteName));
    const some = yield { sql: `${sql} limit 1`, params: [] };
    if (some.length > 0) problems.push(describeDuplicates(name, there, sql));
  }
  return problems;
}

/** Describes the columns that cannot hold what they must. */
function findUnusableColumns({ id, name, columns }: FoundTable): string[] {
  return columns.flatMap((column) => {
    const kind = kindOf(id, column.member);
    const holds = kind && PROBLEMS[kind](column);
    if (!kind || !holds) return [];
    return [describeColumn({ table: name, column: column.name, holds, needs: NEEDS[kind] })];
  });
}

function kindOf(id: TableId, member: string): Kind | undefined {
  return TABLES[id].columns.find(({ name }) => name === member)?.kind;
}

/** Says what a column holds if it cannot hold values of a kind. */
const PROBLEMS: Readonly<Record<Kind, (column: FoundType) => string | null>> = {
  // The id "007" would come back as 7, and a comparison with text would find nothing.
  text: ({ type }) => ["integer", "real"].includes(affinityOf(type)) ? `numbers (${type})` : null,
  integer: ({ type }) => affinityOf(type) === "text" ? `text (${type})` : null,
  timestamp: ({ type, stored }) => {
    if (affinityOf(type) === "text") return `text (${type})`;
    if (!stored?.text) return null;
    if (stored.hasNumbers) return `both text and numbers (${type})`;
    return isIsoDate(stored.text) ? null : `text (${type})`;
  },
  boolean: () => null,
  json: ({ type }) => affinityOf(type) === "text" ? null : `other values (${type})`,
};

const NEEDS: Readonly<Record<Kind, string>> = {
  text: "text, because ids are not numbers. Recreate the table with the column as TEXT",
  integer: "whole numbers. Recreate the table with the column as INTEGER",
  timestamp:
    "milliseconds since 1970. Recreate the table with the column as INTEGER, and convert its dates with `unixepoch(…) * 1000`",
  boolean: "0 or 1",
  json: "JSON as text. Choose another table",
};

/** Whether a text is a date as Prisma stores it. Such dates of one time zone are in order as text. */
export function isIsoDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:Z|\+00:00)$/.test(text);
}

/** The affinity of a declared type. @see {@link https://www.sqlite.org/datatype3.html#determination_of_column_affinity | SQLite, section 3.1} */
export function affinityOf(type: string): "integer" | "text" | "blob" | "real" | "numeric" {
  if (/int/i.test(type)) return "integer";
  if (/char|clob|text/i.test(type)) return "text";
  if (/blob/i.test(type) || type === "") return "blob";
  return /real|floa|doub/i.test(type) ? "real" : "numeric";
}
