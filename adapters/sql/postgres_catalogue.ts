/**
 * What the catalogue of PostgreSQL says about tables that other software may have made.
 *
 * @module
 */
import { columnNames, type ColumnOf, membersOf } from "./column_names.ts";
import { describeColumn, describeDuplicates, duplicatesQuery } from "./unusable_tables.ts";
import type { Query } from "./postgres_driver.ts";
import { qualifiedName, type TableLocation } from "./postgres_schema.ts";
import { quoteName } from "./names.ts";
import { EXTRA, type Kind, type TableId, TABLES, uniquesOf } from "./schema.ts";

/** A column that exists. */
export interface FoundType {
  readonly name: string;
  /** The member of a record that it holds. */
  readonly member: string;
  readonly type: string;
  /** The type under its type, if that is a domain; otherwise its type. */
  readonly base: string;
  /** The category of `base`: `S` for text, `N` for numbers. */
  readonly category: string;
}

/** The columns of each table. A table that does not exist has none. */
export type FoundTypes = ReadonlyMap<string, readonly FoundType[]>;

/** Looks up the columns. */
export async function findTypes(location: TableLocation, query: Query): Promise<FoundTypes> {
  const rows = await query(
    `select wanted.id as "0", a.attname::text as "1", t.typname::text as "2", b.typname::text as "3",
       b.typcategory::text as "4"
     from (values ${location.ids.map(() => "(?::text, ?::text)").join(", ")}) as wanted (id, name)
     join pg_attribute a on a.attrelid = to_regclass(wanted.name)
     join pg_type t on t.oid = a.atttypid
     join pg_type b on b.oid = coalesce(nullif(t.typbasetype, 0), t.oid)
     where a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     order by a.attnum`,
    location.ids.flatMap((id) => [id, qualifiedName(location, id)]),
  );
  const found = new Map<string, FoundType[]>();
  for (const row of rows) {
    const [id = "", name = "", type = "", base = "", category = ""] = [0, 1, 2, 3, 4].map((at) => String(row[at]));
    found.set(id, [...found.get(id) ?? [], { name, member: name, type, base, category }]);
  }
  for (const id of location.ids) {
    const columns = found.get(id);
    if (!columns) continue;
    const members = membersOf(id, columns.map(({ name }) => name), location.columns?.[id]);
    found.set(
      id,
      columns.flatMap((column) => {
        const member = members.get(column.name);
        return member === undefined ? [] : [{ ...column, member }];
      }),
    );
  }
  return found;
}

/** Describes the columns that cannot hold what they must. */
export function findUnusableColumns({ names, ids: tables }: TableLocation, found: FoundTypes): string[] {
  const ids = found.get("users")?.find(({ member }) => member === "id");
  return tables.flatMap((id) =>
    (found.get(id) ?? []).flatMap((column) => {
      const { name, member, type, base } = column;
      const kind = member === EXTRA ? "extraJson" : TABLES[id].columns.find((spec) => spec.name === member)?.kind;
      if (kind && !FITS[kind](column)) {
        return [describeColumn({ table: names[id], column: name, holds: type, needs: NEEDS[kind] })];
      }
      // A column that refers to users can only be compared with their ids if it has their type.
      const refers = TABLES[id].owned && member === "userId" && ids && FITS.text(ids);
      if (!refers || (base === "uuid") === (ids.base === "uuid")) return [];
      const needs = `${ids.type} as ${quoteName(ids.name)} of ${
        quoteName(names.users)
      } does. Change the type of one of them`;
      return [describeColumn({ table: names[id], column: name, holds: type, needs })];
    })
  );
}

const FITS: Readonly<Record<Kind | "extraJson", (column: FoundType) => boolean>> = {
  text: ({ base, category }) => ["S", "E"].includes(category) || base === "uuid",
  integer: ({ category }) => category === "N",
  timestamp: ({ base }) => base === "timestamptz" || base === "timestamp",
  boolean: ({ base }) => base === "bool",
  json: ({ base }) => base === "json",
  extraJson: ({ base, category }) => base === "jsonb" || base === "json" || category === "S",
};

const NEEDS: Readonly<Record<Kind | "extraJson", string>> = {
  text: "text, because ids are not numbers. Change its type to text, and that of the columns which refer to it",
  integer: "whole numbers. Change its type to bigint",
  timestamp: "timestamps. Change its type to timestamptz, `using` an expression that converts its values",
  boolean: "booleans. Change its type to boolean",
  json: "JSON. Change its type to json",
  extraJson: "JSON. Change its type to jsonb, or rename it",
};

/** Columns that must be unique and have no unique index. */
export interface MissingUnique {
  readonly id: TableId;
  readonly columns: readonly string[];
}

/** Lists the unique indexes that existing tables lack. */
export async function findMissingUniques(
  location: TableLocation,
  found: FoundTypes,
  query: Query,
): Promise<MissingUnique[]> {
  const columnOf = columnsIn(location, found);
  const wanted = location.ids.flatMap((id) => {
    return uniquesOf(id).map((members) => ({ id, columns: members.map((member) => columnOf(id, member)) }));
  });
  const rows = await query(
    `select wanted.at as "0"
     from (values ${wanted.map(() => "(?::int, ?::text, ?::text)").join(", ")}) as wanted (at, name, columns)
     where to_regclass(wanted.name) is not null and not exists (
       select from pg_index i
       where i.indrelid = to_regclass(wanted.name) and i.indisunique and i.indisvalid and i.indpred is null
       and i.indexprs is null
       and not exists (
         select from unnest((i.indkey::int2[])[0:i.indnkeyatts - 1]) as part (number)
         join pg_attribute a on a.attrelid = i.indrelid and a.attnum = part.number
         where a.attname::text <> all (string_to_array(wanted.columns, chr(10)))))
     order by wanted.at`,
    wanted.flatMap(({ id, columns }, at) => [String(at), qualifiedName(location, id), columns.join("\n")]),
  );
  return rows.flatMap((row) => wanted[Number(row[0])] ?? []);
}

/** Gives the names of columns: those that were found, else those that they will have. */
export function columnsIn(location: TableLocation, found: FoundTypes): ColumnOf {
  return columnNames(location, (id) => found.get(id) ?? []);
}

/** Describes the tables with rows that keep a unique index from being made. */
export async function findDuplicates(location: TableLocation, found: FoundTypes, query: Query): Promise<string[]> {
  const problems: string[] = [];
  for (const { id, columns } of await findMissingUniques(location, found, query)) {
    if (!columns.every((column) => found.get(id)?.some(({ name }) => name === column))) continue;
    const sql = duplicatesQuery(qualifiedName(location, id), columns.map(quoteName));
    const rows = await query(`${sql} limit 1`, []);
    if (rows.length > 0) problems.push(describeDuplicates(location.names[id], columns, sql));
  }
  return problems;
}
