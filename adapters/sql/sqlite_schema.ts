/**
 * How SQLite stores values and tables: as `@auth/drizzle-adapter` does.
 *
 * @module
 */
import { assertUsable, describeColumn, describeDuplicates, duplicatesQuery } from "./unusable_tables.ts";
import { EXTRA, indexesOf, type Kind, quoteName, type TableId, type TableNames, TABLES, uniquesOf } from "./schema.ts";
import { type ColumnOf, membersOf, type TableNaming } from "./column_names.ts";
import { makeTables, type SqlStore } from "./store.ts";
import { CODECS, CUSTOM_COLUMN_CODEC } from "./sqlite_codecs.ts";
import { type FoundColumn, makeTable } from "./table.ts";
import { returningWrites } from "./writes.ts";

/** The names that `@auth/drizzle-adapter` gives to its tables. */
export const SQLITE_NAMES: TableNames = {
  users: "user",
  accounts: "account",
  sessions: "session",
  verificationTokens: "verificationToken",
  authenticators: "authenticator",
  onceMarks: "onceMark",
  records: "authRecord",
};

/** Runs a statement and gives its rows. */
export type Query = (sql: string) => readonly Readonly<Record<string, unknown>>[];

const TYPES = { text: "text", integer: "integer", timestamp: "integer", boolean: "integer", json: "text" } as const;

/**
 * Lists the statements that add the tables, columns and indexes that are missing, and change nothing else.
 *
 * They depend on what exists, not on a version: the tables may be those of other software, and `user_version` belongs to
 * the application. A column that is renamed one day needs a statement that looks for the old name.
 *
 * @throws {AdapterError} if there are tables that cannot be used. Nothing has been changed then.
 */
export function migrationStatements({ names, ids, columns: named }: TableNaming, query: Query): string[] {
  const found = ids.map((id): Found => ({
    id,
    name: names[id],
    columns: columnsOf(id, { names, columns: named }, query),
  }));
  const columnOf: ColumnOf = (id, member) => {
    return found.find((table) => table.id === id)?.columns.find((column) => column.member === member)?.name ?? member;
  };
  assertUsable(found.flatMap((table) => [...findUnusableColumns(table, query), ...findDuplicates(table, query)]));
  return found.flatMap((table) => {
    const { id, name, columns } = table;
    const indexes = foundIndexes(name, query);
    const missing = columnsFor(id).filter(([member]) => !columns.some((known) => known.member === member));
    const spell = (members: readonly string[]) => members.map((member) => columnOf(id, member));
    return [
      ...(columns.length === 0
        ? [tableSql(id, names, ids.includes("users") ? columnOf("users", "id") : null)]
        : missing.map(([column, type]) => `alter table ${quoteName(name)} add column ${quoteName(column)} ${type}`)),
      ...uniquesOf(id).filter((wanted) => !isUnique(table, wanted, indexes)).map((wanted) => {
        return indexSql(name, wanted, "unique", spell(wanted));
      }),
      ...indexesOf(id).filter((wanted) => !indexes.some((index) => index.name === indexName(name, wanted, "index")))
        .map((wanted) => indexSql(name, wanted, "index", spell(wanted))),
    ];
  });
}

/** A table before the migration. Without columns it does not exist. */
interface Found {
  readonly id: TableId;
  readonly name: string;
  readonly columns: readonly FoundType[];
}

interface FoundType {
  readonly name: string;
  /** The member of a record that it holds. */
  readonly member: string;
  /** The declared type. */
  readonly type: string;
  /** Whether it is part of the primary key. */
  readonly primary: boolean;
}

interface FoundIndex {
  readonly name: string;
  /** Whether it makes its columns unique in every row. */
  readonly unique: boolean;
  readonly columns: readonly string[];
}

function columnsOf(
  id: TableId,
  { names, columns }: Pick<TableNaming, "names" | "columns">,
  query: Query,
): FoundType[] {
  const found = query(`pragma table_info(${quoteName(names[id])})`);
  const members = membersOf(id, found.map(({ name }) => String(name)), columns?.[id]);
  return found.map((column): FoundType => {
    const name = String(column.name);
    return { name, member: members.get(name) ?? name, type: String(column.type), primary: Number(column.pk) > 0 };
  });
}

function foundIndexes(table: string, query: Query): FoundIndex[] {
  return query(`pragma index_list(${quoteName(table)})`).map((index) => {
    const columns = query(`pragma index_info(${quoteName(String(index.name))})`).map(({ name }) => String(name));
    return { name: String(index.name), unique: index.unique === 1 && index.partial === 0, columns };
  });
}

function isUnique(
  { id, columns }: Found,
  wanted: readonly string[],
  indexes: readonly Pick<FoundIndex, "unique" | "columns">[],
): boolean {
  const primary = columns.length > 0
    ? columns.filter((column) => column.primary).map(({ member }) => member)
    : primaryOf(id);
  const memberOf = (column: string) => columns.find(({ name }) => name === column)?.member ?? column;
  const unique = indexes.filter((index) => index.unique).map((index) => index.columns.map(memberOf));
  const sets = [primary, ...unique];
  return sets.some((set) => set.length > 0 && set.every((column) => wanted.includes(column)));
}

