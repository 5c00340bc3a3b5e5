/**
 * A table as it was found in a database: which members of a record have a column, and how each is converted.
 *
 * @module
 */
import { EXTRA, type Kind, quoteName, type TableId, TABLES } from "./schema.ts";
import { decodeMembers, encodeMembers } from "../../src/kernel/dated_json.ts";
import type { Codec, Param } from "./values.ts";

export type Members = Readonly<Record<string, unknown>>;

/** A row as it was selected: columns by their place in the list. */
export type Row = Readonly<Record<number, unknown>>;

/** How a database stores each kind of value, and the members without a column. */
export type Codecs = Readonly<Record<Kind | "extraJson", Codec>>;

/** A column that a database has. */
export interface FoundColumn {
  readonly name: string;
  /** How it stores values if the schema does not know it. */
  readonly codec: Codec;
  /** How it stores values if the schema knows it and its type is another one. */
  readonly override?: Codec | undefined;
}

export interface Column {
  /** Its name, and that of the record's member. */
  readonly name: string;
  /** Its name as a statement writes it. */
  readonly sql: string;
  readonly codec: Codec;
  /** Whether a record omits the member where the column is empty, instead of saying `null`. */
  readonly optional: boolean;
  /** Whether an application added it. The value may then have been stored among the other members before. */
  readonly custom: boolean;
}

/** A table whose records are of type `Stored`. */
export interface Table<Stored = unknown> {
  /** Its name as a statement writes it. */
  readonly sql: string;
  /** Its columns by name, in the order in which they are selected. */
  readonly columns: ReadonlyMap<string, Column>;
  readonly key: readonly Column[];
  /** How members without a column are stored. */
  readonly extraJson: Codec;
  /** Whether no such members are stored. */
  readonly isPlain: boolean;
  /** The columns as a statement selects them. */
  readonly list: string;
  readonly width: number;
  /** Reads the record of a row whose columns were selected from `first` on. */
  read(row: Row, first?: number): Stored;
}

export interface TableSource {
  readonly id: TableId;
  /** Its name as a statement writes it. */
  readonly sql: string;
  /** The columns that the database says it has. */
  readonly found: readonly FoundColumn[];
  readonly codecs: Codecs;
}

/** Makes a table of its schema and of what was found. */
export function makeTable<Stored>({ id, sql, found, codecs }: TableSource): Table<Stored> {
  const spec = TABLES[id];
  const overrides = new Map(found.map(({ name, override }) => [name, override]));
  const usable = spec.columns.filter(({ name, isLater }) => !isLater || overrides.has(name));
  const known = usable.map(({ name, kind, empty }): Column => {
    const codec = overrides.get(name) ?? codecs[kind];
    return { name, sql: quoteName(name), codec, optional: empty === "absent", custom: false };
  });
  const { isPlain = false } = spec;
  const all = isPlain ? known : [...known, ...customColumns(id, found)];
  const columns = new Map(all.map((column) => [column.name, column]));
  const key = known.filter(({ name }) => spec.key.includes(name));
  const parts = { columns, extraJson: codecs.extraJson, isPlain };
  return {
    ...parts,
    sql,
    key,
    list: selectList(parts, { first: 0 }),
    width: columns.size + 1,
    // The columns are those of the contract, and the adapter wrote what is in them.
    read: (row, first = 0) => readRecord(parts, row, first) as Stored,
  };
}

function customColumns(id: TableId, found: readonly FoundColumn[]): Column[] {
  const known = new Set([EXTRA, ...TABLES[id].columns.map(({ name }) => name)]);
  // The adapters of Auth.js number rows. That number is not a member of the record.
  if (id !== "users") known.add("id");
  return found.filter(({ name }) => !known.has(name)).map(({ name, codec }) => {
    return { name, sql: quoteName(name), codec, optional: false, custom: true };
  });
}

/**
 * Lists the columns of a table for a statement.
 *
 * They are renamed to their places, from `first` on: no driver's own way of spelling names changes a number, and the
 * columns of two tables can stand side by side.
 */
export function selectList(
  { columns, extraJson, isPlain }: Pick<Table, "columns" | "extraJson" | "isPlain">,
  { alias, first }: { readonly alias?: string; readonly first: number },
): string {
  const prefix = alias ? `${alias}.` : "";
  const reads = [...columns.values()].map(({ sql, codec }) => codec.read(prefix + sql));
  return [...reads, ...(isPlain ? [] : [extraJson.read(prefix + quoteName(EXTRA))])]
    .map((read, index) => `${read} as "${first + index}"`).join(", ");
}

function readRecord({ columns, extraJson }: Pick<Table, "columns" | "extraJson">, row: Row, first: number): Members {
  const record: Record<string, unknown> = {};
  let at = first;
  for (const { name, codec, optional } of columns.values()) {
    const stored = row[at++];
    if (stored !== null) record[name] = codec.decode(stored);
    else if (!optional) record[name] = null;
  }
  const others = row[at] ?? null;
  return others === null ? record : mergeOthers(record, extraJson.decode(others) as Members);
}

// A column that was added later is empty in older rows, whose value is still among the other members.
function mergeOthers(record: Members, others: Members): Members {
  const fresh = Object.entries(others).filter(([name]) => !Object.hasOwn(record, name) || record[name] === null);
  return { ...record, ...Object.fromEntries(fresh) };
}

/** A column and what to put into it. */
export interface Assignment {
  /** The column's name as a statement writes it. */
  readonly sql: string;
  readonly placeholder: string;
  readonly param: Param;
}

/** A record in two halves: what has a column, and the rest. Members that are `undefined` are in neither. */
export interface SplitRecord {
  readonly assignments: readonly Assignment[];
  /** Names of the columns among these that an application added. */
  readonly custom: readonly string[];
  readonly others: Members;
}

export function splitRecord({ columns }: Table, record: object): SplitRecord {
  const assignments: Assignment[] = [];
  const custom: string[] = [];
  const others: [string, unknown][] = [];
  for (const [name, value] of Object.entries(record)) {
    if (value === undefined) continue;
    const column = columns.get(name);
    if (column) assignments.push(assign(column, value));
    else others.push([name, value]);
    if (column?.custom) custom.push(name);
  }
  return { assignments, custom, others: Object.fromEntries(others) };
}

function assign({ sql, codec }: Column, value: unknown): Assignment {
  return { sql, placeholder: codec.placeholder, param: value === null ? null : codec.encode(value) };
}

/** Assigns members without a column to the column that they share; without any it is empty. */
export function assignOthers({ extraJson }: Table, others: Members): Assignment {
  const param = Object.keys(others).length === 0 ? null : extraJson.encode(others);
  return { sql: quoteName(EXTRA), placeholder: extraJson.placeholder, param };
}

/** Stores members as JSON in a column of text. */
export const JSON_TEXT: Pick<Codec, "encode" | "decode"> = {
  encode: (members) => encodeMembers(members as Members),
  decode: (json) => decodeMembers(String(json)),
};
