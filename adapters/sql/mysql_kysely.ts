/**
 * A Kysely instance as a connection to MySQL or MariaDB.
 *
 * @module
 */
import { InvalidConfig } from "../../src/kernel/errors.ts";
import { withLiterals } from "./mysql_literals.ts";
import { countedRows, type Pool, type Query, transacting } from "./mysql_pool.ts";
import type { Row } from "./table.ts";

/** A Kysely instance, or an object of its shape. */
export interface KyselyLike {
  /** What executes statements. */
  getExecutor(): {
    /** What the dialect can do. */
    readonly adapter: object;
  };
  /** Runs a function with one connection. */
  connection(): {
    /** Runs it. */
    execute<Result>(run: (connection: KyselyConnection) => Promise<Result>): Promise<Result>;
  };
}

/** A connection of a {@linkcode KyselyLike}. */
export interface KyselyConnection {
  /** Runs a statement. */
  executeQuery(query: never): Promise<KyselyResult>;
}

/** The answer to a statement. */
export interface KyselyResult {
  /** The rows, by the names of their columns. */
  readonly rows: readonly unknown[];
  /** How many rows it wrote. */
  readonly numAffectedRows?: bigint | undefined;
}

export function isKysely(source: object): source is KyselyLike {
  return "getExecutor" in source && "connection" in source && typeof source.connection === "function";
}

export function kyselyPool(kysely: KyselyLike): Pool {
  if (Reflect.get(kysely, "isTransaction") === true) {
    throw refusal("is a transaction, which ends; pass the instance that it was made of");
  }
  const { adapter } = kysely.getExecutor();
  if (Reflect.get(adapter, "supportsReturning") === true || Reflect.get(adapter, "supportsOutput") === true) {
    throw refusal("is not for MySQL; pass it to `postgresAdapter()` or `sqliteAdapter()`");
  }
  const session: Pool["session"] = (run) => kysely.connection().execute((connection) => run(executing(connection)));
  return {
    query: (sql, params) => session((query) => query(sql, params)),
    session,
    transaction: transacting(session),
  };
}

function refusal(problem: string): InvalidConfig {
  return new InvalidConfig(`Cannot use connection: this Kysely instance ${problem}`, { logCode: "driver-unusable" });
}

function executing(connection: KyselyConnection): Query {
  return async (sql, params) => {
    const { text } = withLiterals(sql, params);
    const query = {
      sql: text,
      parameters: [],
      query: { kind: "RawNode", sqlFragments: [text], parameters: [] },
      queryId: { queryId: "x-auth" },
    };
    try {
      const { rows, numAffectedRows } = await connection.executeQuery(query as never);
      return numAffectedRows === undefined ? rows as readonly Row[] : countedRows(numAffectedRows);
    } catch (error) {
      // The error of the driver quotes the statement, and tokens are secret.
      throw error instanceof Error && "sql" in error ? Object.assign(error, { sql }) : error;
    }
  };
}
