/**
 * How PostgreSQL keeps values and tables: as the adapter of the same family does, with ids of text.
 *
 * @module
 */
import { EXTRA, type Kind, quoteName, TABLE_IDS, type TableId, type TableNames, TABLES } from "./schema.ts";

/** The names that the adapter of the same family gives to its tables. */
export const POSTGRES_NAMES: TableNames = {
  users: "users",
  accounts: "accounts",
  sessions: "sessions",
  verificationTokens: "verification_token",
  authenticators: "authenticators",
  onceMarks: "once_marks",
};

/** Where the tables are. */
export interface PostgresPlace {
  /** The schema; without one it is what the connection says. */
  readonly schema: string | undefined;
  /** The names of the tables. */
  readonly names: TableNames;
}

const TYPES: Readonly<Record<Kind, string>> = {
  text: "text",
  integer: "bigint",
  timestamp: "timestamptz",
  boolean: "boolean",
};

/** Tables whose rows have a number of their own in the database, beside the columns that name them. */
const NUMBERED: readonly TableId[] = ["accounts", "sessions"];

const RANDOM_ID = "gen_random_uuid()::text";

/** Writes a table's name as a statement needs it. */
export function qualifiedName({ schema, names }: PostgresPlace, id: TableId): string {
  return schema === undefined ? quoteName(names[id]) : `${quoteName(schema)}.${quoteName(names[id])}`;
}

/** Lists the statements that make what is missing, and leave as it is what is there. */
export function schemaStatements(place: PostgresPlace): string[] {
  const { schema } = place;
  return [
    // Asked first, because the right to create schemas is needed even where there is nothing to create.
    ...(schema === undefined
      ? []
      : [block(`if to_regnamespace('${quoteName(schema)}') is null then create schema ${quoteName(schema)}; end if;`)]),
    ...TABLE_IDS.flatMap((id) => tableStatements(place, id)),
  ];
}

function tableStatements(place: PostgresPlace, id: TableId): string[] {
  const table = qualifiedName(place, id);
  const columns = columnsOf(id);
  const all = columns.map(({ name, rest }) => `  ${quoteName(name)} ${rest}`).join(",\n");
  return [
    `create table if not exists ${table} (\n${all}\n)`,
    // A column that is added to rows cannot be demanded of them.
    ...columns.map(({ name, type }) => `alter table ${table} add column if not exists ${quoteName(name)} ${type}`),
    ...idStatements(table, id),
    ...indexStatements(place, id),
    ...ownerStatements(place, id),
  ];
}

interface ColumnText {
  readonly name: string;
  readonly type: string;
  /** Type and constraints in a new table. */
  readonly rest: string;
}

function columnsOf(id: TableId): ColumnText[] {
  const own = TABLES[id].columns.map(({ name, kind, empty }): ColumnText => {
    const type = TYPES[kind];
    const primary = id === "users" && name === "id" ? ` primary key default ${RANDOM_ID}` : "";
    return { name, type, rest: `${type}${empty === "never" ? " not null" : ""}${primary}` };
  });
  const number = { name: "id", type: "text", rest: `text primary key default ${RANDOM_ID}` };
  const extra = { name: EXTRA, type: "jsonb", rest: "jsonb" };
  return [...(NUMBERED.includes(id) ? [number] : []), ...own, ...(id === "onceMarks" ? [] : [extra])];
}

/** Makes the database number rows that have ids of text, or UUIDs, so that whoever writes does not have to. */
function idStatements(table: string, id: TableId): string[] {
  if (id !== "users" && !NUMBERED.includes(id)) return [];
  const column = `from pg_attribute where attrelid = '${table}'::regclass and attname = 'id'`;
  return [["text", RANDOM_ID], ["uuid", "gen_random_uuid()"]].map(([type, id]) =>
    block(
      `if exists (select ${column} and atttypid = '${type}'::regtype and not atthasdef) then ` +
        `alter table ${table} alter column "id" set default ${id}; end if;`,
    )
  );
}

function indexStatements(place: PostgresPlace, id: TableId): string[] {
  const { key, unique, owned, ends } = TABLES[id];
  const index = (kind: string, columns: readonly string[], suffix: string): string => {
    const name = quoteName(`${place.names[id]}_${suffix}`);
    return `create ${kind} if not exists ${name} on ${qualifiedName(place, id)} (${columns.map(quoteName).join(", ")})`;
  };
  return [
    index("unique index", key, "key_unique"),
    ...(unique ? [index("unique index", [unique], `${unique}_unique`)] : []),
    ...(owned ? [index("index", ["userId"], "userId_index")] : []),
    ...(ends ? [index("index", ["expires"], "expires_index")] : []),
  ];
}

function ownerStatements(place: PostgresPlace, id: TableId): string[] {
  if (!TABLES[id].owned) return [];
  const [table, users] = [qualifiedName(place, id), qualifiedName(place, "users")];
  const known = `select from pg_constraint where contype = 'f' and conrelid = '${table}'::regclass` +
    ` and confrelid = '${users}'::regclass`;
  // Not checked for rows that are there: other software may have left some whose user is gone.
  const constraint = `foreign key ("userId") references ${users} ("id") on delete cascade not valid`;
  return [block(`if not exists (${known}) then alter table ${table} add ${constraint}; end if;`)];
}

function block(body: string): string {
  return `do $$ begin ${body} end $$`;
}
