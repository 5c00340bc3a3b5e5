/**
 * The tables of storage in SQL, as data. Names and columns are those of the adapters of Auth.js, so that one database
 * serves both.
 *
 * @module
 */

/** A table, by what it holds. */
export type TableId =
  | "users"
  | "accounts"
  | "sessions"
  | "verificationTokens"
  | "authenticators"
  | "onceMarks"
  | "records"
  | "buckets";

export type Kind = "text" | "integer" | "timestamp" | "boolean" | "json";

export interface ColumnSpec {
  /** Its name, and that of the record's member. */
  readonly name: string;
  readonly kind: Kind;
  /** What a record has for an empty column: `null`, or no member. `never`: the column is required. */
  readonly empty: "null" | "absent" | "never";
  /** Whether tables that were made before may lack it. Then the member is stored with those that have no column. */
  readonly isLater?: boolean;
  /** Whether its texts are ordered by their code points, whatever the language of the database. */
  readonly isOrdered?: boolean;
}

export interface TableSpec {
  /** Its columns, without {@linkcode EXTRA}. */
  readonly columns: readonly ColumnSpec[];
  readonly key: readonly string[];
  /** Another column that is unique. */
  readonly unique?: string;
  /** Whether its rows belong to a user and are deleted with the user. */
  readonly owned?: boolean;
  /** Whether its rows end and are removed some time after. */
  readonly ends?: boolean;
  /** More columns by which its rows are found. They may be missing. */
  readonly indexes?: readonly (readonly string[])[];
  /** Whether it lacks {@linkcode EXTRA}. */
  readonly isPlain?: boolean;
  /** Whether databases that were made before may lack it. Then its operations fail, and all others work. */
  readonly isLater?: boolean;
}

/** The column that holds, as JSON, the members of a record without a column of their own. */
export const EXTRA = "extra";

/** The tables. A record refers only to tables before it. */
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
    columns: [
      needed("sessionToken"),
      needed("userId"),
      needed("expires", "timestamp"),
      later("provider"),
      later("providerSid"),
    ],
    key: ["sessionToken"],
    owned: true,
    ends: true,
    indexes: [["provider", "providerSid"]],
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
    isPlain: true,
  },
  records: {
    columns: [
      needed("kind"),
      { ...needed("id"), isOrdered: true },
      or("null", "userId"),
      or("null", "group"),
      needed("version", "integer"),
      or("null", "expires", "timestamp"),
      needed("data", "json"),
    ],
    key: ["kind", "id"],
    owned: true,
    ends: true,
    indexes: [["userId", "kind", "id"], ["group", "kind", "id"]],
    isPlain: true,
    isLater: true,
  },
  buckets: {
    // Milliseconds since 1970, because statements add to it.
    columns: [needed("key"), needed("expires", "integer")],
    key: ["key"],
    ends: true,
    isPlain: true,
    isLater: true,
  },
};

/** The tables, each after those it refers to. */
export const TABLE_IDS: readonly TableId[] = Object.keys(TABLES) as TableId[];

/** The sets of columns by which rows are found, other than by their keys. */
export function indexesOf(id: TableId): (readonly string[])[] {
  const { owned, ends, indexes = [] } = TABLES[id];
  const isByUser = indexes.some(([first]) => first === "userId");
  return [...(owned && !isByUser ? [["userId"]] : []), ...(ends ? [["expires"]] : []), ...indexes];
}

/** The sets of columns that must be unique. */
export function uniquesOf(id: TableId): (readonly string[])[] {
  const { key, unique } = TABLES[id];
  return unique ? [key, [unique]] : [key];
}

/** The name of an index. @param columns Its members, or "key" for those of the table's key. */
export function indexName(table: string, columns: "key" | readonly string[], suffix: "unique" | "index"): string {
  if (columns === "key") return `${table}_key_${suffix}`;
  // The one that no other index of the table is named for.
  return `${table}_${columns.at(-1) === "id" ? columns[0] : columns.at(-1)}_${suffix}`;
}

/** The names of the tables in the database. */
export type TableNames = Readonly<Record<TableId, string>>;

/** Names of tables. Those that are not set have the names of the adapter of Auth.js. */
export interface TableNameOptions {
  /** Users. */
  readonly users?: string | TableOptions | DrizzleTable | undefined;
  /** Accounts at providers. */
  readonly accounts?: string | TableOptions | DrizzleTable | undefined;
  /** Sessions. */
  readonly sessions?: string | TableOptions | DrizzleTable | undefined;
  /** Verification tokens that were sent by email and not used yet. */
  readonly verificationTokens?: string | TableOptions | DrizzleTable | undefined;
  /** WebAuthn credentials. */
  readonly authenticators?: string | TableOptions | DrizzleTable | undefined;
  /** Keys that were recorded by `once()`, to prevent replay. */
  readonly onceMarks?: string | TableOptions | DrizzleTable | undefined;
  /** Records of features. */
  readonly records?: string | TableOptions | DrizzleTable | undefined;
  /** Buckets of limits. */
  readonly buckets?: string | TableOptions | DrizzleTable | undefined;
}

/** A table of Drizzle. */
export interface DrizzleTable {
  /** What a row of it is like. */
  readonly $inferSelect: object;
}

/** A table, and its columns where they have names of their own. */
export interface TableOptions {
  /** The name of the table. @default the name that it has if nothing is chosen */
  readonly name?: string | undefined;
  /**
   * The columns by the member that they hold, such as `{ emailVerified: "verified_at" }`. A column that differs from the
   * member in nothing but case and underscores, such as `email_verified`, is found without this.
   */
  readonly columns?: Readonly<Record<string, string>> | undefined;
}

/** What was chosen for each table, without tables of Drizzle. */
export type ChosenNames = Readonly<Partial<Record<TableId, string | TableOptions | undefined>>>;

function needed(name: string, kind: Kind = "text"): ColumnSpec {
  return { name, kind, empty: "never" };
}

function later(name: string): ColumnSpec {
  return { ...or("absent", name), isLater: true };
}

function or(empty: "null" | "absent", name: string, kind: Kind = "text"): ColumnSpec {
  return { name, kind, empty };
}
