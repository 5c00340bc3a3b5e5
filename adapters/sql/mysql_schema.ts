/**
 * The tables in MySQL and MariaDB: those of `@auth/drizzle-adapter`.
 *
 * @module
 */
import type { TableNaming } from "./column_names.ts";
import { columnsIn, type Found, type FoundType } from "./mysql_catalogue.ts";
import { qualifiedName, quote } from "./mysql_names.ts";
import { EXTRA, indexesOf, indexName, type Kind, type TableId, type TableNames, TABLES, uniquesOf } from "./schema.ts";

/** The names that `@auth/drizzle-adapter` gives to its tables. */
export const MYSQL_NAMES: TableNames = {
  users: "user",
  accounts: "account",
  sessions: "session",
  verificationTokens: "verificationToken",
  authenticators: "authenticator",
  onceMarks: "onceMark",
  records: "authRecord",
  buckets: "authBucket",
};

const TYPES: Readonly<Record<Kind, string>> = {
  text: "mediumtext",
  integer: "bigint",
  timestamp: "datetime(3)",
  boolean: "boolean",
  // Not json, which sorts the members of objects.
  json: "longtext",
};

/** The most characters of columns that have an index. The columns of an index have 768 at most, which are 3,072 bytes. */
const LENGTHS: Readonly<Partial<Record<TableId, Readonly<Record<string, number>>>>> = {
  users: { id: 320, email: 320 },
  accounts: { userId: 320, provider: 256, providerAccountId: 512 },
  sessions: { sessionToken: 512, userId: 320, provider: 256, providerSid: 512 },
  verificationTokens: { identifier: 512, token: 256 },
  authenticators: { credentialID: 768, userId: 320 },
  onceMarks: { key: 768 },
  records: { kind: 64, id: 320, userId: 320, group: 320 },
  buckets: { key: 256 },
};

/**
 * Ids are compared byte by byte, and a space at the end counts. The two databases have different names for that: each
 * reads one of the comments.
 */
const TABLE_OPTIONS =
  "engine = innodb default character set utf8mb4 collate /*!80017 utf8mb4_0900_bin *//*M! utf8mb4_nopad_bin */";

/** The tables as they are before a migration of an empty database. */
export const NOTHING: Found = Object.fromEntries(
  Object.keys(TABLES).map((id) => [id, { columns: [], indexes: [], refersTo: [] }]),
) as unknown as Found;

/**
 * Lists the statements that add what is missing and change nothing else.
 *
 * They depend on what exists, not on a version: the tables may be those of other software.
 */
export function migrationStatements(naming: TableNaming, found: Found = NOTHING): string[] {
  return naming.ids.flatMap((id) => {
    const lines = [
      ...columnLines(naming, id, found),
      ...indexLines(naming, id, found),
      ...ownerLines(naming, id, found),
    ];
    const table = qualifiedName(naming, id);
    if (found[id].columns.length > 0) return lines.map(({ added }) => `alter table ${table} add ${added}`);
    return [
      `create table if not exists ${table} (\n${lines.map(({ made }) => `  ${made}`).join(",\n")}\n) ${TABLE_OPTIONS}`,
    ];
  });
}

/** A column, an index or a foreign key: in a new table, and in one that exists. */
interface Line {
  readonly made: string;
  readonly added: string;
}

function columnLines(naming: TableNaming, id: TableId, found: Found): Line[] {
  const { columns, isPlain } = TABLES[id];
  const extra = { name: EXTRA, kind: "json", empty: "absent" } as const;
  const columnOf = columnsIn(naming, found);
  return [...columns, ...(isPlain ? [] : [extra])].filter(({ name }) => !has(found, id, name))
    .map(({ name, kind, empty }) => {
      const type = name === "userId" ? ownerType(naming, found) : typeOf(id, name, kind);
      // Nullable in a table that exists, because its rows have no value for a new column.
      const column = `${quote(columnOf(id, name))} ${type}`;
      const added = `column ${column} null`;
      return { made: `${column}${empty === "never" ? " not null" : " null"}`, added };
    });
}

/** The most characters of a member's column, if it has a limit of its own. */
export function lengthOf(id: TableId, member: string): number | undefined {
  return LENGTHS[id]?.[member];
}

function typeOf(id: TableId, name: string, kind: Kind): string {
  const length = lengthOf(id, name);
  return kind === "text" && length !== undefined ? `varchar(${length})` : TYPES[kind];
}

/** The type of users' ids: a foreign key needs the same one, with the same collation. */
function ownerType({ ids }: TableNaming, found: Found): string {
  const users: FoundType | undefined = found.users.columns.find(({ member }) => member === "id");
  if (!users || !ids.includes("users")) return "varchar(320)";
  const { fullType, charset, collation } = users;
  return charset === null ? fullType : `${fullType} character set ${charset} collate ${collation}`;
}

function has(found: Found, id: TableId, member: string): boolean {
  return found[id].columns.some((column) => column.member === member);
}

function indexLines(naming: TableNaming, id: TableId, found: Found): Line[] {
  const { names } = naming;
  const columnOf = columnsIn(naming, found);
  const { key } = TABLES[id];
  const isNew = found[id].columns.length === 0;
  const line = (kind: string, members: readonly string[], name: string | null): Line => {
    const columns = members.map((member) => quote(columnOf(id, member))).join(", ");
    const text = `${kind}${name === null ? "" : ` ${quote(name)}`} (${columns})`;
    return { made: text, added: text };
  };
  const { indexes } = found[id];
  const isUnique = (members: readonly string[]) =>
    indexes.some((index) => {
      return index.unique &&
        index.columns.every((column) => members.some((each) => columnOf(id, each) === column));
    });
  return [
    ...uniquesOf(id).filter((members) => !isUnique(members)).map((members) => {
      if (isNew && members === key) return line("primary key", members, null);
      return line("unique index", members, indexName(names[id], members === key ? "key" : members, "unique"));
    }),
    ...indexesOf(id).filter((members) => !indexes.some(({ name }) => name === indexName(names[id], members, "index")))
      .map((members) => line("index", members, indexName(names[id], members, "index"))),
  ];
}

function ownerLines(naming: TableNaming, id: TableId, found: Found): Line[] {
  const { names, ids } = naming;
  const columnOf = columnsIn(naming, found);
  const isKnown = found[id].refersTo.some((table) => table.toLowerCase() === names.users.toLowerCase());
  if (!TABLES[id].owned || !ids.includes("users") || isKnown) return [];
  const [owner, user] = [quote(columnOf(id, "userId")), quote(columnOf("users", "id"))];
  const text = `foreign key (${owner}) references ${qualifiedName(naming, "users")} (${user}) on delete cascade`;
  return [{ made: text, added: text }];
}
