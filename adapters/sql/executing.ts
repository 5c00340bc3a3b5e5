/**
 * Executes operations on the tables of a database, which are looked up once, and again when they were changed.
 *
 * @module
 */
import type { Database } from "./adapter.ts";
import {
  type Arguments,
  makeOperations,
  type Operation,
  type OperationName,
  type OperationSettings,
  type Prepare,
} from "./operations.ts";
import type { SqlStore } from "./store.ts";

/** What each database does in its own way. */
export interface Executing {
  /** All adapters of a connection share the tables that were found under a key. */
  readonly connection: object;
  readonly key: string;
  readonly settings: OperationSettings;
  /** Looks up the tables. */
  readonly find: () => Promise<SqlStore>;
  /** Runs an operation, and again if that is what it takes. */
  readonly run: <Result>(operation: Operation<Result>, options: { readonly noWait: boolean }) => Promise<Result>;
  /** Whether an error says that the tables are not those that were found. */
  readonly isTablesChanged: (error: unknown) => boolean;
}

export interface Executor extends Pick<Database, "execute"> {
  /** Looks the tables up again before the next operation. */
  forget(): void;
}

interface FoundTables {
  store: Promise<SqlStore> | undefined;
}

const foundTables = new WeakMap<object, Map<string, FoundTables>>();

function foundTablesOf({ connection, key }: Executing): FoundTables {
  const places = foundTables.get(connection) ?? new Map<string, FoundTables>();
  foundTables.set(connection, places);
  const found = places.get(key) ?? { store: undefined };
  places.set(key, found);
  return found;
}

export function makeExecutor(executing: Executing): Executor {
  const { settings, find, run, isTablesChanged } = executing;
  const shared = foundTablesOf(executing);
  let made: { readonly store: SqlStore; readonly prepare: Prepare } | undefined;
  const startSearch = (): Promise<SqlStore> => {
    const search = find().catch((error: unknown) => {
      // The next operation looks again: the tables may exist by then.
      if (shared.store === search) shared.store = undefined;
      throw error;
    });
    return search;
  };
  return {
    execute: async (name, args, options = { noWait: false }) => {
      for (let looks = 0;; looks += 1) {
        let search = shared.store ??= startSearch();
        let store = await search;
        if (lacksTable(store, name, args)) {
          // Another process may have made the table meanwhile, and stored what the plan has to remove.
          search = shared.store = startSearch();
          store = await search;
        }
        if (made?.store !== store) made = { store, prepare: makeOperations(store, settings) };
        try {
          return await run(made.prepare(name, args), options);
        } catch (error) {
          if (looks > 0 || !isTablesChanged(error)) throw error;
          if (shared.store === search) shared.store = undefined;
        }
      }
    },
    forget: () => {
      shared.store = undefined;
    },
  };
}

/** Whether an operation asks for a table that the database lacks. */
function lacksTable<Name extends OperationName>(
  { hasRecords, hasBuckets }: SqlStore,
  name: Name,
  args: Arguments[Name],
): boolean {
  if (name === "take") return !hasBuckets;
  return !hasRecords && name === "commit" && (args as Arguments["commit"])[0].evict !== undefined;
}
