/**
 * The tables as models of other software: what `TABLES` says, and what follows from it.
 *
 * @module
 */
import { columnNames } from "../../adapters/sql/column_names.ts";
import { lengthOf } from "../../adapters/sql/mysql_schema.ts";
import { assertName, quoteName } from "../../adapters/sql/names.ts";
import {
  EXTRA,
  indexesOf,
  indexName,
  type Kind,
  TABLE_IDS,
  type TableId,
  type TableNames,
  TABLES,
} from "../../adapters/sql/schema.ts";
import { indexName as sqliteIndexName } from "../../adapters/sql/sqlite_schema.ts";
import { tableNaming } from "../../adapters/sql/table_naming.ts";
import { assertOptions, type ModelOptions } from "./options.ts";

/** A column of a {@linkcode Shape}. */
export interface ShapeColumn {
  /** The member of a record that it holds. */
  readonly name: string;
  /** Its name in the database. */
  readonly column: string;
  readonly kind: Kind | "extraJson";
  readonly isRequired: boolean;
  /** Whether rows are found by it. */
  readonly isKeyed: boolean;
  /** The most characters of a text by which rows are found, in MySQL. */
  readonly length: number;
  /** Whether it refers to a user. */
  readonly isOwner: boolean;
  /** Whether the tables of Auth.js lack it. */
  readonly isAdded: boolean;
}

/** Columns by which rows are found, other than by the key. */
export interface ShapeIndex {
  /** The members that they hold. */
  readonly columns: readonly string[];
  readonly unique: boolean;
  /** The name that the adapter gives it: it must not make the index a second time. */
  readonly name: string;
}

/** A table. */
export interface Shape {
  readonly id: TableId;
  readonly table: string;
  /** All of its columns, or with `missing` those that Auth.js's table lacks. */
  readonly columns: readonly ShapeColumn[];
  readonly key: readonly string[];
  readonly indexes: readonly ShapeIndex[];
  /** Whether Auth.js has none of it. */
  readonly isWhole: boolean;
  /** The tables whose rows refer to this one. */
  readonly owns: readonly TableId[];
  /** What has to be run by hand. */
  readonly note: string | undefined;
}

/** Describes the tables. @throws {InvalidConfig} if a name is not a valid identifier. */
export function shapesOf(options: ModelOptions, defaults: TableNames): Shape[] {
  assertOptions(options);
  const { dialect, schema, tables = {}, missing = false } = options;
  if (schema !== undefined) assertName(schema, "option `schema`");
  const naming = tableNaming({ source: null, tables, defaults, ids: TABLE_IDS });
  const columnOf = columnNames(naming);
  const owned = TABLE_IDS.filter((id) => TABLES[id].owned);
  return TABLE_IDS.map((id): Shape => {
    const { key, unique, isPlain = false } = TABLES[id];
    const isWhole = !missing || isPlain;
    const table = naming.names[id];
    const index = (columns: readonly string[], suffix: "unique" | "index"): ShapeIndex => {
      const nameOf = dialect === "sqlite" ? sqliteIndexName : indexName;
      return { columns, unique: suffix === "unique", name: nameOf(table, columns, suffix) };
    };
    return {
      id,
      table,
      columns: columnsOf(id, (member) => columnOf(id, member)).filter(({ isAdded }) => isWhole || isAdded),
      key,
      indexes: [
        ...(unique && isWhole ? [index([unique], "unique")] : []),
        ...indexesOf(id).map((columns) => index(columns, "index")),
      ],
      isWhole,
      owns: id === "users" ? owned.filter((id) => !missing || TABLES[id].isPlain) : [],
      note: dialect === "postgres" && isWhole
        ? noteOf(id, qualified(schema, table), (member) => columnOf(id, member))
        : undefined,
    };
  });
}

/** Makes comments of lines, so that what is printed can stand in a file before somebody has moved them. */
export function commented(text: string): string {
  return text.replace(/^.*$(?=\n)/gm, (line) => `// ${line}`.trimEnd());
}

/** Three columns of that length are the most that a key of MySQL holds: 3,072 bytes. */
const LENGTH = 255;

function columnsOf(id: TableId, columnOf: (member: string) => string): ShapeColumn[] {
  const { columns, key, unique, owned = false, isPlain = false } = TABLES[id];
  const keyed = new Set([...key, unique, ...indexesOf(id).flat()]);
  const own = columns.map(({ name, kind, empty, isLater = false }): ShapeColumn => ({
    name,
    column: columnOf(name),
    kind,
    isRequired: empty === "never",
    isKeyed: keyed.has(name),
    length: lengthOf(id, name) ?? LENGTH,
    isOwner: owned && name === "userId",
    isAdded: isPlain || isLater,
  }));
  const extra: ShapeColumn = {
    name: EXTRA,
    column: columnOf(EXTRA),
    kind: "extraJson",
    isRequired: false,
    isKeyed: false,
    length: LENGTH,
    isOwner: false,
    isAdded: true,
  };
  return isPlain ? own : [...own, extra];
}

/** Neither Prisma nor Drizzle can say in which order a column of PostgreSQL is. */
function noteOf(id: TableId, table: string, columnOf: (member: string) => string): string | undefined {
  const member = TABLES[id].columns.find(({ isOrdered }) => isOrdered)?.name;
  if (member === undefined) return undefined;
  const column = quoteName(columnOf(member));
  return `After the table is made, run: alter table ${table} alter column ${column} type text collate "C"`;
}

function qualified(schema: string | undefined, table: string): string {
  return schema === undefined ? quoteName(table) : `${quoteName(schema)}.${quoteName(table)}`;
}
