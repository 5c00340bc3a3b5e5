/**
 * One interface for the supported drivers of PostgreSQL: `pg` and `postgres`.
 *
 * @module
 */
import { InvalidConfig } from "../../src/kernel/errors.ts";
import { isThenable, kindOf } from "../../src/kernel/objects.ts";
import { type NamedQuery, preparing, type Query } from "./postgres_prepared.ts";
import type { Row } from "./table.ts";

export type { Query } from "./postgres_prepared.ts";

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

export interface Pool {
  /** Runs a statement on any connection. */
  readonly query: Query;
  /** The same, prepared where the driver and what lies between can do that. For texts that come again. */
  readonly prepared: Query;
  /** Runs a function in a transaction, which is rolled back if the function throws. */
  readonly transaction: <Result>(run: (query: Query) => Promise<Result>) => Promise<Result>;
}

const pools = new WeakMap<PgPool | PostgresJs, Pool>();

/** Recognizes a driver by its shape. The same driver gives the same pool. @throws {InvalidConfig} for any other object. */
export function poolOf(driver: PgPool | PostgresJs): Pool {
  assertObject(driver);
  const known = pools.get(driver);
  if (known) return known;
  const pool = makePool(driver);
  pools.set(driver, pool);
  return pool;
}

// What else is given may be a connection string, with a password: it is not shown.
function assertObject(driver: unknown): void {
  const isObject = (typeof driver === "object" && driver !== null) || typeof driver === "function";
  if (isObject && !isThenable(driver) && kindOf(driver) !== "a class") return;
  const remedy = isThenable(driver) ? "`await` it" : `pass ${WANTED}, as in ${EXAMPLE}`;
  throw new InvalidConfig(`Cannot use driver: it is ${kindOf(driver)}; ${remedy}`, { logCode: "driver-unusable" });
}

const WANTED = "a `Pool` of the package `pg`, or what `postgres()` of the package `postgres` returns";
const EXAMPLE = "`postgresAdapter(new pg.Pool({ connectionString }))`";

function makePool(driver: PgPool | PostgresJs): Pool {
  if ("unsafe" in driver && "begin" in driver) return postgresJsPool(driver);
  if ("query" in driver && "connect" in driver) {
    if ("connectionParameters" in driver) throw new InvalidConfig(CLIENT, { logCode: "driver-unusable" });
    return pgPool(driver);
  }
  throw new InvalidConfig(`Cannot use driver: pass ${WANTED}, as in ${EXAMPLE}`, { logCode: "driver-unusable" });
}

const CLIENT =
  "Cannot use driver: a `Client` of the package `pg` is one connection, which two requests cannot share. Pass a `Pool` " +
  "instead: `postgresAdapter(new pg.Pool({ connectionString }))`, without `connect()`";

/** Stated, because the default of the database may be stricter. Rows are locked where it matters. */
const ISOLATION = "isolation level read committed";

function pgPool(pool: PgPool): Pool {
  const query = pgQuery(pool);
  return {
    query,
    prepared: canName(pool) ? preparing(query, pgNamed(pool)) : query,
    transaction: async (run) => {
      const client = await pool.connect();
      // A connection that is lost outside the pool emits "error", which ends the program if nobody listens. The
      // statement that is under way fails as well, so nothing is missed.
      client.on?.("error", ignore);
      let usable = true;
      try {
        await client.query(`begin ${ISOLATION}`);
        const result = await run(pgQuery(client));
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

/** A pool that takes a statement as an object, too. */
interface NamingPool {
  query(
    statement: { readonly name: string; readonly text: string; readonly values: (string | null)[] },
  ): Promise<{ rows: unknown[] }>;
}

// What is of its shape only may take nothing but text.
function canName(pool: object): pool is NamingPool {
  return "totalCount" in pool && typeof pool.totalCount === "number";
}

function pgNamed(pool: NamingPool): NamedQuery {
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

function postgresJsPool(sql: PostgresJs): Pool {
  const query = postgresJsQuery(sql);
  return {
    query,
    // It chooses the names itself, and prepares nothing if its option `prepare` is false.
    prepared: preparing(query, async (_name, text, params) => {
      return await sql.unsafe(text, [...params], { prepare: true }) as readonly Row[];
    }),
    transaction: async <Result>(run: (query: Query) => Promise<Result>): Promise<Result> => {
      // In an object, because the driver would take an array for a list of statements to wait for.
      const done = await sql.begin(
        ISOLATION,
        async (transaction) => ({ result: await run(postgresJsQuery(transaction)) }),
      );
      return (done as { readonly result: Result }).result;
    },
  };
}

function postgresJsQuery(sql: PostgresJsTransaction): Query {
  return async (text, params) => await sql.unsafe(text, [...params]) as readonly Row[];
}
