/**
 * A table as it was found in a database: which members of a record have a column, and how each is converted.
 *
 * @module
 */
import type { Fill } from "./column_names.ts";
import { quoteName } from "./names.ts";
import { EXTRA, type Kind, type TableId, TABLES } from "./schema.ts";
import { randomUuid } from "../../src/crypto/random.ts";
import { decodeMembers, encodeMembers } from "../../src/kernel/dated_json.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import type { Codec, Param } from "./values.ts";

export type Members = Readonly<Record<string, unknown>>;

/** A row as it was selected: columns by their place in the list. */
export type Row = Readonly<Record<number, unknown>>;

/** How a database stores each kind of value, and the members without a column. */
export type Codecs = Readonly<Record<Kind | "extraJson", Codec>>;

/** A column that a database has. */
export interface FoundColumn {
  readonly name: string;
  /** The member of a record that it holds. */
  readonly member: string;
  /** How it stores values if the schema does not know it. */
  readonly codec: Codec;
  /** How it stores values if the schema knows it and its type is another one. */
  readonly override?: Codec | undefined;
}

export interface Column {
  /** The name of the record's member. */
  readonly name: string;
  /** Its name as a statement writes it. */
  readonly sql: string;
  /** Compares it with a parameter, byte by byte. @param prefix The table's alias and a dot, where it has one. */
  readonly isEqual: (prefix?: string) => string;
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
  /** Columns that no record has and that the database does not fill, by when they are written. */
  readonly fills: readonly Fill[];
  /** The column of members that have none of their own. */
  readonly extra: Pick<Column, "sql" | "codec">;
  /** Whether no such members are stored. */
  readonly isPlain: boolean;
  /** The columns as a statement selects them. */
  readonly list: string;
  readonly width: number;
  /** The column of a member of the schema. @throws {TypeError} if there is none: the store checks that before. */
  column(name: string): Column;
  /** Fills a column that no record has. */
  fill(fill: Fill): Assignment;
  /** Reads the record of a row whose columns were selected from `first` on. */
  read(row: Row, first?: number): Stored;
  /** Reads the members without a column of a row whose columns were all selected. */
  readOthers(row: Row): Members;
}

/** How a database spells what differs between databases. */
export interface Spelling {
  /** Quotes a name. */
  readonly quote: (name: string) => string;
  /** Compares a column with a parameter, byte by byte. @param sql The column as a statement writes it. */
  readonly isEqual: (column: FoundColumn | undefined, sql: string) => string;
}

const STANDARD: Spelling = { quote: quoteName, isEqual: (_column, sql) => `${sql} = ?` };

export interface TableSource {
  readonly id: TableId;
  /** Its name as a statement writes it. */
  readonly sql: string;
  /** The columns that the database says it has. */
  readonly found: readonly FoundColumn[];
  readonly codecs: Codecs;
  readonly fills?: readonly Fill[] | undefined;
  readonly spelling?: Spelling;
}

/** Makes a table of its schema and of what was found. */
export function makeTable<Stored>(
  { id, sql, found, codecs, fills = [], spelling = STANDARD }: TableSource,
): Table<Stored> {
  const { columns: specs, key, isPlain = false } = TABLES[id];
  const byMember = new Map(found.map((column) => [column.member, column]));
  const columnOf = (member: string, rest: Pick<Column, "codec" | "optional" | "custom">): Column => {
    const column = byMember.get(member);
    const sql = spelling.quote(column?.name ?? member);
    return { name: member, sql, isEqual: (prefix = "") => spelling.isEqual(column, prefix + sql), ...rest };
  };
  const usable = specs.filter(({ name, isLater }) => !isLater || byMember.has(name));
  const known = usable.map(({ name, kind, empty }) => {
    const codec = byMember.get(name)?.override ?? codecs[kind];
    return columnOf(name, { codec, optional: empty === "absent", custom: false });
  });
  const extra = columnOf(EXTRA, { codec: codecs.extraJson, optional: true, custom: false });
  const custom = isPlain ? [] : customColumns(id, found);
  const all = [
    ...known,
    ...custom.map(({ member, codec }) => columnOf(member, { codec, optional: false, custom: true })),
  ];
  const columns = new Map(all.map((column) => [column.name, column]));
  const parts = { columns, extra, isPlain };
  return {
    ...parts,
    sql,
    key: known.filter(({ name }) => key.includes(name)),
    fills,
    list: selectList(parts, { first: 0 }),
    width: columns.size + 1,
    column: (name) => {
      const column = columns.get(name);
      if (!column) throw new TypeError(`Cannot use column "${name}": table ${sql} has none`);
      return column;
    },
    fill: (each) => {
      const codec = found.find(({ name }) => name === each.column)?.codec ??
        codecs[each.with === "id" ? "text" : "timestamp"];
      const value = each.with === "id" ? randomUuid(systemRuntime) : new Date(systemRuntime.now());
      return { sql: spelling.quote(each.column), placeholder: codec.placeholder, param: codec.encode(value) };
    },
    // The columns are those of the contract, and the adapter wrote what is in them.
    read: (row, first = 0) => readRecord(parts, row, first) as Stored,
    readOthers: (row) => readOthers(extra, isPlain ? null : row[columns.size]),
  };
}

function customColumns(id: TableId, found: readonly FoundColumn[]): FoundColumn[] {
  const known = new Set([EXTRA, ...TABLES[id].columns.map(({ name }) => name)]);
  // The adapters of Auth.js number rows. That number is not a member of the record.
  if (id !== "users") known.add("id");
  return found.filter(({ member }) => !known.has(member));
}

/**
 * Lists the columns of a table for a statement.
 *
 * They are renamed to their places, from `first` on: no driver's own way of spelling names changes a number, and the
 * columns of two tables can stand side by side.
 */
export function selectList(
  { columns, extra, isPlain }: Pick<Table, "columns" | "extra" | "isPlain">,
  { alias, first }: { readonly alias?: string; readonly first: number },
): string {
  const prefix = alias ? `${alias}.` : "";
  return [...columns.values(), ...(isPlain ? [] : [extra])]
    .map(({ sql, codec }, index) => `${codec.read(prefix + sql)} as "${first + index}"`).join(", ");
}

function readRecord({ columns, extra }: Pick<Table, "columns" | "extra">, row: Row, first: number): Members {
  const record: Record<string, unknown> = {};
  let at = first;
  for (const { name, codec, optional } of columns.values()) {
    const stored = row[at++];
    if (stored !== null) record[name] = codec.decode(stored);
    else if (!optional) record[name] = null;
  }
  return mergeOthers(record, readOthers(extra, row[at]));
}

/** Reads what the column of members without a column holds. */
export function readOthers({ codec }: Table["extra"], stored: unknown): Members {
  return stored === null || stored === undefined ? NONE : codec.decode(stored) as Members;
}

const NONE: Members = {};

// A column that was added later is empty in older rows, whose value is still among the other members.
function mergeOthers(record: Members, others: Members): Members {
  if (others === NONE) return record;
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
export function assignOthers({ extra: { sql, codec } }: Table, others: Members): Assignment {
  const param = Object.keys(others).length === 0 ? null : codec.encode(others);
  return { sql, placeholder: codec.placeholder, param };
}

/** Stores members as JSON in a column of text. */
export const JSON_TEXT: Pick<Codec, "encode" | "decode"> = {
  encode: (members) => encodeMembers(members as Members),
  decode: (json) => decodeMembers(String(json)),
};
