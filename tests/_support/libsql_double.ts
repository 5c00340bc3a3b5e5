/**
 * A double of `@libsql/client` over `node:sqlite`: a file, or a replica, which is a copy of another file.
 *
 * @module
 */
import { copyFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import type { LibsqlClient, LibsqlStatement } from "../../adapters/sqlite.ts";

/** A client, and how often it was synchronized. */
export interface LibsqlDouble extends LibsqlClient {
  transaction(): never;
  readonly synchronized: number;
  close(): void;
}

/** Opens a file. */
export function openLibsql(path: string): LibsqlDouble {
  // Newer versions say `SyncNotSupported`.
  const problem = "Sync is not supported in databases opened in File mode.";
  return double(new DatabaseSync(path), () => Promise.reject(new Error(problem)));
}

/** Opens a replica of a file: what writes is done there. @param copy The path of the replica. */
export function openReplica(path: string, copy: string): LibsqlDouble {
  const primary = new DatabaseSync(path);
  // Then all of it is in the file that is copied.
  primary.exec("pragma journal_mode = delete");
  let local: DatabaseSync | undefined;
  const read = (): DatabaseSync => {
    if (local) return local;
    copyFileSync(path, copy);
    return local = new DatabaseSync(copy);
  };
  const update = () => {
    local?.close();
    local = undefined;
    read();
    return Promise.resolve();
  };
  return double(primary, update, ({ sql }) => /^select\b/.test(sql) ? read() : primary, () => local?.close());
}

function double(
  database: DatabaseSync,
  synchronize: () => Promise<unknown>,
  reader: (statement: LibsqlStatement) => DatabaseSync = () => database,
  close = () => {},
): LibsqlDouble {
  let synchronized = 0;
  const run = (where: DatabaseSync, { sql, args }: LibsqlStatement) => {
    const statement = where.prepare(sql);
    return { rows: statement.all(...args).map((row) => Object.values(row)) };
  };
  return {
    protocol: "file",
    execute: async (statement) => {
      await setImmediate();
      return run(reader(statement), statement);
    },
    batch: async (statements) => {
      await setImmediate();
      database.exec("begin immediate");
      try {
        const results = statements.map((statement) => run(database, statement));
        database.exec("commit");
        return results;
      } finally {
        if (database.isTransaction) database.exec("rollback");
      }
    },
    sync: async () => {
      await setImmediate();
      synchronized += 1;
      return await synchronize();
    },
    transaction: () => {
      throw new Error("not used");
    },
    get synchronized() {
      return synchronized;
    },
    close: () => {
      database.close();
      close();
    },
  };
}
