/**
 * The tables of storage in SQL, as data. Names and columns are those of the adapters of the same family, so that one
 * database serves both.
 *
 * @module
 */
import { InvalidConfig } from "../../src/kernel/errors.ts";

/** The tables, by what they hold. */
export type TableId = "users" | "accounts" | "sessions" | "verificationTokens" | "authenticators" | "onceMarks";

/** What a column holds: text, a whole number, an instant, yes or no. */
export type Kind = "text" | "integer" | "timestamp" | "boolean";

/** A column. */
export interface ColumnSpec {
  /** Its name, and that of the record's member. */
  readonly name: string;
  /** What it holds. */
  readonly kind: Kind;
  /** What the record says where the column is empty: that there is nothing, or nothing at all. */
  readonly empty: "null" | "absent" | "never";
}

/** A table. */
export interface TableSpec {
  /** Its columns, without the one that keeps all other members of a record. */
  readonly columns: readonly ColumnSpec[];
  /** The columns that name a row. */
  readonly key: readonly string[];
  /** Other columns of which no two rows have the same. */
  readonly unique?: string;
  /** Whether its rows belong to a user and go with the user. */
  readonly owned?: boolean;
  /** Whether its rows end, and are swept then. */
  readonly ends?: boolean;
}

/** The column of every table of records that keeps the members without a column of their own. */
export const EXTRA = "extra";

/** What storage consists of. */
export const TABLES: Readonly<Record<TableId, TableSpec>> = {
  users: {
    columns: [
      needed("id"),
      or("null", "name"),
      or("null", "email"),
      or("null", "emailVerified", "timestamp"),
      or("null", "image"),
    ],
    key: ["id"],
    unique: "email",
  },
  accounts: {
    columns: [
      needed("userId"),
      needed("type"),
      needed("provider"),
      needed("providerAccountId"),
      or("absent", "refresh_token"),
      or("absent", "access_token"),
      or("absent", "expires_at", "integer"),
      or("absent", "token_type"),
      or("absent", "scope"),
      or("absent", "id_token"),
      or("absent", "session_state"),
    ],
    key: ["provider", "providerAccountId"],
    owned: true,
  },
  sessions: {
    columns: [needed("sessionToken"), needed("userId"), needed("expires", "timestamp")],
    key: ["sessionToken"],
    owned: true,
    ends: true,
  },
  verificationTokens: {
    columns: [needed("identifier"), needed("token"), needed("expires", "timestamp")],
    key: ["identifier", "token"],
    ends: true,
  },
  authenticators: {
    columns: [
      needed("credentialID"),
      needed("userId"),
      needed("providerAccountId"),
      needed("credentialPublicKey"),
      needed("counter", "integer"),
      needed("credentialDeviceType"),
      needed("credentialBackedUp", "boolean"),
      or("null", "transports"),
    ],
    key: ["credentialID"],
    owned: true,
  },
  onceMarks: {
    columns: [needed("key"), needed("expires", "timestamp")],
    key: ["key"],
    ends: true,
  },
};

/** The tables, in an order in which each comes after those it refers to. */
export const TABLE_IDS = Object.keys(TABLES) as TableId[];

/** The names of the tables in the database. */
export type TableNames = Readonly<Record<TableId, string>>;

/** Names of tables that a developer chooses. */
export interface TableNameOptions {
  /** People. */
  readonly users?: string | undefined;
  /** Their accounts at providers. */
  readonly accounts?: string | undefined;
  /** Their sessions. */
  readonly sessions?: string | undefined;
  /** What was sent by e-mail and not used yet. */
  readonly verificationTokens?: string | undefined;
  /** Their WebAuthn credentials. */
  readonly authenticators?: string | undefined;
  /** What may happen once only, and has happened. */
  readonly onceMarks?: string | undefined;
}

/**
 * Fills in the names that were not chosen.
 *
 * @throws {InvalidConfig} if a name is not made of letters, digits and underscores, is too long, or stands for two tables.
 */
export function tableNames(chosen: TableNameOptions, defaults: TableNames): TableNames {
  const names = { ...defaults };
  for (const id of TABLE_IDS) names[id] = assertName(chosen[id] ?? defaults[id]);
  const distinct = new Set(Object.values(names).map((name) => name.toLowerCase()));
  if (distinct.size !== TABLE_IDS.length) throw new InvalidConfig("Cannot use table names: two tables have the same");
  return names;
}

/** Checks a name that is written into statements. @throws {InvalidConfig} if it could be anything but a name. */
export function assertName(name: string): string {
  // The names of indexes are longer than those of their tables, and databases cut off what is longer than 63.
  if (/^[A-Za-z_][A-Za-z0-9_]{0,39}$/.test(name)) return name;
  throw new InvalidConfig(
    `Cannot use "${name}" as the name of a table: only letters, digits and underscores, at most 40`,
  );
}

/** Writes a name so that a statement takes it for nothing else. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function needed(name: string, kind: Kind = "text"): ColumnSpec {
  return { name, kind, empty: "never" };
}

function or(empty: "null" | "absent", name: string, kind: Kind = "text"): ColumnSpec {
  return { name, kind, empty };
}
