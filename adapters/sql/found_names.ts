/**
 * The names of tables and columns, as the client of a database knows them.
 *
 * @module
 */
import { InvalidConfig } from "../../src/kernel/errors.ts";
import { kindOf } from "../../src/kernel/objects.ts";
import type { Fill } from "./column_names.ts";
import { isColumnName } from "./names.ts";
import { EXTRA, TABLE_IDS, type TableId, type TableNames, TABLES } from "./schema.ts";

/** A table that the client knows, or one that it has a name for. */
export interface FoundTable {
  readonly name: string;
  readonly schema?: string | undefined;
  /** The columns by the member of a record that they hold. The client may not know all of them. */
  readonly columns: ReadonlyMap<string, string>;
  /** Columns that the client fills itself. */
  readonly fills: readonly Fill[];
}

export interface FoundNames {
  readonly tables: Readonly<Partial<Record<TableId, FoundTable>>>;
}

/** The SQL that a client writes. */
export type ClientDialect = "postgres" | "mysql" | "sqlite" | "unknown";

/** What a client tells of itself. */
export interface ClientNames extends FoundNames {
  readonly dialect: ClientDialect;
  /** All tables. Those that the client does not know have names that fit the others. */
  readonly tables: Readonly<Record<TableId, FoundTable>>;
}

/** What was chosen as `tables`: names, or what the client has in their place. */
export type ChosenTables = Readonly<Partial<Record<TableId, unknown>>>;

/** The names of models in Auth.js's documentation, which are also those of the tables of `@auth/kysely-adapter`. */
export const MODEL_NAMES: TableNames = {
  users: "User",
  accounts: "Account",
  sessions: "Session",
  verificationTokens: "VerificationToken",
  authenticators: "Authenticator",
  onceMarks: "OnceMark",
  records: "AuthRecord",
  buckets: "AuthBucket",
};

/** Reads a member of a member, and so on. Clients are often proxies, which may throw or answer what nobody expects. */
export function peek(value: unknown, ...path: readonly PropertyKey[]): unknown {
  try {
    return path.reduce((at, key) => at === undefined || at === null ? undefined : Reflect.get(Object(at), key), value);
  } catch {
    return undefined;
  }
}

/** Reads a member that is text. */
export function peekText(value: unknown, ...path: readonly PropertyKey[]): string | undefined {
  const text = peek(value, ...path);
  return typeof text === "string" ? text : undefined;
}

/** Reads the members of an object; there are none if it is something else. */
export function peekEntries(value: unknown): [string, unknown][] {
  try {
    return typeof value === "object" && value !== null ? Object.entries(value) : [];
  } catch {
    return [];
  }
}

/** Makes a table of what the client says. */
export function foundTable(
  id: TableId,
  { name, schema, columns = new Map(), fills = [] }: Pick<FoundTable, "name" | "schema"> & Partial<FoundTable>,
): FoundTable {
  const needed = TABLES[id].columns.filter(({ empty }) => empty === "never").map(({ name }) => columns.get(name));
  const known = [...TABLES[id].columns.map(({ name }) => name), EXTRA];
  return {
    name,
    schema,
    // The others may be called as they like: they are found in the database.
    columns: new Map([...columns].filter(([member, column]) => known.includes(member) || isColumnName(column))),
    // A record has what is needed, whoever else would fill it.
    fills: fills.filter(({ column }) => isColumnName(column) && !needed.includes(column)),
  };
}

/** Reads the name that was chosen for a table. @throws {InvalidConfig} if it is not text. */
export function chosenName(chosen: ChosenTables, id: TableId): string | undefined {
  const name = chosen[id];
  if (name === undefined || typeof name === "string") return name;
  throw new InvalidConfig(`Cannot use option \`tables.${id}\`: it is ${kindOf(name)}, not a name`);
}

/**
 * Names the tables that the client does not know: as the others, in their schema and with their prefix.
 *
 * @throws {InvalidConfig} if the client knows users and no accounts: empty accounts would let nobody in.
 */
export function completeNames(
  tables: Readonly<Partial<Record<TableId, FoundTable>>>,
  defaults: TableNames,
  what: string,
): Readonly<Record<TableId, FoundTable>> {
  const { users, accounts } = tables;
  if (users && !accounts) {
    throw new InvalidConfig(
      `Cannot find the names of tables: ${what} has one of users, and none of accounts. Name it in option ` +
        "`tables.accounts`",
    );
  }
  const [, prefix = ""] = /^(.*_)users?$/i.exec(users?.name ?? "") ?? [];
  const complete = TABLE_IDS.map((id): [TableId, FoundTable] => {
    return [id, tables[id] ?? foundTable(id, { name: prefix + defaults[id], schema: users?.schema })];
  });
  // Each id has one.
  return Object.fromEntries(complete) as Readonly<Record<TableId, FoundTable>>;
}
