/**
 * Which column of a table holds which member of a record. Tables that other software made spell the names of columns in
 * their own way.
 *
 * @module
 */
import { EXTRA, type TableId, type TableNames, TABLES } from "./schema.ts";

/** The columns of a table by the member that they hold, where that does not follow from their names. */
export type ColumnNames = Readonly<Partial<Record<TableId, ReadonlyMap<string, string>>>>;

/** A column that no record has, and for which the database has no default: whoever writes a row fills it. */
export interface Fill {
  readonly column: string;
  readonly with: "id" | "now";
  /** Whether it is written again at each change of the row. */
  readonly onUpdate: boolean;
}

export type Fills = Readonly<Partial<Record<TableId, readonly Fill[]>>>;

/** The names of tables and columns. */
export interface TableNaming {
  readonly names: TableNames;
  /** The tables to use. */
  readonly ids: readonly TableId[];
  /** Names of columns that do not follow from the names of their members. */
  readonly columns?: ColumnNames | undefined;
  readonly fills?: Fills | undefined;
  /** The schemas of tables, where the client of the database knows them. */
  readonly schemas?: Readonly<Partial<Record<TableId, string>>> | undefined;
}

/** A text that is the same for the same names. */
export function namingKey({ names, ids, columns = {}, fills, schemas }: TableNaming): string {
  return JSON.stringify([names, ids, Object.entries(columns).map(([id, of]) => [id, ...of]), fills, schemas]);
}

/** Gives the name of a member's column. */
export type ColumnOf = (id: TableId, member: string) => string;

/** A column that a database has. */
interface KnownColumn {
  readonly name: string;
  readonly member: string;
}

/**
 * Gives the names of columns: those that a database has, else those that were chosen, else those of the members.
 *
 * @param columnsOf The columns that a table has. By default there are none.
 */
export function columnNames(
  { columns }: Pick<TableNaming, "columns">,
  columnsOf: (id: TableId) => readonly KnownColumn[] = () => [],
): ColumnOf {
  return (id, member) =>
    columnsOf(id).find((column) => column.member === member)?.name ?? columns?.[id]?.get(member) ?? member;
}

/**
 * Gives the member that each column of a table holds: as `named` says, or the one of the same name. A column whose name
 * differs in nothing but case and underscores holds it too, if it is the only one: `email_verified` is `emailVerified`.
 *
 * Any other column holds the member of its own name, unless another column holds that one: then it holds none.
 */
export function membersOf(
  id: TableId,
  columns: readonly string[],
  named: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  for (const [member, column] of named) if (columns.includes(column)) members.set(column, member);
  for (const member of [...TABLES[id].columns.map(({ name }) => name), EXTRA]) {
    if (named.has(member)) continue;
    const free = columns.filter((column) => !members.has(column));
    const alike = free.includes(member) ? [member] : free.filter((column) => plain(column) === plain(member));
    const [column] = alike;
    if (column !== undefined && alike.length === 1) members.set(column, member);
  }
  const held = new Set(members.values());
  for (const column of columns) if (!members.has(column) && !held.has(column)) members.set(column, column);
  return members;
}

function plain(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}
