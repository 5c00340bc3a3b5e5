/** Counts what a database reads for an operation: from its query plans, or the keys that it is asked for. */
import type { DatabaseSync } from "node:sqlite";
import type { KvLike } from "../../../adapters/deno_kv.ts";
import type { SqliteHandle } from "../../../adapters/sqlite.ts";

/** Counts what is read while something runs. */
export type Reads = (run: () => Promise<unknown>) => Promise<number>;

/** An open database that says how many rows a list of records reads, as its query plans have it. */
export function planned(database: DatabaseSync): { readonly handle: SqliteHandle; readonly reads: Reads } {
  let count = 0;
  const handle: SqliteHandle = {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => {
      const statement = database.prepare(sql);
      if (!sql.startsWith("select ") || !sql.includes(" limit ")) return statement;
      const steps = database.prepare(`explain query plan ${sql}`).all();
      const isExact = steps.length === 1 &&
        /\((?:group|userId)=\? AND kind=\? AND id>\?\)$/.test(`${steps[0]?.detail}`);
      return {
        all: (...params) => {
          const rows = statement.all(...params);
          count += isExact ? rows.length : Infinity;
          return rows;
        },
      };
    },
  };
  return { handle, reads: counting(() => count) };
}

/** A store that counts the keys it lists and the entries it reads. */
export function counted(kv: KvLike): { readonly kv: KvLike; readonly reads: Reads } {
  let count = 0;
  const counted: KvLike = {
    get: (key) => {
      count += 1;
      return kv.get(key);
    },
    async *list(selector) {
      for await (const entry of kv.list(selector)) {
        count += 1;
        yield entry;
      }
    },
    atomic: () => kv.atomic(),
  };
  return { kv: counted, reads: counting(() => count) };
}

function counting(count: () => number): Reads {
  return async (run) => {
    const before = count();
    await run();
    return count() - before;
  };
}
