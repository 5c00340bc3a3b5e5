/**
 * PGlite: PostgreSQL in this process, with one connection that its own queue shares.
 *
 * @module
 */
import type { Query } from "./postgres_prepared.ts";
import type { Row } from "./table.ts";
import { ISOLATION, type Pool } from "./postgres_pool.ts";
import { hasMethods } from "./shape.ts";

/** A `PGlite` of the package `@electric-sql/pglite`, or one of its shape. */
export interface Pglite extends PgliteTransaction {
  /** Runs a function in a transaction. */
  transaction<Result>(run: (transaction: PgliteTransaction) => Promise<Result>): Promise<Result | undefined>;
}

/** What {@linkcode Pglite} passes to a transaction. */
export interface PgliteTransaction {
  /** Runs a statement. */
  query(text: string, values?: (string | null)[]): Promise<{ rows: unknown[] }>;
  /** Runs a script. */
  exec(script: string): Promise<unknown>;
}

export function isPglite(driver: object): driver is Pglite {
  return hasMethods(driver, "query", "exec", "transaction") && !("prepare" in driver);
}

export function pglitePool(database: Pglite): Pool {
  const query = pgliteQuery(database);
  return {
    query,
    prepared: query,
    transaction: async <Result>(run: (query: Query) => Promise<Result>): Promise<Result> => {
      const done = await database.transaction(async (transaction) => {
        const ask = pgliteQuery(transaction);
        await ask(`set transaction ${ISOLATION}`, []);
        return { result: await run(ask) };
      });
      return (done as { readonly result: Result }).result;
    },
  };
}

function pgliteQuery(database: Pick<Pglite, "query">): Query {
  return async (sql, params) => (await database.query(sql, [...params])).rows as Row[];
}
