/**
 * The connections to PostgreSQL that people have, recognized by their shapes, behind one interface.
 *
 * @module
 */
import { isThenable, kindOf } from "../../src/kernel/objects.ts";
import { drizzleClient, type DrizzleDatabase, isDrizzle } from "./postgres_by_drizzle.ts";
import { isKysely, type KyselyInstance } from "./kysely_instance.ts";
import { kyselyPool } from "./postgres_by_kysely.ts";
import { isNeonHttp, NEON_HTTP } from "./postgres_by_neon_http.ts";
import { isNeonPool, isPgPool, type PgPool, pgPool } from "./postgres_by_pg.ts";
import { isPglite, type Pglite, pglitePool } from "./postgres_by_pglite.ts";
import { otherDatabase, type Pool, unusable } from "./postgres_pool.ts";
import { hasMethods } from "./shape.ts";
import { bunDialect, type BunSql, isPostgresJs, type PostgresJs, postgresJsPool } from "./postgres_by_postgres_js.ts";
import { prismaPool } from "./postgres_by_prisma.ts";
import { isPrisma, type PrismaConnection } from "./prisma_connection.ts";

export type { DrizzleDatabase } from "./postgres_by_drizzle.ts";
export type { KyselyInstance } from "./kysely_instance.ts";
export type { PgClient, PgPool } from "./postgres_by_pg.ts";
export type { Pglite, PgliteTransaction } from "./postgres_by_pglite.ts";
export type { Pool, Query } from "./postgres_pool.ts";
export type { BunSql, PostgresJs, PostgresJsTransaction } from "./postgres_by_postgres_js.ts";
export type { PrismaConnection } from "./prisma_connection.ts";

/**
 * A connection to PostgreSQL: a `Pool` of the package `pg` or of `@neondatabase/serverless`, what `postgres()` of the package
 * `postgres` returns, a `PGlite`, Bun's `SQL`, a `Kysely` instance, what `drizzle()` returns, or a `PrismaClient`.
 */
export type PostgresDriver =
  | PgPool
  | PostgresJs
  | Pglite
  | BunSql
  | KyselyInstance
  | DrizzleDatabase
  | PrismaConnection;

/** A connection that was recognized. */
export interface PostgresConnection {
  readonly kind: "pg" | "postgres" | "pglite" | "neon" | "bun" | "kysely" | "drizzle" | "prisma";
  readonly pool: Pool;
  /** What was given. */
  readonly client: object;
}

const connections = new WeakMap<object, PostgresConnection>();

/** Recognizes a driver by its shape. The same driver gives the same connection. @throws {InvalidConfig} for any other object. */
export function connectionOf(driver: PostgresDriver): PostgresConnection {
  assertObject(driver);
  const known = connections.get(driver);
  if (known) return known;
  const connection = { ...recognize(driver), client: driver };
  connections.set(driver, connection);
  return connection;
}

/** The pool of {@linkcode connectionOf}. */
export function poolOf(driver: PostgresDriver): Pool {
  return connectionOf(driver).pool;
}

// What else is given may be a connection string, with a password: it is not shown.
function assertObject(driver: unknown): asserts driver is object {
  const isObject = (typeof driver === "object" && driver !== null) || typeof driver === "function";
  if (isObject && !isThenable(driver) && kindOf(driver) !== "a class") return;
  const remedy = isThenable(driver) ? "`await` it" : `pass ${WANTED}, as in ${EXAMPLE}`;
  throw unusable(`it is ${kindOf(driver)}; ${remedy}`);
}

const WANTED = "a `Pool` of the package `pg` or of `@neondatabase/serverless`, what `postgres()` of the package " +
  "`postgres` returns, a `PGlite`, Bun's `SQL`, a `Kysely` instance, what `drizzle()` returns, or a `PrismaClient`";
const EXAMPLE = "`postgresAdapter(new pg.Pool({ connectionString }))`";

/** @throws {InvalidConfig} if it is none that can be used. */
function recognize(driver: object): Pick<PostgresConnection, "kind" | "pool"> {
  // Those of query builders first: a model or a table of theirs may have any name.
  if (isPrisma(driver)) return { kind: "prisma", pool: prismaPool(driver) };
  if (isKysely(driver)) return { kind: "kysely", pool: kyselyPool(driver) };
  // The pool of the client itself, which knows what is prepared.
  if (isDrizzle(driver)) return { kind: "drizzle", pool: poolOf(drizzleClient(driver) as PostgresDriver) };
  if (isPostgresJs(driver)) {
    return { kind: bunDialect(driver) === undefined ? "postgres" : "bun", pool: postgresJsPool(driver) };
  }
  if (isNeonHttp(driver)) throw unusable(NEON_HTTP);
  if (isPglite(driver)) return { kind: "pglite", pool: pglitePool(driver) };
  if (isPgPool(driver)) return { kind: isNeonPool(driver) ? "neon" : "pg", pool: pgPool(driver) };
  for (const [dialect, isOf] of Object.entries(OTHERS)) {
    if (isOf(driver)) throw otherDatabase("it", dialect);
  }
  throw unusable(`pass ${WANTED}, as in ${EXAMPLE}`);
}

/** What the drivers of other databases have. */
const OTHERS: Readonly<Record<string, (driver: object) => boolean>> = {
  mysql: (driver) => hasMethods(driver, "query", "getConnection"),
  sqlite: (driver) => hasMethods(driver, "prepare") || hasMethods(driver, "executeMultiple"),
};
