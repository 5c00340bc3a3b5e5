/**
 * Bun's `SQL` as a connection to MySQL or MariaDB.
 *
 * @module
 */
import { InvalidConfig } from "../../src/kernel/errors.ts";
import { countedRows, type Pool, type Query, transacting } from "./mysql_pool.ts";
import { bunDialect, type BunSql } from "./postgres_by_postgres_js.ts";
import { hasMethods } from "./shape.ts";
import type { Row } from "./table.ts";

/** What is used of it. */
interface Source extends BunConnection {
  reserve(): PromiseLike<BunConnection & { release(): unknown }>;
}

interface BunConnection {
  unsafe(text: string, values: (string | null)[]): PromiseLike<Answer>;
}

type Answer = readonly Row[] & { readonly affectedRows?: unknown };

/** Whether it is Bun's `SQL`, whatever its database is. */
export function isBunSql(source: object): source is BunSql {
  return hasMethods(source, "unsafe", "begin", "reserve") && bunDialect(source) !== undefined;
}

/** @throws {InvalidConfig} if it is connected to another database. */
export function bunPool(sql: BunSql): Pool {
  const dialect = bunDialect(sql);
  if (dialect !== "mysql" && dialect !== "mariadb") {
    const remedy = dialect === "sqlite"
      ? "pass a `Database` of `bun:sqlite` to `sqliteAdapter()`"
      : "pass it to `postgresAdapter()`";
    throw new InvalidConfig(
      `Cannot use connection: this \`SQL\` of Bun is connected to ${dialect}, not to MySQL; ${remedy}`,
      { logCode: "driver-unusable" },
    );
  }
  // Declared loosely, because of the types of Bun.
  const source = sql as object as Source;
  const session: Pool["session"] = async (run) => {
    const connection = await source.reserve();
    try {
      return await run(bunQuery(connection));
    } finally {
      connection.release();
    }
  };
  return { query: bunQuery(source), session, transaction: transacting(session) };
}

function bunQuery(connection: BunConnection): Query {
  return async (sql, params) => {
    const answer = await connection.unsafe(sql, [...params]);
    return answer.length > 0 ? answer : countedRows(answer.affectedRows);
  };
}
