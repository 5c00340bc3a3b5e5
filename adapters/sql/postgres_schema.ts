/**
 * The tables in PostgreSQL: those of `@auth/pg-adapter`, with ids of type text.
 *
 * @module
 */
import type { ColumnOf, TableNaming } from "./column_names.ts";
import { EXTRA, indexesOf, type Kind, quoteName, type TableId, type TableNames, TABLES } from "./schema.ts";

/** The names that `@auth/pg-adapter` gives to its tables. */
export const POSTGRES_NAMES: TableNames = {
  users: "users",
  accounts: "accounts",
  sessions: "sessions",
  verificationTokens: "verification_token",
  authenticators: "authenticators",
  onceMarks: "once_marks",
  records: "auth_records",
  buckets: "auth_buckets",
};

/** Where the tables are. */
export interface TableLocation extends TableNaming {
  /** The schema; by default the first of the connection's `search_path`. */
  readonly schema: string | undefined;
}

const TYPES: Readonly<Record<Kind, string>> = {
  text: "text",
  integer: "bigint",
  timestamp: "timestamptz",
  boolean: "boolean",
  // Not jsonb, which holds neither NUL nor half of a surrogate pair.
  json: "json",
};

/** Tables with a primary key `id` beside the columns of their key. */
const WITH_ID: readonly TableId[] = ["accounts", "sessions"];

const RANDOM_ID = "gen_random_uuid()::text";

/** Writes a table's name, with its schema, as a statement needs it. */
export function qualifiedName({ schema: chosen, schemas, names }: TableLocation, id: TableId): string {
  const schema = chosen ?? schemas?.[id];
  return schema === undefined ? quoteName(names[id]) : `${quoteName(schema)}.${quoteName(names[id])}`;
}

/**
 * Lists the statements that add what is missing and change nothing else.
 *
 * They depend on what exists, not on a version: the tables may be those of other software, and there is no place for a
 * version that is ours in each database. A column that is renamed one day needs a statement that looks for the old name.
 *
 * @param columnOf The names of the columns that exist. Without it each has the name of its member.
 */
export function migrationStatements(location: TableLocation, columnOf: ColumnOf = (_id, member) => member): string[] {
  const { schema } = location;
  return [
    // `create schema if not exists` needs the right to create schemas even if it creates nothing.
    ...(schema === undefined
      ? []
      : [block(`if to_regnamespace('${quoteName(schema)}') is null then create schema ${quoteName(schema)}; end if;`)]),
    ...location.ids.flatMap((id) => tableStatements(location, id, columnOf)),
  ];
}

function tableStatements(location: TableLocation, id: TableId, columnOf: ColumnOf): string[] {
  const table = qualifiedName(location, id);
  const columns = columnsOf(id, columnOf);
  const rowId = { name: columnOf(id, "id"), rest: `text primary key default ${RANDOM_ID}` };
  const all = [...(WITH_ID.includes(id) ? [rowId] : []), ...columns].map(({ name, rest }) =>
    `  ${quoteName(name)} ${rest}`
  ).join(",\n");
  return [
    `create table if not exists ${table} (\n${all}\n)`,
    // Nullable, because existing rows have no value for a new column.
    ...columns.map(({ name, type }) => `alter table ${table} add column if not exists ${quoteName(name)} ${type}`),
    ...idStatements(location, id, columnOf),
    ...indexStatements(location, id, columnOf),
    ...ownerStatements(location, id, columnOf),
  ];
}

interface ColumnText {
  readonly name: string;
  readonly type: string;
  /** Type and constraints in a new table. */
  readonly rest: string;
}

function columnsOf(id: TableId, columnOf: ColumnOf): ColumnText[] {
  const own = TABLES[id].columns.map(({ name, kind, empty, isOrdered }): ColumnText => {
    const type = `${TYPES[kind]}${isOrdered ? ' collate "C"' : ""}`;
    const primary = id === "users" && name === "id" ? ` primary key default ${RANDOM_ID}` : "";
    return { name: columnOf(id, name), type, rest: `${type}${empty === "never" ? " not null" : ""}${primary}` };
  });
  const extra = { name: columnOf(id, EXTRA), type: "jsonb", rest: "jsonb" };
  return [...own, ...(TABLES[id].isPlain ? [] : [extra])];
}

/** Adds a default to ids of type text or uuid that the adapter does not write. */
function idStatements(location: TableLocation, id: TableId, columnOf: ColumnOf): string[] {
  const name = columnOf(id, "id");
  if (id !== "users" && !WITH_ID.includes(id)) return [];
  if (location.fills?.[id]?.some((fill) => fill.column === name)) return [];
  const table = qualifiedName(location, id);
  const column = `from pg_attribute where attrelid = '${table}'::regclass and attname = ${quoteText(name)}`;
  return [["text", RANDOM_ID], ["uuid", "gen_random_uuid()"]].map(([type, id]) =>
    block(
      `if exists (select ${column} and atttypid = '${type}'::regtype and not atthasdef) then ` +
        `alter table ${table} alter column ${quoteName(name)} set default ${id}; end if;`,
    )
  );
}

function indexStatements(location: TableLocation, id: TableId, columnOf: ColumnOf): string[] {
  const { key, unique } = TABLES[id];
  const index = (kind: string, members: readonly string[], suffix: string): string => {
    const name = quoteName(`${location.names[id]}_${suffix}`);
    const columns = members.map((member) => quoteName(columnOf(id, member))).join(", ");
    return `create ${kind} if not exists ${name} on ${qualifiedName(location, id)} (${columns})`;
  };
  return [
    index("unique index", key, "key_unique"),
    ...(unique ? [index("unique index", [unique], `${unique}_unique`)] : []),
    ...indexesOf(id).map((columns) => index("index", columns, `${wordOf(columns)}_index`)),
  ];
}

/** The column that an index is named for: one that no other index of the table has. */
function wordOf(columns: readonly string[]): string | undefined {
  return columns.at(-1) === "id" ? columns[0] : columns.at(-1);
}

function ownerStatements(location: TableLocation, id: TableId, columnOf: ColumnOf): string[] {
  if (!TABLES[id].owned || !location.ids.includes("users")) return [];
  const [table, users] = [qualifiedName(location, id), qualifiedName(location, "users")];
  const known = `select from pg_constraint where contype = 'f' and conrelid = '${table}'::regclass` +
    ` and confrelid = '${users}'::regclass`;
  const [user, owner] = [columnOf("users", "id"), columnOf(id, "userId")];
  // A table that is new in a database of uuids. Of one that existed before, it was said that it cannot be used.
  const of = (name: string, column: string) =>
    `(select atttypid from pg_attribute where attrelid = '${name}'::regclass and attname = ${quoteText(column)})`;
  const isOther = `${of(users, user)} = 'uuid'::regtype and ${of(table, owner)} = 'text'::regtype`;
  const toUuid = `alter table ${table} alter column ${quoteName(owner)} type uuid using ${quoteName(owner)}::uuid`;
  // `not valid`: other software may have left rows whose user is gone.
  const constraint = `foreign key (${quoteName(owner)}) references ${users} (${quoteName(user)}) on delete cascade ` +
    "not valid";
  return [
    block(`if ${isOther} then ${toUuid}; end if;`),
    block(`if not exists (${known}) then alter table ${table} add ${constraint}; end if;`),
  ];
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function block(body: string): string {
  return `do $$ begin ${body} end $$`;
}