function findDuplicates(table: Found, query: Query): string[] {
  const { id, name, columns } = table;
  const indexes = foundIndexes(name, query);
  return uniquesOf(id).flatMap((wanted) => {
    const there = wanted.flatMap((member) =>
      columns.filter((known) => known.member === member).map(({ name }) => name)
    );
    if (there.length < wanted.length || isUnique(table, wanted, indexes)) return [];
    const sql = duplicatesQuery(quoteName(name), there);
    return query(`${sql} limit 1`).length > 0 ? [describeDuplicates(name, there, sql)] : [];
  });
}

/** Describes the columns that cannot hold what they must. */
function findUnusableColumns({ id, name, columns }: Found, query: Query): string[] {
  return columns.flatMap((column) => {
    const kind = TABLES[id].columns.find((spec) => spec.name === column.member)?.kind;
    const holds = kind && FIND_PROBLEM[kind](column, name, query);
    if (!kind || !holds) return [];
    return [describeColumn({ table: name, column: column.name, holds, needs: NEEDS[kind] })];
  });
}

/** Says what a column holds if it cannot hold values of a kind. */
const FIND_PROBLEM: Readonly<Record<Kind, (column: FoundType, table: string, query: Query) => string | null>> = {
  // The id "007" would come back as 7, and a comparison with text would find nothing.
  text: ({ type }) => ["integer", "real"].includes(affinityOf(type)) ? `numbers (${type})` : null,
  integer: ({ type }) => affinityOf(type) === "text" ? `text (${type})` : null,
  timestamp: ({ name, type }, table, query) => {
    if (affinityOf(type) === "text") return `text (${type})`;
    if (affinityOf(type) === "integer") return null;
    // Declared as DATE or similar, which SQLite ignores: look at what is stored.
    const some = `select ${quoteName(name)} as value from ${quoteName(table)} limit 100`;
    return query(`select 1 from (${some}) where typeof(value) = 'text' limit 1`).length > 0 ? `text (${type})` : null;
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

/** The affinity of a declared type. @see {@link https://www.sqlite.org/datatype3.html#determination_of_column_affinity | SQLite, section 3.1} */
function affinityOf(type: string): "integer" | "text" | "blob" | "real" | "numeric" {
  if (/int/i.test(type)) return "integer";
  if (/char|clob|text/i.test(type)) return "text";
  if (/blob/i.test(type) || type === "") return "blob";
  return /real|floa|doub/i.test(type) ? "real" : "numeric";
}

/** Reads which columns the tables have. */
export function findStore(naming: TableNaming, query: Query): SqlStore {
  const tables = makeTables(<Stored>(id: TableId) => {
    const found = columnsOf(id, naming, query).map(({ name, member }): FoundColumn => {
      return { name, member, codec: CUSTOM_COLUMN_CODEC };
    });
    return makeTable<Stored>({
      id,
      sql: quoteName(naming.names[id]),
      found,
      codecs: CODECS,
      fills: naming.fills?.[id],
    });
  });
  return {
    tables,
    // Not unixepoch(), which SQLite knows since 3.38.
    ago: (_id, seconds) => `cast((julianday('now') - 2440587.5) * 86400000 as integer) - ${seconds * 1000}`,
    hasRecords: true,
    // Without statistics SQLite may choose the primary key, and read all records of a kind.
    byIndex: (columns) => ` indexed by ${quoteName(indexName(naming.names.records, columns, "index"))}`,
    // A transaction locks the whole file, so rows need no locks.
    lock: "",
    writes: returningWrites(""),
  };
}

function columnsFor(id: TableId): [name: string, type: string][] {
  const columns = TABLES[id].columns.map(({ name, kind }): [string, string] => [name, TYPES[kind]]);
  return TABLES[id].isPlain ? columns : [...columns, [EXTRA, "text"]];
}

/** @param userId The column that rows of a user refer to; `null` if users are not in this database. */
function tableSql(id: TableId, names: TableNames, userId: string | null): string {
  const { columns, owned } = TABLES[id];
  const required = new Set(columns.filter(({ empty }) => empty === "never").map(({ name }) => name));
  const lines = columnsFor(id).map(([name, type]) => {
    const owner = owned && userId !== null && name === "userId"
      ? ` references ${quoteName(names.users)} (${quoteName(userId)}) on delete cascade`
      : "";
    return `${quoteName(name)} ${type}${required.has(name) ? " not null" : ""}${owner}`;
  });
  lines.push(`primary key (${primaryOf(id).map(quoteName).join(", ")})`);
  return `create table if not exists ${quoteName(names[id])} (${lines.join(", ")}) strict`;
}

// Drizzle's adapter has the user in the primary key of authenticators, and another unique index on the credential.
function primaryOf(id: TableId): readonly string[] {
  const { key } = TABLES[id];
  return id === "authenticators" ? ["userId", ...key] : key;
}

function indexName(table: string, columns: readonly string[], suffix: "unique" | "index"): string {
  return [table, ...columns, suffix].join("_");
}

/** Writes the statement that makes an index. Unique indexes have Drizzle's names. */
function indexSql(
  table: string,
  members: readonly string[],
  suffix: "unique" | "index",
  columns: readonly string[],
): string {
  const name = quoteName(indexName(table, members, suffix));
  const kind = suffix === "unique" ? "unique index" : "index";
  return `create ${kind} if not exists ${name} on ${quoteName(table)} (${columns.map(quoteName).join(", ")})`;
}
