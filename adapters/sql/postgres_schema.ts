/**
 * The tables in PostgreSQL: those of `@auth/pg-adapter`, with ids of type text.
 *
 * @module
 */
import { columnNames, type ColumnOf, type TableNaming } from "./column_names.ts";
import { quoteName } from "./names.ts";
import { EXTRA, indexesOf, indexName, type Kind, type TableId, type TableNames, TABLES } from "./schema.ts";

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

/** A statement that adds something, and the condition under which it is run. */
export interface MigrationStatement {
  readonly sql: string;
  readonly onlyIf?: string;
}

/** What exists before a migration. */
export interface Existing {
  /** The names of the columns. @default those that they will have */
  readonly columnOf?: ColumnOf;
  /** Whether the table of users has ids that are not unique. */
  readonly hasSharedIds?: boolean;
}

/**
 * Lists the statements that add what is missing and change nothing else.
 *
 * They depend on what exists, not on a version: the tables may be those of other software, and there is no place for a
 * version that is ours in each database. A column that is renamed one day needs a statement that looks for the old name.
 */
export function migrationStatements(
  location: TableLocation,
  { columnOf = columnNames(location), hasSharedIds = false }: Existing = {},
): MigrationStatement[] {
  const { schema } = location;
  return [
    // `create schema if not exists` needs the right to create schemas even if it creates nothing.
    ...(schema === undefined ? [] : [{
      sql: `create schema ${quoteName(schema)}`,
      onlyIf: `to_regnamespace(${quoteText(quoteName(schema))}) is null`,
    }]),
    ...location.ids.flatMap((id) => tableStatements(location, id, { columnOf, hasSharedIds })),
  ];
}

/** Writes a statement as it is run by hand. */
export function printStatement({ sql, onlyIf }: MigrationStatement): string {
  if (onlyIf === undefined) return sql;
  const body = `begin if ${onlyIf} then ${sql}; end if; end`;
  // A name may contain what ends a block.
  let tag = "$$";
  for (let at = 1; body.includes(tag); at += 1) tag = `$x${at}$`;
  return `do ${tag} ${body} ${tag}`;
}

/** What is there of a table. */
export interface FoundParts {
  readonly columnOf: ColumnOf;
  /** The members of a record that have a column. Without any there is no table. */
  readonly members: readonly string[];
  readonly isUnique: boolean;
}

/** Lists the statements that make a table, or add what it lacks. */
export function additions(
  location: TableLocation,
  id: TableId,
  { columnOf, members, isUnique }: FoundParts,
): string[] {
  const [table, ...others] = tableStatements(location, id, { columnOf, hasSharedIds: !isUnique && members.length > 0 });
  const known = members.map((member) => ` add column if not exists ${quoteName(columnOf(id, member))} `);
  const added = others.map(({ sql }) => sql).filter((sql) => {
    if (sql.startsWith("create unique index")) return !isUnique || members.length === 0;
    return members.length > 0 && sql.includes(" add column if not exists ") &&
      !known.some((column) => sql.includes(column));
  });
  return members.length === 0 && table ? [table.sql, ...added] : added;
}

function tableStatements(
  location: TableLocation,
  id: TableId,
  { columnOf, hasSharedIds }: Required<Existing>,
): MigrationStatement[] {
  const table = qualifiedName(location, id);
  const columns = columnsOf(id, columnOf);
  const rowId = { name: columnOf(id, "id"), rest: `text primary key default ${RANDOM_ID}` };
  const all = [...(WITH_ID.includes(id) ? [rowId] : []), ...columns].map(({ name, rest }) =>
    `  ${quoteName(name)} ${rest}`
  ).join(",\n");
  return [
    { sql: `create table if not exists ${table} (\n${all}\n)` },
    // Nullable, because existing rows have no value for a new column.
    ...columns.map(({ name, type }) => ({
      sql: `alter table ${table} add column if not exists ${quoteName(name)} ${type}`,
    })),
    ...idStatements(location, id, columnOf),
    ...indexStatements(location, id, { columnOf, hasSharedIds }),
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
function idStatements(location: TableLocation, id: TableId, columnOf: ColumnOf): MigrationStatement[] {
  const name = columnOf(id, "id");
  if (id !== "users" && !WITH_ID.includes(id)) return [];
  if (location.fills?.[id]?.some((fill) => fill.column === name)) return [];
  const table = qualifiedName(location, id);
  return [["text", RANDOM_ID], ["uuid", "gen_random_uuid()"]].map(([type, value]) => ({
    sql: `alter table ${table} alter column ${quoteName(name)} set default ${value}`,
    onlyIf: `exists (select ${ofColumn(table, name)} and atttypid = '${type}'::regtype and not atthasdef)`,
  }));
}

function indexStatements(
  location: TableLocation,
  id: TableId,
  { columnOf, hasSharedIds }: Required<Existing>,
): MigrationStatement[] {
  const { key, unique } = TABLES[id];
  const index = (kind: string, members: readonly string[], name: string): MigrationStatement => {
    const columns = members.map((member) => quoteName(columnOf(id, member))).join(", ");
    return {
      sql: `create ${kind} if not exists ${quoteName(name)} on ${qualifiedName(location, id)} (${columns})`,
    };
  };
  const table = location.names[id];
  // The primary key makes ids of users unique, unless the table is that of other software.
  const isKeyed = id === "users" && !hasSharedIds;
  return [
    ...(isKeyed ? [] : [index("unique index", key, indexName(table, "key", "unique"))]),
    ...(unique ? [index("unique index", [unique], indexName(table, [unique], "unique"))] : []),
    ...indexesOf(id).map((members) => index("index", members, indexName(table, members, "index"))),
  ];
}

function ownerStatements(location: TableLocation, id: TableId, columnOf: ColumnOf): MigrationStatement[] {
  if (!TABLES[id].owned || !location.ids.includes("users")) return [];
  const [table, users] = [qualifiedName(location, id), qualifiedName(location, "users")];
  const [user, owner] = [columnOf("users", "id"), columnOf(id, "userId")];
  // A table that is new in a database of uuids. Of one that existed before, it was said that it cannot be used.
  const typeOf = (name: string, column: string) => `(select atttypid ${ofColumn(name, column)})`;
  return [
    {
      sql: `alter table ${table} alter column ${quoteName(owner)} type uuid using ${quoteName(owner)}::uuid`,
      onlyIf: `${typeOf(users, user)} = 'uuid'::regtype and ${typeOf(table, owner)} = 'text'::regtype`,
    },
    {
      // `not valid`: other software may have left rows whose user is gone.
      sql: `alter table ${table} add foreign key (${quoteName(owner)}) references ${users} (${quoteName(user)}) ` +
        "on delete cascade not valid",
      onlyIf: `not exists (select from pg_constraint where contype = 'f' and conrelid = ${regclass(table)}` +
        ` and confrelid = ${regclass(users)})`,
    },
  ];
}

function ofColumn(table: string, column: string): string {
  return `from pg_attribute where attrelid = ${regclass(table)} and attname = ${quoteText(column)}`;
}

function regclass(table: string): string {
  return `${quoteText(table)}::regclass`;
}

/** Quotes text for a statement, whatever backslashes mean to the server. */
function quoteText(text: string): string {
  const quoted = `'${text.replaceAll("'", "''").replaceAll("\\", "\\\\")}'`;
  return text.includes("\\") ? `E${quoted}` : quoted;
}
