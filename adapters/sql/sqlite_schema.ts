/**
 * How SQLite keeps values and tables: as Drizzle's adapter of the same family does.
 *
 * @module
 */
import { assertUsable, describeColumn, describeDuplicates } from "./misfits.ts";
import { EXTRA, type Kind, quoteName, TABLE_IDS, type TableId, type TableNames, TABLES } from "./schema.ts";
import { type Ending, makeTables, type Store } from "./store.ts";
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

/** The names that Drizzle's adapter gives to its tables. */
export const SQLITE_NAMES: TableNames = {
  users: "user",
  accounts: "account",
  sessions: "session",
  verificationTokens: "verificationToken",
  authenticators: "authenticator",
  onceMarks: "onceMark",
};

/** Runs a statement and gives its rows. */
export type Query = (sql: string) => readonly Readonly<Record<string, unknown>>[];

const asIs = { read: (column: string) => column, placeholder: "?", decode: (stored: unknown) => stored };

const CODECS: Codecs = {
  text: { ...asIs, encode: encodeText },
  integer: { ...asIs, encode: encodeInteger },
  timestamp: { ...asIs, encode: encodeTimestamp, decode: decodeTimestamp },
  boolean: { ...asIs, encode: (value) => value ? 1 : 0, decode: decodeBoolean },
  extraJson: { ...asIs, ...JSON_TEXT },
};

const ENDING: Ending = {
  codec: CODECS.timestamp,
  // Not unixepoch(), which older versions do not know.
  ago: (seconds) => `cast((julianday('now') - 2440587.5) * 86400000 as integer) - ${seconds * 1000}`,
};

/** Columns that an application made: whatever SQLite has no type for becomes what Drizzle makes of it. */
const CUSTOM_COLUMN_CODEC: Codec = {
  ...asIs,
  encode: (value): Param => {
    if (value instanceof Date) return encodeTimestamp(value);
    if (typeof value === "boolean") return value ? 1 : 0;
    if (typeof value === "number" || typeof value === "bigint" || value instanceof Uint8Array) return value;
    return encodeText(value);
  },
};

const TYPES = { text: "text", integer: "integer", timestamp: "integer", boolean: "integer" } as const;

/**
 * Lists the statements that make what is missing: tables, columns, indexes. What is there stays as it is.
 *
 * @throws {AdapterError} if there are tables that cannot be used. Nothing has been changed then.
 */
export function migrations(names: TableNames, query: Query): string[] {
  const found = TABLE_IDS.map((id): Found => ({ id, name: names[id], columns: columnsOf(names[id], query) }));
  assertUsable(found.flatMap((table) => [...findUnusableColumns(table, query), ...findDuplicates(table, query)]));
  return found.flatMap((table) => {
    const { id, name, columns } = table;
    const indexes = indexesOf(name, query);
    const missing = columnsFor(id).filter(([column]) => !columns.some((known) => known.name === column));
    return [
      ...(columns.length === 0
        ? [tableSql(id, names)]
        : missing.map(([column, type]) => `alter table ${quoteName(name)} add column ${quoteName(column)} ${type}`)),
      ...uniquesOf(id).filter((wanted) => !isUnique(table, wanted, indexes)).map((wanted) => {
        return indexSql(name, wanted, "unique");
      }),
      ...plainIndexesOf(id).filter((column) => !indexes.some((index) => index.name === `${name}_${column}_index`)).map(
        (column) => indexSql(name, [column], "index"),
      ),
    ];
  });
}

/** A table as it is before anything is changed; without columns it is not there. */
interface Found {
  readonly id: TableId;
  readonly name: string;
  readonly columns: readonly FoundType[];
}

interface FoundType {
  readonly name: string;
  /** As it was declared. */
  readonly type: string;
  /** Whether it is part of the primary key. */
  readonly primary: boolean;
}

interface FoundIndex {
  readonly name: string;
  /** Whether no two rows have the same of these columns. */
  readonly unique: boolean;
  readonly columns: readonly string[];
}

function columnsOf(name: string, query: Query): FoundType[] {
  return query(`pragma table_info(${quoteName(name)})`).map((column): FoundType => {
    return { name: String(column.name), type: String(column.type), primary: Number(column.pk) > 0 };
  });
}

function indexesOf(table: string, query: Query): FoundIndex[] {
  return query(`pragma index_list(${quoteName(table)})`).map((index) => {
    const columns = query(`pragma index_info(${quoteName(String(index.name))})`).map(({ name }) => String(name));
    return { name: String(index.name), unique: index.unique === 1 && index.partial === 0, columns };
  });
}

/** The sets of columns of which no two rows may have the same. */
function uniquesOf(id: TableId): (readonly string[])[] {
  const { key, unique } = TABLES[id];
  return unique ? [key, [unique]] : [key];
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
  const indexes = indexesOf(name, query);
  return uniquesOf(id).flatMap((wanted) => {
    const isThere = wanted.every((column) => columns.some((known) => known.name === column));
    if (!isThere || isUnique(table, wanted, indexes)) return [];
    const list = wanted.map(quoteName).join(", ");
    const filled = wanted.map((column) => `${quoteName(column)} is not null`).join(" and ");
    const sql = `select ${list} from ${quoteName(name)} where ${filled} group by ${list} having count(*) > 1`;
    return query(`${sql} limit 1`).length > 0 ? [describeDuplicates(name, wanted, sql)] : [];
  });
}

