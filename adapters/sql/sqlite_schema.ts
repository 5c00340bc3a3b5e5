/**
 * How SQLite stores values and tables: as `@auth/drizzle-adapter` does.
 *
 * @module
 */
import { assertUsable, describeColumn, describeDuplicates, duplicatesQuery } from "./unusable_tables.ts";
import { EXTRA, indexesOf, type Kind, quoteName, type TableId, type TableNames, TABLES, uniquesOf } from "./schema.ts";
import { type Ending, makeTables, type SqlStore } from "./store.ts";
import { type Codecs, type FoundColumn, JSON_TEXT, makeTable } from "./table.ts";
import {
  type Codec,
  decodeBoolean,
  decodeTimestamp,
  encodeInteger,
  encodeText,
  encodeTimestamp,
  type Param,
} from "./values.ts";

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

const asIs = { read: (column: string) => column, placeholder: "?", decode: (stored: unknown) => stored };

const CODECS: Codecs = {
  text: { ...asIs, encode: encodeText },
  integer: { ...asIs, encode: encodeInteger },
  timestamp: { ...asIs, encode: encodeTimestamp, decode: decodeTimestamp },
  boolean: { ...asIs, encode: (value) => value ? 1 : 0, decode: decodeBoolean },
  json: { ...asIs, encode: (value) => JSON.stringify(value), decode: (stored) => JSON.parse(String(stored)) },
  extraJson: { ...asIs, ...JSON_TEXT },
};

/** Columns that an application added. Values that SQLite has no type for are stored as Drizzle stores them. */
const CUSTOM_COLUMN_CODEC: Codec = {
  ...asIs,
  encode: (value): Param => {
    if (value instanceof Date) return encodeTimestamp(value);
    if (typeof value === "boolean") return value ? 1 : 0;
    if (typeof value === "number" || typeof value === "bigint" || value instanceof Uint8Array) return value;
    return encodeText(value);
  },
};

const TYPES = { text: "text", integer: "integer", timestamp: "integer", boolean: "integer", json: "text" } as const;

/**
 * Lists the statements that add the tables, columns and indexes that are missing, and change nothing else.
 *
 * They depend on what exists, not on a version: the tables may be those of other software, and `user_version` belongs to
 * the application. A column that is renamed one day needs a statement that looks for the old name.
 *
 * @throws {AdapterError} if there are tables that cannot be used. Nothing has been changed then.
 */
export function migrationStatements(names: TableNames, ids: readonly TableId[], query: Query): string[] {
  const found = ids.map((id): Found => ({ id, name: names[id], columns: columnsOf(names[id], query) }));
  assertUsable(found.flatMap((table) => [...findUnusableColumns(table, query), ...findDuplicates(table, query)]));
  return found.flatMap((table) => {
    const { id, name, columns } = table;
    const indexes = foundIndexes(name, query);
    const missing = columnsFor(id).filter(([column]) => !columns.some((known) => known.name === column));
    return [
      ...(columns.length === 0
        ? [tableSql(id, names, ids.includes("users"))]
        : missing.map(([column, type]) => `alter table ${quoteName(name)} add column ${quoteName(column)} ${type}`)),
      ...uniquesOf(id).filter((wanted) => !isUnique(table, wanted, indexes)).map((wanted) => {
        return indexSql(name, wanted, "unique");
      }),
      ...indexesOf(id).filter((wanted) => !indexes.some((index) => index.name === indexName(name, wanted, "index")))
        .map((wanted) => indexSql(name, wanted, "index")),
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

function columnsOf(name: string, query: Query): FoundType[] {
  return query(`pragma table_info(${quoteName(name)})`).map((column): FoundType => {
    return { name: String(column.name), type: String(column.type), primary: Number(column.pk) > 0 };
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
    ? columns.filter((column) => column.primary).map(({ name }) => name)
    : primaryOf(id);
  const sets = [primary, ...indexes.filter(({ unique }) => unique).map((index) => index.columns)];
  return sets.some((set) => set.length > 0 && set.every((column) => wanted.includes(column)));
}

function findDuplicates(table: Found, query: Query): string[] {
  const { id, name, columns } = table;
  const indexes = foundIndexes(name, query);
  return uniquesOf(id).flatMap((wanted) => {
    const isThere = wanted.every((column) => columns.some((known) => known.name === column));
    if (!isThere || isUnique(table, wanted, indexes)) return [];
    const sql = duplicatesQuery(quoteName(name), wanted);
    return query(`${sql} limit 1`).length > 0 ? [describeDuplicates(name, wanted, sql)] : [];
  });
}

/** Describes the columns that cannot hold what they must. */
function findUnusableColumns({ id, name, columns }: Found, query: Query): string[] {
  return columns.flatMap((column) => {
    const kind = TABLES[id].columns.find((spec) => spec.name === column.name)?.kind;
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
export function findStore(names: TableNames, query: Query): SqlStore {
  const table = <Stored>(id: TableId) => {
    const found = columnsOf(names[id], query).map(({ name }): FoundColumn => ({ name, codec: CUSTOM_COLUMN_CODEC }));
    return makeTable<Stored>({ id, sql: quoteName(names[id]), found, codecs: CODECS });
  };
  const ending = (id: TableId): Ending => ({
    sql: quoteName(names[id]),
    codec: CODECS.timestamp,
    // Not unixepoch(), which SQLite knows since 3.38.
    ago: (seconds) => `cast((julianday('now') - 2440587.5) * 86400000 as integer) - ${seconds * 1000}`,
  });
  return {
    tables: makeTables(table),
    ends: {
      sessions: ending("sessions"),
      verificationTokens: ending("verificationTokens"),
      onceMarks: ending("onceMarks"),
      records: ending("records"),
    },
    hasRecords: true,
    // Without statistics SQLite may choose the primary key, and read all records of a kind.
    byIndex: (columns) => ` indexed by ${quoteName(indexName(names.records, columns, "index"))}`,
    // A transaction locks the whole file, so rows need no locks.
    lock: "",
    skip: "",
  };
}

function columnsFor(id: TableId): [name: string, type: string][] {
  const columns = TABLES[id].columns.map(({ name, kind }): [string, string] => [name, TYPES[kind]]);
  return TABLES[id].isPlain ? columns : [...columns, [EXTRA, "text"]];
}

function tableSql(id: TableId, names: TableNames, hasUsers: boolean): string {
  const { columns, owned } = TABLES[id];
  const required = new Set(columns.filter(({ empty }) => empty === "never").map(({ name }) => name));
  const lines = columnsFor(id).map(([name, type]) => {
    const owner = owned && hasUsers && name === "userId"
      ? ` references ${quoteName(names.users)} ("id") on delete cascade`
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
function indexSql(table: string, columns: readonly string[], suffix: "unique" | "index"): string {
  const name = quoteName(indexName(table, columns, suffix));
  const kind = suffix === "unique" ? "unique index" : "index";
  return `create ${kind} if not exists ${name} on ${quoteName(table)} (${columns.map(quoteName).join(", ")})`;
}
