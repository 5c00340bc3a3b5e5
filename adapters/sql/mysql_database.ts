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
import type { TableNaming } from "./column_names.ts";
import { findDuplicates, findTables, findUnusableColumns } from "./mysql_catalogue.ts";
import type { Pool, Query } from "./mysql_pool.ts";
import { constraintOf, isDuplicate, isTablesChanged, mostRetries } from "./mysql_retries.ts";
import { migrationStatements } from "./mysql_schema.ts";
import { findStore } from "./mysql_store.ts";
import { lacksTable, makeOperations, type OperationSettings, type Prepare } from "./operations.ts";
import { retry } from "./retries.ts";
import type { SqlStore } from "./store.ts";
import type { SqlSteps } from "./statement.ts";
import { assertUsable } from "./unusable_tables.ts";
import type { Param } from "./values.ts";

export interface MysqlSettings extends OperationSettings {
  readonly naming: TableNaming;
  readonly runtime: PauseRuntime;
}

export interface MysqlDatabase extends Database {
  /** Makes the tables, columns and indexes that are missing. */
  migrate(): Promise<void>;
}

/** Tables of one name, shared by all adapters of a pool. */
interface FoundTables {
  store: Promise<SqlStore> | undefined;
}

const foundTables = new WeakMap<Pool, Map<string, FoundTables>>();

function foundTablesOf(pool: Pool, { names, ids, columns = {} }: TableNaming): FoundTables {
  const places = foundTables.get(pool) ?? new Map<string, FoundTables>();
  foundTables.set(pool, places);
  const key = JSON.stringify([names, ids, Object.entries(columns).map(([id, of]) => [id, ...of])]);
  const found = places.get(key) ?? { store: undefined };
  places.set(key, found);
  return found;
}

export function mysqlDatabase(pool: Pool, settings: MysqlSettings): MysqlDatabase {
  const { naming, runtime } = settings;
  const shared = foundTablesOf(pool, naming);
  let made: { readonly store: SqlStore; readonly prepare: Prepare } | undefined;
  const startSearch = (): Promise<SqlStore> => {
    const look = () => findStore(naming, pool.query);
    const search = retry(runtime, { readOnly: true }, look, mostRetries).catch((error: unknown) => {
      // The next operation looks again: the tables may exist by then.
      if (shared.store === search) shared.store = undefined;
      throw error;
    });
    return search;
  };
  return {
    execute: async (name, args) => {
      for (let looks = 0;; looks += 1) {
        let search = shared.store ??= startSearch();
        let store = await search;
        if (lacksTable(store, name, args)) {
          // Another process may have made the table meanwhile, and stored what the plan has to remove.
          search = shared.store = startSearch();
          store = await search;
        }
        if (made?.store !== store) made = { store, prepare: makeOperations(store, settings) };
        const operation = made.prepare(name, args);
        const { transaction, start } = operation;
        try {
          return await retry(runtime, operation, () => {
            return transaction ? pool.transaction((query) => drive(start(), query)) : drive(start(), pool.query);
          }, mostRetries);
        } catch (error) {
          if (looks > 0 || !isTablesChanged(error)) throw error;
          if (shared.store === search) shared.store = undefined;
        }
      }
    },
    migrate: async () => {
      await pool.session((query) => migrate(query, naming));
      shared.store = undefined;
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

async function drive<Result>(steps: SqlSteps<Result>, query: Query): Promise<Result> {
  let step = steps.next();
  while (!step.done) {
    const { sql, params, orDuplicate = false } = step.value;
    const { text, values } = bound(sql, params);
    step = steps.next(
      await query(text, values).catch((error: unknown) => {
        if (orDuplicate && isDuplicate(error)) return [];
        throw error;
      }),
    );
  }
  return step.value;
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
