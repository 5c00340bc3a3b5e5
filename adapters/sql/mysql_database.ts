/**
 * Executes operations on MySQL and MariaDB.
 *
 * No state of a connection outlives a transaction. No operation holds two connections, so a pool of one is enough.
 *
 * @module
 */
import { AdapterError } from "../../src/kernel/errors.ts";
import type { PauseRuntime } from "../../src/kernel/deadline.ts";
import type { Database } from "./adapter.ts";
import { namingKey, type TableNaming } from "./column_names.ts";
import { findDuplicates, findTables, findUnusableColumns } from "./mysql_catalogue.ts";
import type { Pool, Query } from "./mysql_pool.ts";
import { constraintOf, isDuplicate, isTablesChanged, mostRetries } from "./mysql_retries.ts";
import { migrationStatements } from "./mysql_schema.ts";
import { findStore } from "./mysql_store.ts";
import { makeExecutor } from "./executing.ts";
import type { OperationSettings } from "./operations.ts";
import { retry } from "./retries.ts";
import { drive, type Run } from "./statement.ts";
import { assertUsable, problemsOf } from "./unusable_tables.ts";
import type { Param } from "./values.ts";

export interface MysqlSettings extends OperationSettings {
  readonly naming: TableNaming;
  readonly runtime: PauseRuntime;
}

export interface MysqlDatabase extends Database {
  /** Makes the tables, columns and indexes that are missing. */
  migrate(): Promise<void>;
  /** Says what is missing, with the statement for each; nothing where all is there that is needed. */
  findProblems(): Promise<string[]>;
}

export function mysqlDatabase(pool: Pool, settings: MysqlSettings): MysqlDatabase {
  const { naming, runtime } = settings;
  const { execute, forget } = makeExecutor({
    connection: pool,
    key: namingKey(naming),
    settings,
    find: () => retry(runtime, { readOnly: true }, () => findStore(naming, pool.query), mostRetries),
    run: (operation) => {
      const { transaction, start } = operation;
      const attempt = () => {
        if (!transaction) return drive(start(), asking(pool.query));
        return pool.transaction((query) => drive(start(), asking(query)));
      };
      return retry(runtime, operation, attempt, mostRetries);
    },
    isTablesChanged,
  });
  return {
    execute,
    migrate: async () => {
      await pool.session((query) => migrate(query, naming));
      forget();
    },
    findProblems: async () => {
      const list = async () => migrationStatements(naming, await findTables(naming, pool.query));
      return await problemsOf(() => findStore(naming, pool.query), list);
    },
    constraintOf,
  };
}

/** Seconds that a migration waits for the one of another instance. */
const TURN = 60;

// Statements that change tables commit, so instances that start at once take turns by a lock with a name.
async function migrate(query: Query, naming: TableNaming): Promise<void> {
  const lock = "left(concat('x-auth migrate ', database()), 64)";
  const [row] = await query(`select cast(get_lock(${lock}, ${TURN}) as char) as "0"`, []);
  if (row?.[0] !== "1") {
    throw new AdapterError(`Cannot migrate: another instance has been doing so for ${TURN} seconds`, {
      logCode: "storage-tables",
    });
  }
  try {
    const found = await findTables(naming, query);
    assertUsable([...findUnusableColumns(naming, found), ...await findDuplicates(naming, found, query)]);
    // Other software may have left rows whose user is gone.
    await query("set foreign_key_checks = 0", []);
    for (const statement of migrationStatements(naming, found)) await query(statement, []);
  } finally {
    await query("set foreign_key_checks = 1", []);
    await query(`select release_lock(${lock}) as "0"`, []);
  }
}

function asking(query: Query): Run {
  return async ({ sql, params, orDuplicate = false }) => {
    const { text, values } = bound(sql, params);
    try {
      return await query(text, values);
    } catch (error) {
      if (orDuplicate && isDuplicate(error)) return [];
      throw error;
    }
  };
}

/**
 * Binds parameters. `?^` is the same parameter again. The number of a `limit` is written into the text: not every
 * protocol takes it as a parameter. A `?` within a quoted name stays.
 */
export function bound(
  sql: string,
  params: readonly Param[],
): { readonly text: string; readonly values: readonly (string | null)[] } {
  const values: (string | null)[] = [];
  let at = 0;
  const next = () => {
    const param = params[at++] ?? null;
    return param === null ? null : String(param);
  };
  const text = sql.replaceAll(/`[^`]*`|limit \?|\?\^?/g, (found) => {
    if (found.startsWith("`")) return found;
    if (found.startsWith("limit")) return `limit ${Number(next())}`;
    values.push(found === "?^" ? values.at(-1) ?? null : next());
    return "?";
  });
  return { text, values };
}
