/**
 * What is known of each adapter of Auth.js, as the table in docs/adapters.md says it. The stories over the adapters hold
 * them to it.
 *
 * @module
 */

/** How sessions are kept. */
export type Strategy = "database" | "jwt";

/** What only one of many may do: use a link, be created with an address, own an account. */
export type Guard = "link" | "address" | "account";

/** An adapter. */
export interface AdapterFacts {
  /** Its package. */
  readonly name: string;
  /** What it runs on in the tests. */
  readonly over: string;
  /** Whether it keeps passkeys. */
  readonly passkeys: boolean;
  /** What it lets several callers do who come at the same time. */
  readonly unguarded?: readonly Guard[];
  /** Whether nothing in it can count guesses at a code. */
  readonly noCodes?: true;
  /** What else it does not do, whichever service uses it. */
  readonly limits?: string;
  /** The columns of the table that Auth.js itself fails at with this adapter. */
  readonly brokenThere?: readonly string[];
}

const UNGUARDED = ["link", "address", "account"] as const;

/** The adapters, by the names that the tests give them. */
export const ADAPTER_FACTS = {
  d1: { name: "@auth/d1-adapter", over: "a double of D1", passkeys: false, unguarded: UNGUARDED },
  libsql: { name: "@auth/drizzle-adapter", over: "libsql", passkeys: true },
  drizzlePostgres: { name: "@auth/drizzle-adapter", over: "PostgreSQL", passkeys: true },
  pglite: { name: "@auth/drizzle-adapter", over: "PGlite", passkeys: true },
  drizzleSqlite: { name: "@auth/drizzle-adapter", over: "SQLite", passkeys: true },
  dynamodb: { name: "@auth/dynamodb-adapter", over: "dynalite", passkeys: false, unguarded: ["address", "account"] },
  kysely: { name: "@auth/kysely-adapter", over: "SQLite", passkeys: false },
  mikroOrm: {
    name: "@auth/mikro-orm-adapter",
    over: "PostgreSQL",
    passkeys: false,
    unguarded: ["link"],
    limits: "Dates lose their milliseconds",
  },
  mongodb: {
    name: "@auth/mongodb-adapter",
    over: "a double of MongoDB",
    passkeys: false,
    limits: "With unique indexes on `email`, on `provider` and `providerAccountId`, and on `sessionToken`",
  },
  pg: { name: "@auth/pg-adapter", over: "PostgreSQL", passkeys: false, unguarded: ["address", "account"] },
  pouchdb: { name: "@auth/pouchdb-adapter", over: "memory", passkeys: false, unguarded: ["address", "account"] },
  prisma: { name: "@auth/prisma-adapter", over: "PostgreSQL", passkeys: true },
  sequelize: {
    name: "@auth/sequelize-adapter",
    over: "PostgreSQL",
    passkeys: false,
    unguarded: ["link", "account"],
    limits: "Opening one link ends all links of its address",
  },
  // Its `updateUser` returns what it was given alone, so that Auth.js seals a session without an address.
  typeorm: {
    name: "@auth/typeorm-adapter",
    over: "SQLite in WebAssembly",
    passkeys: false,
    unguarded: ["link", "account"],
    noCodes: true,
    brokenThere: ["Email"],
  },
  unstorage: { name: "@auth/unstorage-adapter", over: "memory", passkeys: true, unguarded: UNGUARDED, noCodes: true },
  upstash: {
    name: "@auth/upstash-redis-adapter",
    over: "a double of Upstash Redis",
    passkeys: false,
    unguarded: UNGUARDED,
    noCodes: true,
  },
} as const satisfies Readonly<Record<string, AdapterFacts>>;

/** The columns that say how people sign in. */
export const COLUMNS = ["OAuth", "Email", "Credentials", "Linking", "Sessions", "Sign-out", "Passkeys"] as const;

/** A row of the table in the documentation. */
export function rowOf({ name, over, passkeys, unguarded = [], limits = "", noCodes }: AdapterFacts): readonly string[] {
  const ways = COLUMNS.map((column) => column !== "Passkeys" || passkeys ? "both" : "no");
  return [`\`${name}\``, over, ...ways, unguarded.join(", ") || "none", noCodes ? "No codes by email" : limits];
}
