/**
 * Executes operations on PostgreSQL.
 *
 * No state of a connection outlives a transaction, so it works through a pooler that gives every transaction another
 * connection. No operation holds two connections, so a pool of one is enough.
 *
 * @module
 */
import type { PauseRuntime } from "../../src/kernel/deadline.ts";
import type { Constraint, Database } from "./adapter.ts";
import { lacksTable, makeOperations, type OperationSettings, type Prepare } from "./operations.ts";
import type { Pool, Query } from "./postgres_driver.ts";
import { codeOf, mostRetries } from "./postgres_errors.ts";
import { migrate } from "./postgres_migration.ts";
import { numbered, numbering } from "./postgres_placeholders.ts";
import type { TableLocation } from "./postgres_schema.ts";
import { retry } from "./retries.ts";
import { findStore } from "./postgres_store.ts";
import { transact } from "./postgres_transaction.ts";
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

function foundTablesOf(pool: Pool, { schema, schemas, names, ids, columns = {} }: TableLocation): FoundTables {
  const places = foundTables.get(pool) ?? new Map<string, FoundTables>();
  foundTables.set(pool, places);
  const named = Object.entries(columns).map(([id, of]) => [id, ...of]);
  const key = JSON.stringify([schema, schemas, names, ids, named]);
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
  const query = numbering(pool.query);
  const startSearch = (): Promise<SqlStore> => {
    const search = retry(runtime, { readOnly: true }, () => findStore(location, query), mostRetries).catch(
      (error: unknown) => {
        // The next operation looks again: the tables may exist by then.
        if (shared.store === search) shared.store = undefined;
        throw error;
      },
    );
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
        try {
          const { transaction, start } = operation;
          return await retry(runtime, operation, () => {
            if (!transaction) return drive(start(), pool.prepared);
            return transact(pool, runtime, (query) => drive(start(), query));
          }, mostRetries);
        } catch (error) {
          if (looks > 0 || !TABLES_CHANGED.includes(codeOf(error))) throw error;
          if (shared.store === search) shared.store = undefined;
        }
      }
    },
    migrate: async () => {
      await migrate(pool, runtime, location);
      shared.store = undefined;
    },
    constraintOf,
  };
}

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
