/**
 * What the catalogue of MySQL or MariaDB says about tables that other software may have made.
 *
 * @module
 */
import { columnNames, type ColumnOf, membersOf, type TableNaming } from "./column_names.ts";
import { checkConnection, readCatalogue, type Rows } from "./mysql_information.ts";
import { qualifiedName, quote } from "./mysql_names.ts";
import type { Query } from "./mysql_pool.ts";
import { quoteName } from "./names.ts";
import { EXTRA, type Kind, type TableId, TABLES, uniquesOf } from "./schema.ts";
import { describeColumn, describeDuplicates, duplicatesQuery } from "./unusable_tables.ts";

/** A column that exists. */
export interface FoundType {
  readonly name: string;
  /** The member of a record that it holds. */
  readonly member: string;
  /** Its type without size, such as `varchar`. */
  readonly type: string;
  /** Its type as a statement writes it, such as `varchar(255)`. */
  readonly fullType: string;
  /** Of text. */
  readonly charset: string | null;
  readonly collation: string | null;
  /** The most characters of `char` and `varchar`; the most bytes of the others. */
  readonly length: number | null;
  /** Digits of the seconds. */
  readonly precision: number | null;
  /** Whether the server changes it whenever another column of the row is changed. */
  readonly changesAlone: boolean;
  readonly isRequired: boolean;
}

interface FoundIndex {
  readonly name: string;
  readonly unique: boolean;
  readonly columns: readonly string[];
}

/** A table that exists. */
export interface FoundTable {
  readonly columns: readonly FoundType[];
  readonly indexes: readonly FoundIndex[];
  /** The tables that its foreign keys refer to. */
  readonly refersTo: readonly string[];
}

/** The tables. One that does not exist has no columns. */
export type Found = Readonly<Record<TableId, FoundTable>>;

const NO_TABLE: FoundTable = { columns: [], indexes: [], refersTo: [] };

/** Looks up the tables. @throws {AdapterError} if the connection cannot be used. */
export async function findTables({ names, ids, columns: named, schemas }: TableNaming, query: Query): Promise<Found> {
  const foldsNames = await checkConnection(query);
  const isNamed = (name: string, [table]: Rows[number]) =>
    foldsNames ? table?.toLowerCase() === name.toLowerCase() : table === name;
  const found: [TableId, FoundTable][] = [];
  for (const database of new Set(ids.map((id) => schemas?.[id]))) {
    const within = ids.filter((id) => schemas?.[id] === database);
    const [columns, indexes, keys] = await readCatalogue(query, database, within.map((id) => names[id]));
    for (const id of within) {
      const own = (rows: Rows = []) => rows.filter((row) => isNamed(names[id], row));
      const rows = own(columns).filter((row) => !row[8]?.includes("GENERATED"));
      const members = membersOf(id, rows.map((row) => row[1] ?? ""), named?.[id]);
      found.push([id, {
        columns: rows.filter((row) => members.has(row[1] ?? "")).map((row) => typeOf(row, members)),
        indexes: indexesOf(own(indexes)),
        refersTo: own(keys).map((row) => row[1] ?? ""),
      }]);
    }
  }
  const none = Object.fromEntries(Object.keys(TABLES).map((id) => [id, NO_TABLE]));
  return { ...none, ...Object.fromEntries(found) } as Found;
}

function typeOf(row: readonly (string | null)[], members: ReadonlyMap<string, string>): FoundType {
  const [, name = null, type = null, fullType = null, charset = null, collation = null, length = null] = row;
  const number = (text: string | null | undefined) => text === null || text === undefined ? null : Number(text);
  return {
    name: name ?? "",
    member: members.get(name ?? "") ?? name ?? "",
    type: type?.toLowerCase() ?? "",
    fullType: fullType ?? "",
    charset,
    collation,
    length: number(length),
    precision: number(row[7]),
    changesAlone: /on update/i.test(row[8] ?? ""),
    isRequired: row[9] === "NO",
  };
}

