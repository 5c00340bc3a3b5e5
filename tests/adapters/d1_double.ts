/**
 * A double of D1 over the SQLite of the runtime.
 *
 * @module
 */
import { DatabaseSync, type SQLInputValue } from "node:sqlite";

/** Opens an empty database. */
export function d1Double() {
  const handle = new DatabaseSync(":memory:");
  const bind = (sql: string, values: readonly SQLInputValue[]) => {
    const statement = () => handle.prepare(sql);
    return {
      bind: (...values: readonly SQLInputValue[]) => bind(sql, values),
      first: () => {
        const row = statement().get(...values);
        return Promise.resolve(row ? { ...row } : null);
      },
      run: () => Promise.resolve({ success: true, meta: statement().run(...values) }),
    };
  };
  return { database: { prepare: (sql: string) => bind(sql, []) }, close: () => handle.close() };
}
