/**
 * The names of tables and columns: as they were chosen, else as the client of the database knows them, else as the
 * adapter of Auth.js has them.
 *
 * @module
 */
import { InvalidConfig } from "../../src/kernel/errors.ts";
import type { ColumnNames, Fills, TableNaming } from "./column_names.ts";
import { drizzleNames, isDrizzleTable } from "./drizzle_names.ts";
import type { ClientNames } from "./found_names.ts";
import { kyselyNames } from "./kysely_names.ts";
import { prismaNames } from "./prisma_names.ts";
import {
  chosenColumns,
  TABLE_IDS,
  type TableId,
  type TableNameOptions,
  type TableNames,
  tableNames,
  type TableOptions,
} from "./schema.ts";

export interface NamingChoices {
  /** What the adapter was given: a client that may know its tables. */
  readonly source: unknown;
  readonly tables: TableNameOptions;
  /** The names that tables have if nothing is known of them. */
  readonly defaults: TableNames;
  /** The tables to use. */
  readonly ids: readonly TableId[];
}

/** @throws {InvalidConfig} if a name is not a valid identifier, or two tables have the same name. */
export function tableNaming({ source, tables, defaults, ids }: NamingChoices): TableNaming {
  const { named, ofDrizzle } = split(tables);
  const chosen = { ...Object.fromEntries(TABLE_IDS.map((id) => [id, nameOf(named[id])])), ...ofDrizzle };
  const known = prismaNames(source, chosen) ?? drizzleNames(source, chosen) ?? kyselyNames(source, chosen);
  const own = chosenColumns(named);
  if (!known) {
    for (const id of Object.keys(ofDrizzle)) {
      throw new InvalidConfig(
        `Cannot use option \`tables.${id}\`: it is a table of Drizzle. Pass what \`drizzle()\` returns as the connection`,
      );
    }
    return { ids, names: tableNames(named, defaults), columns: own };
  }
  const of = <Value>(read: (table: ClientNames["tables"][TableId]) => Value) => {
    // Each id has one.
    return Object.fromEntries(TABLE_IDS.map((id) => [id, read(known.tables[id])])) as Record<TableId, Value>;
  };
  const columns: ColumnNames = Object.fromEntries(
    TABLE_IDS.map((id) => [id, new Map([...known.tables[id].columns, ...own[id] ?? []])]),
  );
  const fills: Fills = of((table) => table.fills);
  const schemas = Object.fromEntries(
    Object.entries(of((table) => table.schema)).filter(([, schema]) => schema !== undefined),
  );
  return { ids, names: tableNames({}, of((table) => table.name)), columns, fills, schemas };
}

/** Parts what was chosen as a table of Drizzle from what was chosen by name. */
function split(tables: TableNameOptions) {
  const named: Partial<Record<TableId, string | TableOptions>> = {};
  const ofDrizzle: Partial<Record<TableId, object>> = {};
  for (const id of TABLE_IDS) {
    const option = tables[id];
    if (isDrizzleTable(option)) ofDrizzle[id] = option;
    // Whatever else is an object is read as options.
    else if (option !== undefined) named[id] = option as string | TableOptions;
  }
  return { named, ofDrizzle };
}

function nameOf(option: string | TableOptions | undefined): string | undefined {
  return typeof option === "object" ? option.name : option;
}
