/**
 * A database of the package `drizzle-orm`: the client below it.
 *
 * @module
 */
import { kindOf } from "../../src/kernel/objects.ts";
import { otherDatabase, unusable } from "./postgres_pool.ts";

/** What `drizzle()` of the package `drizzle-orm` returns. */
export interface DrizzleDatabase {
  /** What it knows of the tables. */
  readonly _: object;
  /** Runs a statement. */
  execute(query: never): unknown;
}

/** What is used of it. */
interface Drizzle {
  readonly $client?: unknown;
}

/** The name that the package gives to its classes, whatever a bundler renames. */
const ENTITY = Symbol.for("drizzle:entityKind");

const DIALECTS: Readonly<Record<string, string>> = {
  PgDialect: "postgres",
  MySqlDialect: "mysql",
  SingleStoreDialect: "singlestore",
  SQLiteSyncDialect: "sqlite",
  SQLiteAsyncDialect: "sqlite",
  GelDialect: "gel",
};

export function isDrizzle(driver: object): driver is Drizzle {
  return dialectOf(driver) !== undefined;
}

/** Gives its client. @throws {InvalidConfig} if it has none, or its dialect is not PostgreSQL's. */
export function drizzleClient(database: Drizzle): object {
  const dialect = dialectOf(database) ?? "another database";
  if (dialect !== "postgres") throw otherDatabase("this Drizzle database", dialect);
  const { $client: client } = database;
  if ((typeof client === "object" && client !== null) || typeof client === "function") return client;
  throw unusable(
    `the \`$client\` of this Drizzle database is ${kindOf(client)}. Pass what \`drizzle()\` of ` +
      "`drizzle-orm/node-postgres`, `postgres-js`, `neon-serverless`, `pglite` or `bun-sql` returns, and not a transaction",
  );
}

function dialectOf(database: object): string | undefined {
  const dialect: unknown = Reflect.get(database, "dialect");
  if (typeof dialect !== "object" || dialect === null) return undefined;
  const kind: unknown = Reflect.get(Object(dialect.constructor), ENTITY);
  return typeof kind === "string" ? DIALECTS[kind] ?? kind : undefined;
}