/** What is wrong with columns that somebody else made. */
function findUnusableColumns({ id, name, columns }: Found, query: Query): string[] {
  return columns.flatMap((column) => {
    const kind = TABLES[id].columns.find((spec) => spec.name === column.name)?.kind;
    const holds = kind && UNFIT[kind](column, name, query);
    if (!kind || !holds) return [];
    return [describeColumn({ table: name, column: column.name, holds, needs: NEEDS[kind] })];
  });
}

/** What a column holds that cannot hold values of a kind. */
const UNFIT: Readonly<Record<Kind, (column: FoundType, table: string, query: Query) => string | null>> = {
  // A number would come back without its zeros, or not be what it was compared with.
  text: ({ type }) => ["integer", "real"].includes(affinityOf(type)) ? `numbers (${type})` : null,
  integer: ({ type }) => affinityOf(type) === "text" ? `text (${type})` : null,
  timestamp: ({ name, type }, table, query) => {
    if (affinityOf(type) === "text") return `text (${type})`;
    if (affinityOf(type) === "integer") return null;
    // Declared as a date, which says nothing about what is stored.
    const some = `select ${quoteName(name)} as value from ${quoteName(table)} limit 100`;
    return query(`select 1 from (${some}) where typeof(value) = 'text' limit 1`).length > 0 ? `text (${type})` : null;
  },
  boolean: () => null,
};

const NEEDS: Readonly<Record<Kind, string>> = {
  text: "text: ids are made by the service, and are no numbers. Make the table anew with it as TEXT",
  integer: "whole numbers. Make the table anew with it as INTEGER",
  timestamp:
    "milliseconds since 1970. Make the table anew with it as INTEGER, and with unixepoch(…) * 1000 of its dates",
  boolean: "0 or 1",
};

/** What SQLite makes of a declared type, by its rules in their order. */
function affinityOf(type: string): "integer" | "text" | "blob" | "real" | "numeric" {
  if (/int/i.test(type)) return "integer";
  if (/char|clob|text/i.test(type)) return "text";
  if (/blob/i.test(type) || type === "") return "blob";
  return /real|floa|doub/i.test(type) ? "real" : "numeric";
}

/** Looks at the tables. */
export function findStore(names: TableNames, query: Query): Store {
  const table = <Stored>(id: TableId) => {
    const found = columnsOf(names[id], query).map(({ name }): FoundColumn => ({ name, codec: CUSTOM_COLUMN_CODEC }));
    return makeTable<Stored>({ id, sql: quoteName(names[id]), found, codecs: CODECS });
  };
  return {
    tables: makeTables(table),
    names: quotedNames(names),
    ends: { sessions: ENDING, verificationTokens: ENDING, onceMarks: ENDING },
    // Whoever writes has the file alone: nothing can change between the statements of a transaction.
    lock: "",
    skip: "",
  };
}

function quotedNames(names: TableNames): TableNames {
  return { ...names, ...Object.fromEntries(TABLE_IDS.map((id) => [id, quoteName(names[id])])) };
}

function columnsFor(id: TableId): [name: string, type: string][] {
  const columns = TABLES[id].columns.map(({ name, kind }): [string, string] => [name, TYPES[kind]]);
  return id === "onceMarks" ? columns : [...columns, [EXTRA, "text"]];
}

function tableSql(id: TableId, names: TableNames): string {
  const { columns, owned } = TABLES[id];
  const required = new Set(columns.filter(({ empty }) => empty === "never").map(({ name }) => name));
  const lines = columnsFor(id).map(([name, type]) => {
    const owner = owned && name === "userId" ? ` references ${quoteName(names.users)} ("id") on delete cascade` : "";
    return `${quoteName(name)} ${type}${required.has(name) ? " not null" : ""}${owner}`;
  });
  lines.push(`primary key (${primaryOf(id).map(quoteName).join(", ")})`);
  return `create table if not exists ${quoteName(names[id])} (${lines.join(", ")}) strict`;
}

// Drizzle's adapter names credentials together with their users, and makes the credential alone unique beside it.
function primaryOf(id: TableId): readonly string[] {
  const { key } = TABLES[id];
  return id === "authenticators" ? ["userId", ...key] : key;
}

function plainIndexesOf(id: TableId): string[] {
  const { owned, ends } = TABLES[id];
  return [...(owned ? ["userId"] : []), ...(ends ? ["expires"] : [])];
}

/** Makes an index. The names of unique indexes are Drizzle's. */
function indexSql(table: string, columns: readonly string[], suffix: "unique" | "index"): string {
  const name = quoteName([table, ...columns, suffix].join("_"));
  const kind = suffix === "unique" ? "unique index" : "index";
  return `create ${kind} if not exists ${name} on ${quoteName(table)} (${columns.map(quoteName).join(", ")})`;
}