function indexesOf(rows: readonly (readonly (string | null)[])[]): FoundIndex[] {
  const indexes = new Map<string, FoundIndex>();
  for (const [, name = null, notUnique, column = null] of rows) {
    const before = indexes.get(name ?? "")?.columns ?? [];
    // An expression has no name of a column, and its value may be the same in many rows.
    indexes.set(name ?? "", { name: name ?? "", unique: notUnique === "0", columns: [...before, column ?? "(…)"] });
  }
  return [...indexes.values()];
}

/** Gives the names of columns: those that were found, else those that they will have. */
export function columnsIn(naming: TableNaming, found: Found): ColumnOf {
  return columnNames(naming, (id) => found[id].columns);
}

/** Describes the columns that cannot hold what they must. */
export function findUnusableColumns({ names, ids }: TableNaming, found: Found): string[] {
  const userId = found.users.columns.find(({ member }) => member === "id");
  return ids.flatMap((id) =>
    found[id].columns.flatMap((column) => {
      const { name, member, fullType } = column;
      const kind = member === EXTRA ? "json" : TABLES[id].columns.find((spec) => spec.name === member)?.kind;
      if (!kind) return [];
      const describe = (holds: string, needs: string) => [
        describeColumn({ table: names[id], column: name, holds, needs }),
      ];
      if (!FITS[kind].test(column.type)) return describe(fullType, NEEDS[kind]);
      if (column.changesAlone) {
        return describe(
          "the time of the last change of its row",
          "the time that was written. Define it without `on update`",
        );
      }
      const refers = TABLES[id].owned && member === "userId" && userId;
      if (!refers || (userId.charset === column.charset && userId.collation === column.collation)) return [];
      return describe(
        `text of collation ${column.collation}`,
        `text of collation ${userId.collation} as ${quoteName(userId.name)} of ${quoteName(names.users)} does. ` +
          "Change the collation of one of them",
      );
    })
  );
}

/** The types that can hold a kind of value. */
const FITS: Readonly<Record<Kind, RegExp>> = {
  text: /^(?:(?:var)?char|(?:tiny|medium|long)?text|enum|uuid)$/,
  integer: /^(?:tiny|small|medium|big)?int$|^decimal$|^double$/,
  timestamp: /^(?:datetime|timestamp)$/,
  boolean: /^(?:tiny|small|medium|big)?int$|^bit$/,
  json: /^(?:varchar|(?:tiny|medium|long)?text|json)$/,
};

const NEEDS: Readonly<Record<Kind, string>> = {
  text: "text, because ids are not numbers. Change its type to varchar, and that of the columns which refer to it",
  integer: "whole numbers. Change its type to bigint",
  timestamp: "dates. Change its type to datetime(3), and convert its values",
  boolean: "booleans. Change its type to boolean",
  json: "JSON. Change its type to longtext, or rename it",
};

/** Columns that must be unique and have no unique index. */
interface MissingUnique {
  readonly id: TableId;
  readonly members: readonly string[];
  readonly columns: readonly string[];
}

/** Lists the unique indexes that existing tables lack. */
export function findMissingUniques(naming: TableNaming, found: Found): MissingUnique[] {
  const columnOf = columnsIn(naming, found);
  return naming.ids.filter((id) => found[id].columns.length > 0).flatMap((id) => {
    const { indexes } = found[id];
    return uniquesOf(id).map((members) => ({ id, members, columns: members.map((each) => columnOf(id, each)) }))
      .filter(({ columns }) =>
        !indexes.some((index) => index.unique && index.columns.every((one) => columns.includes(one)))
      );
  });
}

/** Describes the tables with rows that keep a unique index from being made. */
export async function findDuplicates(naming: TableNaming, found: Found, query: Query): Promise<string[]> {
  const problems: string[] = [];
  for (const { id, columns } of findMissingUniques(naming, found)) {
    if (!columns.every((column) => found[id].columns.some(({ name }) => name === column))) continue;
    const sql = duplicatesQuery(qualifiedName(naming, id), columns.map(quote));
    const rows = await query(`${sql} limit 1`, []);
    if (rows.length > 0) problems.push(describeDuplicates(naming.names[id], columns, sql));
  }
  return problems;
}
