/**
 * What `postgres()` of the package `postgres` returns, and Bun's `SQL`, which has the same shape.
 *
 * @module
 */
import { makePreparing, type Query } from "./postgres_prepared.ts";
import type { Row } from "./table.ts";
import { ISOLATION, otherDatabase, type Pool } from "./postgres_pool.ts";
import { hasMethods } from "./shape.ts";

/** What `postgres()` of the package `postgres` returns, or an object of its shape. */
export interface PostgresJs extends PostgresJsTransaction {
  /** Runs a function with its own connection, in a transaction that begins with these options. */
  begin(options: string, run: (transaction: PostgresJsTransaction) => Promise<unknown>): Promise<unknown>;
}

/** What {@linkcode PostgresJs} passes to a transaction. */
export interface PostgresJsTransaction {
  /** Runs a statement, prepared if that is asked for. */
  unsafe(
    text: string,
    values?: (string | null)[],
    options?: { readonly prepare: boolean },
  ): PromiseLike<readonly unknown[]>;
}

/** Bun's `SQL`. */
export interface BunSql {
  /** Runs a statement. */
  unsafe(text: string, values?: never): unknown;
  /** Runs a function in a transaction. */
  begin(options: never, run: never): unknown;
  /** How it was made. */
  readonly options: { readonly adapter?: string | undefined };
}

export function isPostgresJs(driver: object): driver is PostgresJs {
  return hasMethods(driver, "unsafe", "begin");
}

/** The database of Bun's `SQL`; `undefined` for the package `postgres`, which connects to PostgreSQL only. */
export function bunDialect(sql: object): string | undefined {
  const options: unknown = Reflect.get(sql, "options");
  const adapter: unknown = typeof options === "object" && options !== null && Reflect.get(options, "adapter");
  return typeof adapter === "string" ? adapter : undefined;
}

/** @throws {InvalidConfig} if it is connected to another database. */
export function postgresJsPool(sql: PostgresJs): Pool {
  const dialect = bunDialect(sql) ?? "postgres";
  if (dialect !== "postgres") throw otherDatabase("this `SQL` of Bun", dialect);
  const query = postgresJsQuery(sql);
  return {
    query,
    // It chooses the names itself, and prepares nothing if its option `prepare` is false.
    prepared: makePreparing().alone(query, async (_name, text, params) => {
      return await sql.unsafe(text, [...params], { prepare: true }) as readonly Row[];
    }),
    transaction: async <Result>(run: (query: Query) => Promise<Result>): Promise<Result> => {
      let committed: { readonly result: Result } | undefined;
      try {
        const done = await sql.begin(ISOLATION, async (transaction) => {
          const result = await run(postgresJsQuery(transaction));
          // In an object, because the driver would take an array for a list of statements to wait for.
          if (!preparesCommit(sql)) return { result };
          await transaction.unsafe(COMMIT);
          return committed = { result };
        });
        return (done as { readonly result: Result }).result;
      } catch (error) {
        // What fails after the commit is the empty transaction.
        if (committed) return committed.result;
        throw error;
      }
    },
  };
}

/**
 * The package `postgres` prepares its own `commit`, and repeats it if that statement is gone. But by then the transaction
 * has failed, and is undone without an error. So it is committed here, and the driver commits one that is empty.
 */
const COMMIT = `commit; begin ${ISOLATION}`;

function preparesCommit(sql: object): boolean {
  const options: unknown = Reflect.get(sql, "options");
  return bunDialect(sql) === undefined && Object(options).prepare !== false;
}

function postgresJsQuery(sql: PostgresJsTransaction): Query {
  return async (text, params) => await sql.unsafe(text, [...params]) as readonly Row[];
}
