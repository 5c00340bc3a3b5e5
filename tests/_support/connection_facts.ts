/**
 * What is promised on each connection, as the table in docs/storage.md says it. The conformance suite holds the adapters
 * of this package to it, on each of these connections.
 *
 * @module
 */

/** A connection. */
export interface ConnectionFacts {
  /** What is passed. */
  readonly connection: string;
  /** What it is passed to. */
  readonly adapter: string;
  /** What it runs on in the tests. */
  readonly over: string;
  /** The file that runs the conformance suite on it. */
  readonly suite: string;
  /** How that file names it. */
  readonly named: string;
  /** The promises, where they are other ones than those of all adapters of this package. */
  readonly promises?: Promises;
}

/** Each as a cell of the table. */
type Promises = readonly [transaction: string, sessions: string, links: string, records: string];

/** What the columns of promises are called. */
export const PROMISES = ["A sign-in is one transaction", "Sessions can be ended", "A link works once", "Records"];

const ALL: Promises = ["yes", "yes", "yes", "yes"];

const UNIT = "tests/unit/adapters";
const HEAVY = "tests/adapters";

export const CONNECTION_FACTS: readonly ConnectionFacts[] = [
  {
    connection: "the path of a file",
    adapter: "`sqliteAdapter`",
    over: "SQLite",
    suite: `${UNIT}/sqlite_test.ts`,
    named: "of a file",
  },
  {
    connection: "`DatabaseSync`, and others of its shape",
    adapter: "`sqliteAdapter`",
    over: "SQLite",
    suite: `${UNIT}/sqlite_test.ts`,
    named: "of an open database",
  },
  {
    connection: "`@libsql/client`",
    adapter: "`sqliteAdapter`",
    over: "a file, and a server of ours",
    suite: `${HEAVY}/sqlite_connections.ts`,
    named: "a server of libsql",
  },
  {
    connection: "Cloudflare D1",
    adapter: "`sqliteAdapter`",
    over: "a double of ours",
    suite: `${UNIT}/sqlite_d1_test.ts`,
    named: "of D1",
  },
  {
    connection: "Drizzle",
    adapter: "`sqliteAdapter`",
    over: "libSQL",
    suite: `${HEAVY}/sqlite_connections.ts`,
    named: "Drizzle on libsql",
  },
  {
    connection: "Kysely",
    adapter: "`sqliteAdapter`",
    over: "SQLite",
    suite: `${HEAVY}/sqlite_connections.ts`,
    named: "Kysely",
  },
  {
    connection: "Prisma",
    adapter: "`sqliteAdapter`",
    over: "libSQL, a server of ours",
    suite: `${HEAVY}/sqlite_connections.ts`,
    named: "Prisma",
  },
  {
    connection: "`pg`",
    adapter: "`postgresAdapter`",
    over: "PostgreSQL",
    suite: `${UNIT}/postgres_test.ts`,
    named: "pg with one connection",
  },
  {
    connection: "`postgres`",
    adapter: "`postgresAdapter`",
    over: "PostgreSQL",
    suite: `${UNIT}/postgres_test.ts`,
    named: "postgres with one connection",
  },
  {
    connection: "Neon's `Pool`",
    adapter: "`postgresAdapter`",
    over: "PostgreSQL, through a proxy of ours",
    suite: `${HEAVY}/postgres_connections.ts`,
    named: "Neon",
  },
  {
    connection: "PGlite",
    adapter: "`postgresAdapter`",
    over: "PGlite, with Drizzle",
    suite: `${HEAVY}/postgres_connections.ts`,
    named: "Drizzle with PGlite",
  },
  {
    connection: "Bun's `SQL`",
    adapter: "`postgresAdapter`",
    over: "PostgreSQL",
    suite: `${UNIT}/postgres_connections_test.ts`,
    named: "Bun",
  },
  {
    connection: "Drizzle",
    adapter: "`postgresAdapter`",
    over: "PostgreSQL, with `pg` and `postgres`",
    suite: `${UNIT}/postgres_connections_test.ts`,
    named: "Drizzle with pg",
  },
  {
    connection: "Kysely",
    adapter: "`postgresAdapter`",
    over: "PostgreSQL",
    suite: `${UNIT}/postgres_connections_test.ts`,
    named: "Kysely",
  },
  {
    connection: "Prisma",
    adapter: "`postgresAdapter`",
    over: "PostgreSQL",
    suite: `${HEAVY}/postgres_connections.ts`,
    named: "Prisma",
  },
  {
    connection: "`mysql2`",
    adapter: "`mysqlAdapter`",
    over: "MariaDB",
    suite: `${UNIT}/mysql_test.ts`,
    named: "a pool with callbacks",
  },
  {
    connection: "Bun's `SQL`",
    adapter: "`mysqlAdapter`",
    over: "MariaDB",
    suite: `${UNIT}/mysql_test.ts`,
    named: "SQL of Bun",
  },
  {
    connection: "Drizzle",
    adapter: "`mysqlAdapter`",
    over: "MariaDB, with `mysql2`",
    suite: `${UNIT}/mysql_test.ts`,
    named: "Drizzle",
  },
  {
    connection: "Kysely",
    adapter: "`mysqlAdapter`",
    over: "MariaDB",
    suite: `${UNIT}/mysql_test.ts`,
    named: "a Kysely instance",
  },
  {
    connection: "Prisma",
    adapter: "`mysqlAdapter`",
    over: "MariaDB",
    suite: `${HEAVY}/mysql_connections.ts`,
    named: "Prisma",
  },
  {
    connection: "Deno KV",
    adapter: "`denoKvAdapter`",
    over: "Deno KV in a file",
    suite: `${UNIT}/deno_kv_test.ts`,
    named: "denoKvAdapter()",
  },
  {
    connection: "nothing",
    adapter: "`memoryAdapter`",
    over: "this process",
    suite: `${UNIT}/memory_test.ts`,
    named: "memoryAdapter()",
  },
  {
    connection: "`ioredis`, `redis`, `@upstash/redis`",
    adapter: "`withSessions` beside one of these",
    over: "Redis; Upstash through a proxy of ours",
    suite: `${UNIT}/redis_server_test.ts`,
    named: "redisSessions()",
    promises: ["all but the session, which is stored after it", "yes", "yes", "yes"],
  },
  {
    connection: "what an adapter of Auth.js takes",
    adapter: "that adapter, and `withRecords`",
    over: "see [adapters](./adapters.md)",
    suite: `${UNIT}/records_test.ts`,
    named: "withRecords",
    promises: ["no: in steps", "stored ones", "see [adapters](./adapters.md)", "beside it"],
  },
];

/** The row of the table. */
export function rowOf({ connection, adapter, over, promises = ALL }: ConnectionFacts): string[] {
  return [connection, adapter, over, ...promises];
}
