/**
 * The names of tables and columns: as they were chosen, else as the client of the database knows them, else as the
 * adapter of Auth.js has them.
 *
 * @module
 */
import { InvalidConfig } from "../../src/kernel/errors.ts";
import { isObject, kindOf } from "../../src/kernel/objects.ts";
import type { ColumnNames, Fills, TableNaming } from "./column_names.ts";
import { drizzleNames, isDrizzleTable } from "./drizzle_names.ts";
import type { ClientNames } from "./found_names.ts";
import { kyselyNames } from "./kysely_names.ts";
import { prismaNames } from "./prisma_names.ts";
import { assertColumnName, assertName } from "./names.ts";
import {
  type ChosenNames,
  EXTRA,
  TABLE_IDS,
  type TableId,
  type TableNameOptions,
  type TableNames,
  type TableOptions,
  TABLES,
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

/** @throws {InvalidConfig} if a name is not a valid identifier, or two tables or members have the same name. */
export function tableNaming(choices: NamingChoices): TableNaming {
  const { named, ofDrizzle } = split(choices.tables);
  const naming = findNaming(choices, named, ofDrizzle);
  assertNames(naming, named);
  return naming;
}

function findNaming(
  { source, defaults, ids }: NamingChoices,
  named: ChosenNames,
  ofDrizzle: Partial<Record<TableId, object>>,
): TableNaming {
  const chosen = { ...Object.fromEntries(TABLE_IDS.map((id) => [id, chosenFor(id, named).name])), ...ofDrizzle };
  const known = prismaNames(source, chosen) ?? drizzleNames(source, chosen) ?? kyselyNames(source, chosen);
  const own = chosenColumns(named);
  if (!known) {
    for (const id of Object.keys(ofDrizzle)) {
      throw new InvalidConfig(
        `Cannot use option \`tables.${id}\`: it is a table of Drizzle. Pass what \`drizzle()\` returns as the connection`,
      );
    }
    return { ids, names: ofEach((id) => chosenFor(id, named).name ?? defaults[id]), columns: own };
  }
  const of = <Value>(read: (table: ClientNames["tables"][TableId]) => Value) => ofEach((id) => read(known.tables[id]));
  const columns: ColumnNames = Object.fromEntries(
    TABLE_IDS.map((id) => [id, new Map([...known.tables[id].columns, ...own[id] ?? []])]),
  );
  const fills: Fills = of((table) => table.fills);
  const schemas = Object.fromEntries(
    Object.entries(of((table) => table.schema)).filter(([, schema]) => schema !== undefined),
  );
  return { ids, names: of((table) => table.name), columns, fills, schemas };
}

function ofEach<Value>(read: (id: TableId) => Value): Record<TableId, Value> {
  // Each id has one.
  return Object.fromEntries(TABLE_IDS.map((id) => [id, read(id)])) as Record<TableId, Value>;
}

/** What was chosen for a table. */
function chosenFor(id: TableId, named: ChosenNames): TableOptions {
  const option = named[id];
  return typeof option === "string" ? { name: option } : option ?? {};
}

/** Gives the names of columns that were chosen. @throws {InvalidConfig} if two members have the same column. */
function chosenColumns(named: ChosenNames): Partial<Record<TableId, ReadonlyMap<string, string>>> {
  const columns: Partial<Record<TableId, ReadonlyMap<string, string>>> = {};
  for (const id of TABLE_IDS) {
    const own = new Map(Object.entries(chosenFor(id, named).columns ?? {}));
    if (own.size === 0) continue;
    const made = [...TABLES[id].columns.map(({ name }) => name), EXTRA].map((member) => own.get(member) ?? member);
    if (new Set(made).size < made.length || new Set(own.values()).size < own.size) {
      throw new InvalidConfig(`Cannot use option \`tables.${id}.columns\`: two members have the same column`);
    }
    columns[id] = own;
  }
  return columns;
}

/** Checks every name that becomes part of a statement, whoever chose it. */
function assertNames({ names, columns, fills, schemas }: TableNaming, named: ChosenNames): void {
  for (const id of TABLE_IDS) {
    const chosen = chosenFor(id, named);
    const ofClient = `what the connection knows of the table of ${id}`;
    assertName(names[id], chosen.name === undefined ? ofClient : `option \`tables.${id}\``);
    if (schemas?.[id] !== undefined) assertName(schemas[id], ofClient);
    for (const [member, column] of columns?.[id] ?? []) {
      const isChosen = Object.hasOwn(chosen.columns ?? {}, member);
      assertColumnName(column, isChosen ? `option \`tables.${id}.columns\`` : ofClient);
    }
    for (const { column } of fills?.[id] ?? []) assertColumnName(column, ofClient);
  }
  const distinct = new Set(Object.values(names).map((name) => name.toLowerCase()));
  if (distinct.size === TABLE_IDS.length) return;
  throw new InvalidConfig("Cannot use option `tables`: two tables have the same name");
}

/** Parts what was chosen as a table of Drizzle from what was chosen by name. */
function split(tables: TableNameOptions) {
  const named: Partial<Record<TableId, string | TableOptions>> = {};
  const ofDrizzle: Partial<Record<TableId, object>> = {};
  for (const id of TABLE_IDS) {
    const option = tables[id];
    if (isDrizzleTable(option)) ofDrizzle[id] = option;
    // Whatever else is an object is read as options.
    else if (typeof option === "string" || isObject(option)) named[id] = option as string | TableOptions;
    else if (option !== undefined) {
      throw new InvalidConfig(`Cannot use option \`tables.${id}\`: it is ${kindOf(option)}, not a name`);
    }
  }
  return { named, ofDrizzle };
}
