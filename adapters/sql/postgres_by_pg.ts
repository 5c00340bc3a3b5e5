/**
 * A `Pool` of the package `pg`, or of Neon's `@neondatabase/serverless`, which has the same shape.
 *
 * @module
 */
import { makePreparing, type NamedQuery, type Query } from "./postgres_prepared.ts";
import type { Row } from "./table.ts";
import { ISOLATION, type Pool, unusable } from "./postgres_pool.ts";
import { hasMethods } from "./shape.ts";

/** A `Pool` of `pg`, or one of its shape. */
export interface PgPool {
  /** Runs a statement on any connection. */
  query(text: string, values?: (string | null)[]): Promise<{ rows: unknown[] }>;
  /** Takes a connection out of the pool. */
  connect(): Promise<PgClient>;
}

/** A connection of a {@linkcode PgPool}. */
export interface PgClient {
  /** Runs a statement. */
  query(text: string, values?: (string | null)[]): Promise<{ rows: unknown[] }>;
  /** Returns it to the pool, or closes it with `destroy`. */
  release(destroy?: boolean): void;
  /** Adds a listener. */
  on?(event: "error", listener: () => void): unknown;
  /** Removes a listener. */
  off?(event: "error", listener: () => void): unknown;
}

export function isPgPool(driver: object): driver is PgPool {
  return hasMethods(driver, "query", "connect");
}

/** Whether a pool of this shape is Neon's. */
export function isNeonPool(driver: object): boolean {
  return "hasFetchUnsupportedListeners" in driver;
}

const CLIENT = "a `Client` of the package `pg` is one connection, which two requests cannot share. Pass a `Pool` " +
  "instead: `postgresAdapter(new pg.Pool({ connectionString }))`, without `connect()`";

/** @throws {InvalidConfig} if it is a single connection. */
export function pgPool(pool: PgPool): Pool {
  if ("connectionParameters" in pool) throw unusable(CLIENT);
  const query = pgQuery(pool);
  const preparing = makePreparing();
  return {
    query,
    prepared: canName(pool) ? preparing.alone(query, pgNamed(pool)) : query,
    transaction: async (run) => {
      const client = await pool.connect();
      // A connection that is lost outside the pool emits "error", which ends the program if nobody listens. The
      // statement that is under way fails as well, so nothing is missed.
      client.on?.("error", ignore);
      let usable = true;
      try {
        await client.query(`begin ${ISOLATION}`);
        const query = pgQuery(client);
        // Its connections take what the pool takes.
        const named = canName(pool) ? pgNamed(client as object as Naming) : undefined;
        const result = await run(query, named && preparing.within(query, named));
        await client.query("commit");
        return result;
      } catch (error) {
        usable = await isRolledBack(client);
        throw error;
      } finally {
        client.off?.("error", ignore);
        client.release(!usable);
      }
    },
  };
}

function pgQuery(pool: Pick<PgPool, "query">): Query {
  return async (sql, params) => (await pool.query(sql, [...params])).rows as Row[];
}

/** A pool, or a connection of it, that takes a statement as an object, too. */
interface Naming {
  query(
    statement: { readonly name: string; readonly text: string; readonly values: (string | null)[] },
  ): Promise<{ rows: unknown[] }>;
}

// What is of its shape only may take nothing but text.
function canName(pool: object): pool is Naming {
  return "totalCount" in pool && typeof pool.totalCount === "number";
}

function pgNamed(pool: Naming): NamedQuery {
  return async (name, text, params) => (await pool.query({ name, text, values: [...params] })).rows as Row[];
}

async function isRolledBack(client: PgClient): Promise<boolean> {
  try {
    await client.query("rollback");
    return true;
  } catch {
    // The connection is lost, and the transaction with it. The caller gets the error that came first.
    return false;
  }
}

function ignore(): void {}
