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
import { namingKey } from "./column_names.ts";
import { makeExecutor } from "./executing.ts";
import type { OperationSettings } from "./operations.ts";
import type { Pool, Query } from "./postgres_driver.ts";
import { codeOf, mostRetries } from "./postgres_errors.ts";
import { migrate, missingStatements } from "./postgres_migration.ts";
import { numbered, numbering } from "./postgres_placeholders.ts";
import type { TableLocation } from "./postgres_schema.ts";
import { retry } from "./retries.ts";
import { findStore } from "./postgres_store.ts";
import { transact } from "./postgres_transaction.ts";
import { drive, type Run } from "./statement.ts";
import { problemsOf } from "./unusable_tables.ts";

export interface PostgresSettings extends OperationSettings {
  readonly location: TableLocation;
  readonly runtime: PauseRuntime;
}

export interface PostgresDatabase extends Database {
  /** Makes the tables, columns and indexes that are missing. */
  migrate(): Promise<void>;
  /** Says what is missing, with the statement for each; nothing where all is there that is needed. */
  findProblems(): Promise<string[]>;
}

/** Codes for a table or column that is missing or has another type: the tables were changed meanwhile. */
const TABLES_CHANGED: readonly unknown[] = ["42P01", "42703", "42804"];

export function postgresDatabase(pool: Pool, settings: PostgresSettings): PostgresDatabase {
  const { location, runtime } = settings;
  const query = numbering(pool.query);
  const { execute, forget } = makeExecutor({
    connection: pool,
    key: JSON.stringify([location.schema, namingKey(location)]),
    settings,
    find: () => retry(runtime, { readOnly: true }, () => findStore(location, query), mostRetries),
    run: (operation) => {
      const { transaction, start } = operation;
      const attempt = () => {
        if (!transaction) return drive(start(), asking(pool.prepared));
        return transact(pool, runtime, (query) => drive(start(), asking(query)));
      };
      return retry(runtime, operation, attempt, mostRetries);
    },
    isTablesChanged: (error) => TABLES_CHANGED.includes(codeOf(error)),
  });
  return {
    execute,
    migrate: async () => {
      await migrate(pool, runtime, location);
      forget();
    },
    findProblems: async () => {
      return await problemsOf(() => findStore(location, query), () => missingStatements(location, query));
    },
    constraintOf,
  };
}

function asking(query: Query): Run {
  return ({ sql, params }) => query(numbered(sql), params.map((param) => param === null ? null : String(param)));
}

function constraintOf(error: unknown): Constraint | null {
  const code = codeOf(error);
  if (code === "23505") return "unique";
  return code === "23503" ? "foreign key" : null;
}
