/**
 * A table as it is found in a database: which members of a record have a column, and how both become each other.
 *
 * @module
 */
import { EXTRA, type Kind, quoteName, type TableId, TABLES } from "./schema.ts";
import { type Codec, decodeMembers, encodeMembers, type Param } from "./values.ts";

/** A record, whatever is in it. */
export type Members = Readonly<Record<string, unknown>>;

/** A row as it was selected: columns by their place in the list. */
export type Row = Readonly<Record<number, unknown>>;

/** How a database keeps each kind of value, and the members without a column. */
export type Codecs = Readonly<Record<Kind | "extra", Codec>>;

/** A column that a database has. */
export interface FoundColumn {
  /** Its name. */
  readonly name: string;
  /** How it keeps values, unless it is one of the columns that are known. */
  readonly codec: Codec;
  /** How it keeps values although it is one of them. */
  readonly instead?: Codec | undefined;
}

/** A column of a table. */
export interface Column {
  /** Its name, and that of the record's member. */
  readonly name: string;
  /** Its name as a statement writes it. */
  readonly sql: string;
  /** How it keeps values. */
  readonly codec: Codec;
  /** Whether a record says nothing at all where the column is empty. */
  readonly absent: boolean;
  /** Whether somebody else made it, so that the value may have been kept among the other members before. */
  readonly custom: boolean;
}

/** A table. */
export interface Table {
  /** Its name as a statement writes it. */
  readonly sql: string;
  /** Its columns, in the order in which they are selected. */
  readonly columns: readonly Column[];
  /** The same by name. */
  readonly byName: ReadonlyMap<string, Column>;
  /** The columns that name a row. */
  readonly key: readonly Column[];
  /** How members without a column are kept. */
  readonly extra: Codec;
  /** What a statement selects. */
  readonly list: string;
}

/** What a table is made of. */
export interface TableSource {
  /** Which table it is. */
  readonly id: TableId;
  /** Its name as a statement writes it. */
  readonly sql: string;
  /** The columns that the database says it has. */
  readonly found: readonly FoundColumn[];
  /** How the database keeps values. */
  readonly codecs: Codecs;
}

/** Makes a table of what is known about it and of what was found. */
export function makeTable({ id, sql, found, codecs }: TableSource): Table {
  const spec = TABLES[id];
  const instead = new Map(found.map((column) => [column.name, column.instead]));
  const known = spec.columns.map(({ name, kind, empty }): Column => {
    const codec = instead.get(name) ?? codecs[kind];
    return { name, sql: quoteName(name), codec, absent: empty === "absent", custom: false };
  });
  const columns = [...known, ...customColumns(id, found)];
  const byName = new Map(columns.map((column) => [column.name, column]));
  const key = known.filter(({ name }) => spec.key.includes(name));
  const table = { sql, columns, byName, key, extra: codecs.extra };
  return { ...table, list: selectList(table, { first: 0 }) };
}

function customColumns(id: TableId, found: readonly FoundColumn[]): Column[] {
  const known = new Set([EXTRA, ...TABLES[id].columns.map(({ name }) => name)]);
  // Other software of the family numbers rows; that number is no member of the record.
  if (id !== "users") known.add("id");
  return found.filter(({ name }) => !known.has(name)).map(({ name, codec }) => {
    return { name, sql: quoteName(name), codec, absent: false, foreign: true };
  });
}

/**
 * Lists the columns of a table for a statement.
 *
 * They are renamed to their places, from `first` on: no driver's own way of spelling names changes a number, and the
 * columns of two tables can stand side by side.
 */
export function selectList(
  { columns, extra }: Pick<Table, "columns" | "extra">,
  { alias, first }: { readonly alias?: string; readonly first: number },
): string {
  const prefix = alias ? `${alias}.` : "";
  const reads = columns.map(({ sql, codec }) => codec.read(prefix + sql));
  return [...reads, extra.read(prefix + quoteName(EXTRA))].map((read, index) => `${read} as "${first + index}"`).join(
    ", ",
  );
}

/** Reads the record of a row whose columns were selected from `first` on. */
export function readRecord({ columns, extra }: Table, row: Row, first = 0): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [index, { name, codec, absent }] of columns.entries()) {
    const stored = row[first + index];
    if (stored !== null) record[name] = codec.decode(stored);
    else if (!absent) record[name] = null;
  }
  const others = row[first + columns.length];
  return others === null ? record : withOthers(record, extra.decode(others) as Members);
}

// A column that was added later is empty in older rows, whose value is still among the other members.
function withOthers(record: Record<string, unknown>, others: Members): Record<string, unknown> {
  const fresh = Object.entries(others).filter(([name]) => !Object.hasOwn(record, name) || record[name] === null);
  return { ...record, ...Object.fromEntries(fresh) };
}

/** A column and what to put into it. */
export interface Assignment {
  /** The column's name as a statement writes it. */
  readonly sql: string;
  /** What stands for the value. */
  readonly placeholder: string;
  /** The value. */
  readonly param: Param;
}

/** A record in two halves: what has a column, and the rest. Members that are `undefined` are in neither. */
export interface Split {
  /** What goes into columns. */
  readonly assignments: readonly Assignment[];
  /** Columns among these that somebody else made. */
  readonly foreign: readonly string[];
  /** Members without a column. */
  readonly others: Members;
}

/** Splits a record. */
export function splitRecord({ byName }: Table, record: object): Split {
  const assignments: Assignment[] = [];
  const foreign: string[] = [];
  const others: [string, unknown][] = [];
  for (const [name, value] of Object.entries(record)) {
    if (value === undefined) continue;
    const column = byName.get(name);
    if (column) assignments.push(assign(column, value));
    else others.push([name, value]);
    if (column?.custom) foreign.push(name);
  }
  return { assignments, foreign, others: Object.fromEntries(others) };
}

/** Puts a value into a column. */
export function assign({ sql, codec }: Pick<Column, "sql" | "codec">, value: unknown): Assignment {
  return { sql, placeholder: codec.placeholder, param: value === null ? null : codec.encode(value) };
}

/** Puts members without a column where they are kept; without any, nothing is kept. */
export function assignOthers({ extra }: Table, others: Members): Assignment {
  const param = Object.keys(others).length === 0 ? null : extra.encode(others);
  return { sql: quoteName(EXTRA), placeholder: extra.placeholder, param };
}

/** Keeps members as JSON in a column of text. */
export const JSON_TEXT: Pick<Codec, "encode" | "decode"> = {
  encode: (members) => encodeMembers(members as Members),
  decode: (json) => decodeMembers(String(json)),
};
