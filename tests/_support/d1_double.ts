/**
 * A double of Cloudflare D1 over `node:sqlite`, for what its real engine cannot be made to do: somebody else who writes
 * in between, and a statement that fails.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import type { D1Connection, D1Statement } from "../../adapters/sqlite.ts";

/** What happens beside the adapter. */
export interface Incidents {
  /** Called before each batch. */
  readonly beforeBatch?: (database: DatabaseSync) => void;
  /** Called before each statement of a batch with its place. */
  readonly beforeStatement?: (place: number) => void;
}

interface Bound extends D1Statement {
  readonly execute: () => { results: unknown[] };
}

/** The most parameters of a statement. */
const MOST_PARAMS = 100;

/** Opens an empty database. */
export function openD1(incidents: Incidents = {}): { readonly d1: D1Connection; readonly database: DatabaseSync } {
  const database = new DatabaseSync(":memory:");
  database.exec("pragma foreign_keys = on");
  const bound = (sql: string, params: readonly unknown[]): Bound => {
    const execute = () => {
      if (params.length > MOST_PARAMS) throw new Error(`D1_ERROR: too many SQL variables: SQLITE_ERROR`);
      try {
        return { results: database.prepare(sql).all(...params.map(stored)) };
      } catch (error) {
        throw new Error(`D1_ERROR: ${error instanceof Error ? error.message : ""}: SQLITE_ERROR`);
      }
    };
    return { bind: (...values) => bound(sql, values), all: () => later(execute), execute };
  };
  const d1: D1Connection = {
    prepare: (sql) => bound(sql, []),
    batch: (statements) => {
      return later(() => {
        incidents.beforeBatch?.(database);
        database.exec("begin immediate");
        try {
          const results = (statements as readonly Bound[]).map(({ execute }, place) => {
            incidents.beforeStatement?.(place);
            return execute();
          });
          database.exec("commit");
          return results;
        } catch (error) {
          database.exec("rollback");
          throw error;
        }
      });
    },
  };
  return { d1, database };
}

function stored(value: unknown) {
  // What a Worker passes to D1.
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return value as string | number | null;
}

/** Does it when everybody else had a turn, as over a network. */
async function later<Result>(run: () => Result): Promise<Result> {
  await setImmediate();
  return run();
}
