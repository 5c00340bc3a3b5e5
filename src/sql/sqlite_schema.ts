/**
 * How SQLite keeps values and tables: as Drizzle's adapter of the same family does.
 *
 * @module
 */
import { EXTRA, quoted, TABLE_IDS, type TableId, type TableNames, TABLES } from "./schema.ts";
import type { Store } from "./store.ts";
import { type Codecs, type FoundColumn, JSON_TEXT, makeTable } from "./table.ts";
import {
  type Codec,
  decodeFlag,
  decodeInstant,
  encodeInstant,
  encodeInteger,
  encodeText,
  type Param,
} from "./values.ts";

/** The names that Drizzle's adapter gives to its tables. */
export const SQLITE_NAMES: TableNames = {
  users: "user",
  accounts: "account",
  sessions: "session",
  verificationTokens: "verificationToken",
  authenticators: "authenticator",
  onceMarks: "onceMark",
};

/** Runs a statement and gives its rows. */
export type Query = (sql: string) => readonly Readonly<Record<string, unknown>>[];

const asIs = { read: (column: string) => column, hole: "?", decode: (stored: unknown) => stored };

const CODECS: Codecs = {
  text: { ...asIs, encode: encodeText },
  integer: { ...asIs, encode: encodeInteger },
  instant: { ...asIs, encode: encodeInstant, decode: decodeInstant },
  flag: { ...asIs, encode: (value) => value ? 1 : 0, decode: decodeFlag },
  extra: { ...asIs, ...JSON_TEXT },
};

/** Columns that an application made: whatever SQLite has no type for becomes what Drizzle makes of it. */
const FOREIGN: Codec = {
  ...asIs,
  encode: (value): Param => {
    if (value instanceof Date) return encodeInstant(value);
    if (typeof value === "boolean") return value ? 1 : 0;
    if (typeof value === "number" || typeof value === "bigint" || value instanceof Uint8Array) return value;
    return encodeText(value);
  },
};

const TYPES = { text: "text", integer: "integer", instant: "integer", flag: "integer" } as const;

/** Makes what is missing: tables, columns, indexes. What is there stays as it is. */
export function migrate(names: TableNames, query: Query, exec: (sql: string) => void): void {
  for (const id of TABLE_IDS) {
    exec(tableSql(id, names));
    const found = new Set(columnsOf(names[id], query));
    for (const column of columnsFor(id)) {
      const [name = "", type = ""] = column;
      if (!found.has(name)) exec(`alter table ${quoted(names[id])} add column ${quoted(name)} ${type}`);
    }
    for (const index of indexesSql(id, names)) exec(index);
  }
}

/** Looks at the tables. */
export function openStore(names: TableNames, query: Query): Store {
  const table = (id: TableId) => {
    const found = columnsOf(names[id], query).map((name): FoundColumn => ({ name, codec: FOREIGN }));
    return makeTable({ id, sql: quoted(names[id]), found, codecs: CODECS });
  };
  return {
    tables: {
      users: table("users"),
      accounts: table("accounts"),
      sessions: table("sessions"),
      verificationTokens: table("verificationTokens"),
      authenticators: table("authenticators"),
    },
    names: quotedNames(names),
    instant: CODECS.instant,
    // Whoever writes has the file alone: nothing can change between the statements of a transaction.
    lock: "",
    skip: "",
  };
}

function quotedNames(names: TableNames): TableNames {
  return { ...names, ...Object.fromEntries(TABLE_IDS.map((id) => [id, quoted(names[id])])) };
}

function columnsOf(name: string, query: Query): string[] {
  return query(`pragma table_info(${quoted(name)})`).map((column) => String(column.name));
}

function columnsFor(id: TableId): [name: string, type: string][] {
  const columns = TABLES[id].columns.map(({ name, kind }): [string, string] => [name, TYPES[kind]]);
  return id === "onceMarks" ? columns : [...columns, [EXTRA, "text"]];
}

function tableSql(id: TableId, names: TableNames): string {
  const { columns, key, owned } = TABLES[id];
  const required = new Set(columns.filter(({ empty }) => empty === "never").map(({ name }) => name));
  const lines = columnsFor(id).map(([name, type]) => {
    const owner = owned && name === "userId" ? ` references ${quoted(names.users)} ("id") on delete cascade` : "";
    return `${quoted(name)} ${type}${required.has(name) ? " not null" : ""}${owner}`;
  });
  // Drizzle's adapter names credentials together with their users, and makes the credential alone unique beside it.
  const primary = id === "authenticators" ? ["userId", ...key] : key;
  lines.push(`primary key (${primary.map(quoted).join(", ")})`);
  return `create table if not exists ${quoted(names[id])} (${lines.join(", ")}) strict`;
}

function indexesSql(id: TableId, names: TableNames): string[] {
  const { unique, owned, ends } = TABLES[id];
  const index = (kind: string, column: string, suffix: string): string => {
    const name = quoted(`${names[id]}_${column}_${suffix}`);
    return `create ${kind} if not exists ${name} on ${quoted(names[id])} (${quoted(column)})`;
  };
  // The names of unique indexes are Drizzle's, so that there is never a second one.
  return [
    ...(unique ? [index("unique index", unique, "unique")] : []),
    ...(id === "authenticators" ? [index("unique index", "credentialID", "unique")] : []),
    ...(owned ? [index("index", "userId", "index")] : []),
    ...(ends ? [index("index", "expires", "index")] : []),
  ];
}
