/**
 * What a Drizzle database, and the tables of Drizzle, know of their names.
 *
 * @module
 */
import { InvalidConfig } from "../../src/kernel/errors.ts";
import type { Fill } from "./column_names.ts";
import {
  chosenName,
  type ChosenTables,
  type ClientDialect,
  type ClientNames,
  completeNames,
  type FoundTable,
  foundTable,
  peek,
  peekEntries,
  peekText,
} from "./found_names.ts";
import { TABLE_IDS, type TableId, TABLES } from "./schema.ts";
import { SQLITE_NAMES } from "./sqlite_schema.ts";

const KIND = Symbol.for("drizzle:entityKind");
const IS_TABLE = Symbol.for("drizzle:IsDrizzleTable");
const NAME = Symbol.for("drizzle:Name");
const SCHEMA = Symbol.for("drizzle:Schema");
const COLUMNS = Symbol.for("drizzle:Columns");

/** The names of dialects in Drizzle. */
const DIALECTS: readonly (readonly [RegExp, ClientDialect])[] = [
  [/^(?:Aws)?PgDialect$/, "postgres"],
  [/^MySqlDialect$/, "mysql"],
  [/^SQLite\w*Dialect$/, "sqlite"],
];

/**
 * Reads the names of a Drizzle database. `tables` has tables of Drizzle, their names, or their keys in the schema that
 * was passed to `drizzle()`. Without a schema, tables have the names of `@auth/drizzle-adapter`.
 *
 * @returns `null` for anything else.
 * @throws {InvalidConfig} if a table cannot be used.
 */
export function drizzleNames(db: unknown, chosen: ChosenTables = {}): ClientNames | null {
  const kind = peekText(db, "dialect", "constructor", KIND);
  if (kind === undefined) return null;
  const schema = peekEntries(peek(db, "_", "fullSchema")).filter(([, table]) => isDrizzleTable(table));
  const convert = peek(db, "dialect", "casing", "convert");
  const tables = Object.fromEntries(TABLE_IDS.flatMap((id) => {
    const table = isDrizzleTable(chosen[id]) ? chosen[id] : pick(id, schema, chosenName(chosen, id));
    if (typeof table === "string") return [[id, foundTable(id, { name: table })]];
    return table === undefined ? [] : [[id, describe(id, table, convert)]];
  }));
  const dialect = DIALECTS.find(([form]) => form.test(kind))?.[1] ?? "unknown";
  return { dialect, tables: completeNames(tables, SQLITE_NAMES, "the schema of Drizzle") };
}

/** Whether a value is a table of Drizzle. */
export function isDrizzleTable(value: unknown): value is object {
  return typeof value === "object" && peek(value, IS_TABLE) === true && peekText(value, NAME) !== undefined;
}

/** Chooses the table from the schema: by its key or its name. What was chosen and is not there is a name. */
function pick(
  id: TableId,
  schema: readonly (readonly [string, unknown])[],
  chosen: string | undefined,
): unknown {
  const by = (test: (key: string, table: unknown) => boolean) => schema.find(([key, table]) => test(key, table))?.[1];
  if (chosen !== undefined) {
    return by((key) => key === chosen) ?? by((_, table) => peek(table, NAME) === chosen) ?? chosen;
  }
  const fits = schema.filter(([, table]) => mayBe(id, table));
  const order = [id, `${id}Table`, SQLITE_NAMES[id]];
  return order.map((wanted) => fits.find(([key]) => key === wanted)?.[1]).find(Boolean) ??
    fits.find(([, table]) => peek(table, NAME) === SQLITE_NAMES[id])?.[1];
}

/** Whether a table has the columns of the key. The application may have other `accounts`. */
function mayBe(id: TableId, table: unknown): boolean {
  const { key, unique } = TABLES[id];
  const plain = (name: string) => name.replaceAll("_", "").toLowerCase();
  const members = peekEntries(peek(table, COLUMNS)).map(([member]) => plain(member));
  return [...key, ...(unique ? [unique] : [])].every((member) => members.includes(plain(member)));
}

function describe(id: TableId, table: unknown, convert: unknown): FoundTable {
  const columns = peekEntries(peek(table, COLUMNS));
  const nameOf = (column: unknown): string => {
    const name = peekText(column, "name") ?? "";
    // A column without a name of its own has that of its key, which the option `casing` changes.
    return peek(column, "keyAsName") === true && typeof convert === "function" ? String(convert(name)) : name;
  };
  const dates = TABLES[id].columns.filter(({ kind }) => kind === "timestamp").map(({ name }) => name);
  for (const [member, column] of columns) {
    if (dates.includes(member) && isInSeconds(column)) throw new InvalidConfig(inSeconds(nameOf(column), table));
  }
  return foundTable(id, {
    name: peekText(table, NAME) ?? "",
    schema: peekText(table, SCHEMA),
    columns: new Map(columns.map(([member, column]) => [member, nameOf(column)])),
    fills: columns.flatMap(([, column]) => fillOf(column, nameOf(column)) ?? []),
  });
}

function inSeconds(column: string, table: unknown): string {
  return `Cannot use column "${column}" of table "${peekText(table, NAME)}": it holds seconds, and must hold ` +
    'milliseconds. Change its mode to "timestamp_ms", and multiply what is stored by 1000';
}

function isInSeconds(column: unknown): boolean {
  return peek(column, "columnType") === "SQLiteTimestamp" && peek(column, "mode") === "timestamp";
}

/** Says what `$defaultFn` and `$onUpdateFn` are for. What else they make, only the application knows. */
function fillOf(column: unknown, name: string): Fill | null {
  const onUpdate = typeof peek(column, "onUpdateFn") === "function";
  if (!onUpdate && typeof peek(column, "defaultFn") !== "function" || isInSeconds(column)) return null;
  const isTime = peek(column, "dataType") === "date" || /Timestamp|DateTime/.test(String(peek(column, "columnType")));
  if (isTime) return { column: name, with: "now", onUpdate };
  const isId = peek(column, "dataType") === "string" &&
    (peek(column, "primary") === true || peek(column, "isUnique") === true);
  return isId && !onUpdate ? { column: name, with: "id", onUpdate } : null;
}
