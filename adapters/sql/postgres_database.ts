/**
 * Executes operations on PostgreSQL.
 *
 * No state of a connection outlives a transaction, so it works through a pooler that gives every transaction another
 * connection. No operation holds two connections, so a pool of one is enough.
 *
 * @module
 */
import { BoundedMap } from "../../src/kernel/bounded_map.ts";
import { pause, type PauseRuntime } from "../../src/kernel/deadline.ts";
import type { Constraint, Database } from "./adapter.ts";
import { type Arguments, makeOperations, type OperationSettings, type Prepare } from "./operations.ts";
import type { ColumnOf } from "./column_names.ts";
import { assertUsable } from "./unusable_tables.ts";
import { columnOf, findDuplicates, findTypes, findUnusableColumns } from "./postgres_catalogue.ts";
import type { Pool, Query } from "./postgres_driver.ts";
import { migrationStatements, type TableLocation } from "./postgres_schema.ts";
import { codeOf, CommitUnknown, isConnectionLost, retry } from "./postgres_retries.ts";
import { findStore } from "./postgres_store.ts";
import type { SqlStore } from "./store.ts";
import type { SqlSteps } from "./statement.ts";

export interface PostgresSettings extends OperationSettings {
  readonly location: TableLocation;
  readonly runtime: PauseRuntime;
}

export interface PostgresDatabase extends Database {
  /** Makes the tables, columns and indexes that are missing. */
  migrate(): Promise<void>;
}

/** The tables at one location, shared by all adapters of a pool. */
interface FoundTables {
  store: Promise<SqlStore> | undefined;
}

const foundTables = new WeakMap<Pool, Map<string, FoundTables>>();

function foundTablesOf(pool: Pool, { schema, names, ids, columns = {} }: TableLocation): FoundTables {
  const places = foundTables.get(pool) ?? new Map<string, FoundTables>();
  foundTables.set(pool, places);
  const named = Object.entries(columns).map(([id, of]) => [id, ...of]);
  const key = JSON.stringify([schema, names, ids, named]);
  const found = places.get(key) ?? { store: undefined };
  places.set(key, found);
  return found;
}

/** Codes for a table or column that is missing or has another type: the tables were changed meanwhile. */
const TABLES_CHANGED: readonly unknown[] = ["42P01", "42703", "42804"];

export function postgresDatabase(pool: Pool, settings: PostgresSettings): PostgresDatabase {
  const { location, runtime } = settings;
  const shared = foundTablesOf(pool, location);
  let made: { readonly store: SqlStore; readonly prepare: Prepare } | undefined;
  const query: Query = (sql, params) => pool.query(numbered(sql), params);
  const startSearch = (): Promise<SqlStore> => {
    const search = retry(runtime, { readOnly: true }, () => findStore(location, query)).catch((error: unknown) => {
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
        if (!store.hasRecords && name === "commit" && (args as Arguments["commit"])[0].evict) {
          // Another process may have made the table meanwhile, and stored what the plan has to remove.
          search = shared.store = startSearch();
          store = await search;
        }
        if (made?.store !== store) made = { store, prepare: makeOperations(store, settings) };
        const operation = made.prepare(name, args);
        try {
          const { transaction, start } = operation;
          return await retry(runtime, operation, () => {
            return transaction ? transact(pool, runtime, start) : drive(start(), pool.prepared);
          });
        } catch (error) {
          if (looks > 0 || !TABLES_CHANGED.includes(codeOf(error))) throw error;
          if (shared.store === search) shared.store = undefined;
        }
      }
    },
    migrate: async () => {
      await pool.transaction((query) => migrate(query, location));
      shared.store = undefined;
    },
    constraintOf,
  };
}

async function migrate(query: Query, location: TableLocation): Promise<void> {
  // Otherwise everything that exists already is reported as a notice each time.
  await query("set local client_min_messages = warning", []);
  // Several instances that start at once take turns, until this transaction ends.
  await query("select pg_advisory_xact_lock(hashtext('x-auth migrate'))", []);
  const ask: Query = (sql, params) => query(numbered(sql), params);
  const found = await findTypes(location, ask);
  assertUsable([...findUnusableColumns(location, found), ...await findDuplicates(location, found, ask)]);
  const columns: ColumnOf = (id, member) => columnOf(found, id, member);
  for (const statement of migrationStatements(location, columns)) await query(statement, []);
}

/** Runs a transaction. If the connection is lost during the commit, it asks the server whether the commit happened. */
async function transact<Result>(
  pool: Pool,
  runtime: PauseRuntime,
  start: () => SqlSteps<Result>,
): Promise<Result> {
  let ended: { readonly id: unknown; readonly result: Result } | undefined;
  try {
    return await pool.transaction(async (query) => {
      const [row] = await query('select pg_current_xact_id()::text as "0"', []);
      const result = await drive(start(), query);
      ended = { id: row?.[0], result };
      return result;
    });
  } catch (error) {
    if (!ended || !isConnectionLost(error)) throw error;
    if (await wasCommitted(pool, runtime, String(ended.id))) return ended.result;
    throw error;
  }
}

/** Seconds between two questions about a transaction that the server has not ended yet, and how many are asked. */
const STATUS_QUERIES = { pause: 0.05, most: 20 };

/** @throws {CommitUnknown} if the server cannot tell. */
async function wasCommitted(pool: Pool, runtime: PauseRuntime, id: string): Promise<boolean> {
  const look = () => pool.query('select pg_xact_status($1::text::xid8) as "0"', [id]);
  try {
    for (let looks = 0; looks < STATUS_QUERIES.most; looks += 1) {
      const [row] = await retry(runtime, { readOnly: true }, look);
      if (row?.[0] === "committed" || row?.[0] === "aborted") return row[0] === "committed";
      await pause(runtime, STATUS_QUERIES.pause);
    }
  } catch (error) {
    // Not the original error, which would cause another attempt to write.
    throw new CommitUnknown(UNKNOWN, { cause: error });
  }
  throw new CommitUnknown(UNKNOWN);
}

const UNKNOWN = "Cannot write to storage: the connection was lost during a commit, which may have happened or not";

async function drive<Result>(steps: SqlSteps<Result>, query: Query): Promise<Result> {
  let step = steps.next();
  while (!step.done) {
    const { sql, params } = step.value;
    step = steps.next(await query(numbered(sql), params.map((param) => param === null ? null : String(param))));
  }
  return step.value;
}

function constraintOf(error: unknown): Constraint | null {
  const code = codeOf(error);
  if (code === "23505") return "unique";
  return code === "23503" ? "foreign key" : null;
}

const texts = new BoundedMap<string, string>(512);

/** Writes the placeholders `?` as `$1`, `$2` and so on. A `?` within a quoted name stays. */
function numbered(sql: string): string {
  const known = texts.get(sql);
  if (known !== undefined) return known;
  let count = 0;
  const text = sql.replaceAll(/"[^"]*"|\?/g, (found) => found === "?" ? `$${count += 1}` : found);
  texts.set(sql, text);
  return text;
}
