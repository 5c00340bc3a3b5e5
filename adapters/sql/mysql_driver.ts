/**
 * One interface for the supported connections to MySQL and MariaDB.
 *
 * @module
 */
import { InvalidConfig } from "../../src/kernel/errors.ts";
import { isObject, isThenable, kindOf } from "../../src/kernel/objects.ts";
import { bunPool, isBunSql } from "./mysql_by_bun.ts";
import { prismaPool } from "./mysql_by_prisma.ts";
import { isKysely, type KyselyLike, kyselyPool } from "./mysql_kysely.ts";
import { BEGIN, committed, countedRows, type Pool, type Query } from "./mysql_pool.ts";
import type { BunSql } from "./postgres_by_postgres_js.ts";
import { isPrisma, type PrismaConnection } from "./prisma_connection.ts";

export type { BunSql } from "./postgres_by_postgres_js.ts";
export type { PrismaConnection } from "./prisma_connection.ts";

/** A pool of `mysql2/promise`, or one of its shape. */
export interface MysqlPool {
  /** Prepares a statement and runs it on any connection. */
  execute(statement: MysqlStatement): Promise<readonly unknown[]>;
  /** Takes a connection out of the pool. */
  getConnection(): Promise<MysqlConnection>;
}

/** A statement as `mysql2` takes it. */
export interface MysqlStatement {
  /** The text, with `?` for each value. */
  sql: string;
  /** The values. */
  values: (string | null)[];
  /** Whether a row is a list of values. */
  rowsAsArray: true;
  /** Converts a value. It is given here, because an application can give its driver another one. */
  typeCast: (field: unknown, next: () => unknown) => unknown;
}

/** A connection of a {@linkcode MysqlPool}. */
export interface MysqlConnection {
  /** Runs a statement. */
  query(text: string): Promise<unknown>;
  /** Prepares a statement and runs it. */
  execute(statement: MysqlStatement): Promise<readonly unknown[]>;
  /** Returns it to the pool. */
  release(): void;
  /** Closes it. */
  destroy(): void;
  /** Adds a listener. */
  on?(event: "error", listener: () => void): unknown;
  /** Removes a listener. */
  off?(event: "error", listener: () => void): unknown;
}

/** A pool of `mysql2`, which takes callbacks. */
export interface MysqlCallbackPool {
  /** The same pool with promises. */
  promise(): MysqlPool;
}

/** A Drizzle database that was made with a pool of `mysql2`. */
export interface DrizzleLike {
  /** The pool. */
  readonly $client: MysqlPool | MysqlCallbackPool;
}

/** What `mysqlAdapter()` takes. */
export type MysqlSource = MysqlPool | MysqlCallbackPool | DrizzleLike | KyselyLike | PrismaConnection | BunSql;

const pools = new WeakMap<object, Pool>();

/** Recognizes a connection by its shape. The same one gives the same pool. @throws {InvalidConfig} for any other object. */
export function poolOf(source: MysqlSource): Pool {
  assertObject(source);
  const known = pools.get(source);
  if (known) return known;
  const pool = makePool(source);
  pools.set(source, pool);
  return pool;
}

const WANTED = "a pool of the package `mysql2`, a Drizzle database that was made with one, a Kysely instance of its " +
  "dialect for MySQL, a `PrismaClient`, or Bun's `SQL`";
const REMEDY = `pass ${WANTED}, as in \`mysqlAdapter(mysql.createPool(url))\``;

function refusal(problem: string): InvalidConfig {
  return new InvalidConfig(`Cannot use connection: ${problem}`, { logCode: "driver-unusable" });
}

// What else is given may be a URL with a password: it is not shown.
function assertObject(source: unknown): void {
  const isUsable = (isObject(source) || typeof source === "function") && kindOf(source) !== "a class";
  if (isUsable && !isThenable(source)) return;
  throw refusal(`it is ${kindOf(source)}; ${isThenable(source) ? "`await` it" : REMEDY}`);
}

function makePool(source: MysqlSource): Pool {
  // Those of query builders first: a model of theirs may have any name.
  if (isPrisma(source)) return prismaPool(source);
  if (isKysely(source)) return kyselyPool(source);
  if ("$client" in source) return poolOf(source.$client);
  if (isBunSql(source)) return bunPool(source);
  if ("promise" in source && "getConnection" in source) return poolOf(source.promise());
  if ("execute" in source && "getConnection" in source && !("batch" in source)) return mysql2Pool(source);
  if ("beginTransaction" in source) {
    throw refusal(`one connection cannot be shared by two requests; ${REMEDY}`);
  }
  const other = OTHERS.find(({ has }) => has.every((member) => member in source));
  throw refusal(other ? `${other.what}; ${REMEDY}` : REMEDY);
}

/** Connections to other databases and by other packages, by members that only they have. */
const OTHERS: readonly { readonly has: readonly string[]; readonly what: string }[] = [
  { has: ["query", "connect", "totalCount"], what: "a pool of `pg` is for `postgresAdapter()`" },
  { has: ["unsafe", "begin"], what: "a connection of the package `postgres` is for `postgresAdapter()`" },
  { has: ["prepare", "exec"], what: "a SQLite database is for `sqliteAdapter()`" },
  { has: ["batch", "getConnection"], what: "the package `mariadb` is not supported" },
];

function mysql2Pool(pool: MysqlPool): Pool {
  const query = executing(pool);
  const hold = async <Result>(run: (connection: MysqlConnection) => Promise<Result>): Promise<Result> => {
    const connection = await pool.getConnection();
    // A connection that is lost emits "error", which ends the program if nobody listens. The statement that is under way
    // fails as well, so nothing is missed.
    connection.on?.("error", ignore);
    let usable = true;
    try {
      return await run(connection);
    } catch (error) {
      usable = await isRolledBack(connection);
      throw error;
    } finally {
      connection.off?.("error", ignore);
      if (usable) connection.release();
      else connection.destroy();
    }
  };
  return {
    query,
    session: (run) => hold((connection) => run(executing(connection))),
    transaction: (run) =>
      hold(async (connection) => {
        for (const text of BEGIN) await connection.query(text);
        const result = await run(executing(connection));
        await committed(() => connection.query("commit"));
        return result;
      }),
  };
}

// Prepared: values never become part of a text, whatever `sql_mode` says about backslashes, and errors of the driver do
// not quote them.
function executing(connection: Pick<MysqlPool, "execute">): Query {
  return async (sql, params) => {
    const [answer] = await connection.execute({ sql, values: [...params], rowsAsArray: true, typeCast: asDriver });
    return Array.isArray(answer) ? answer : countedRows(Object(answer).affectedRows);
  };
}

async function isRolledBack(connection: MysqlConnection): Promise<boolean> {
  try {
    await connection.query("rollback");
    return true;
  } catch {
    // The connection is lost, and the transaction with it. The caller gets the error that came first.
    return false;
  }
}

function asDriver(_field: unknown, next: () => unknown): unknown {
  return next();
}

function ignore(): void {}
