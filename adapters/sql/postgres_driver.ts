/**
 * The drivers of PostgreSQL that are known, made alike.
 *
 * @module
 */
import { InvalidConfig } from "../../src/kernel/errors.ts";
import type { Row } from "./table.ts";

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
  /** Puts it back, or throws it away if something is wrong with it. */
  release(destroy?: boolean): void;
  /** Listens. */
  on?(event: "error", listener: () => void): unknown;
  /** Listens no more. */
  off?(event: "error", listener: () => void): unknown;
}

/** What `postgres()` of the package `postgres` gives, or something of its shape. */
export interface PostgresJs extends PostgresJsTransaction {
  /** Runs a function with a connection of its own, as one transaction that is begun with these options. */
  begin(options: string, run: (transaction: PostgresJsTransaction) => Promise<unknown>): Promise<unknown>;
}

/** What a transaction of {@linkcode PostgresJs} is given. */
export interface PostgresJsTransaction {
  /** Runs a statement. */
  unsafe(text: string, values?: (string | null)[]): PromiseLike<readonly unknown[]>;
}

/** Runs a statement. */
export type Query = (sql: string, params: readonly (string | null)[]) => Promise<readonly Row[]>;

/** A pool of connections. */
export interface Pool {
  /** Runs a statement on any of them. */
  readonly query: Query;
  /** Runs a function with one of them, as a transaction that is undone if the function throws. */
  readonly transaction: <Result>(run: (query: Query) => Promise<Result>) => Promise<Result>;
}

const pools = new WeakMap<PgPool | PostgresJs, Pool>();

/** Recognises a driver by its shape; the same one is the same pool. @throws {InvalidConfig} if it is none. */
export function poolOf(driver: PgPool | PostgresJs): Pool {
  const known = pools.get(driver);
  if (known) return known;
  const pool = makePool(driver);
  pools.set(driver, pool);
  return pool;
}

function makePool(driver: PgPool | PostgresJs): Pool {
  if ("unsafe" in driver && "begin" in driver) return postgresJsPool(driver);
  if ("query" in driver && "connect" in driver) return pgPool(driver);
  throw new InvalidConfig("Cannot use driver: it is neither a Pool of `pg` nor what `postgres()` gives");
}

/** Whatever the default of the database: rows are locked where it matters, and a stricter level would only fail more. */
const LEVEL = "isolation level read committed";

function pgPool(pool: PgPool): Pool {
  return {
    query: (sql, params) => askPg(pool, sql, params),
    transaction: async (run) => {
      const client = await pool.connect();
      // A connection that is lost while it is out of the pool says so, and ends the program if nobody listens. The
      // statement that is under way fails too, which is what counts.
      client.on?.("error", ignore);
      let usable = true;
      try {
        await client.query(`begin ${LEVEL}`);
        const result = await run((sql, params) => askPg(client, sql, params));
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

async function askPg(
  pool: Pick<PgPool, "query">,
  sql: string,
  params: readonly (string | null)[],
): Promise<readonly Row[]> {
  const { rows } = await pool.query(sql, [...params]);
  return rows as Row[];
}

async function isRolledBack(client: PgClient): Promise<boolean> {
  try {
    await client.query("rollback");
    return true;
  } catch {
    // The connection is lost, and the transaction with it. The reason is on its way to the caller.
    return false;
  }
}

function ignore(): void {}

function postgresJsPool(sql: PostgresJs): Pool {
  return {
    query: (text, params) => askPostgresJs(sql, text, params),
    transaction: async <Result>(run: (query: Query) => Promise<Result>): Promise<Result> => {
      // In an object, because the driver takes an array that a function gives for statements to wait for.
      const done = await sql.begin(LEVEL, async (transaction) => {
        return { result: await run((text, params) => askPostgresJs(transaction, text, params)) };
      });
      return (done as { readonly result: Result }).result;
    },
  };
}

async function askPostgresJs(
  sql: PostgresJsTransaction,
  text: string,
  params: readonly (string | null)[],
): Promise<readonly Row[]> {
  return await sql.unsafe(text, [...params]) as readonly Row[];
}
