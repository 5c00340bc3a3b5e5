/**
 * What every connection to MySQL or MariaDB has.
 *
 * @module
 */
import { isConnectionLost } from "./mysql_retries.ts";
import { CommitUnknown } from "./retries.ts";
import type { Row } from "./table.ts";

/** Runs a statement and gives its rows; of one that writes, the number of rows if it is not zero. */
export type Query = (sql: string, params: readonly (string | null)[]) => Promise<readonly Row[]>;

export interface Pool {
  /** Runs a statement on any connection. */
  readonly query: Query;
  /** Runs a function with one connection. */
  readonly session: <Result>(run: (query: Query) => Promise<Result>) => Promise<Result>;
  /** Runs a function in a transaction, which is rolled back if the function throws. */
  readonly transaction: <Result>(run: (query: Query) => Promise<Result>) => Promise<Result>;
}

/** Stated, because the default is stricter and reads what was true when the transaction began. Rows are locked where it matters. */
export const BEGIN = ["set transaction isolation level read committed", "start transaction"] as const;

/** Makes transactions of what runs a function with one connection. */
export function transacting(session: Pool["session"]): Pool["transaction"] {
  return (run) =>
    session(async (query) => {
      for (const text of BEGIN) await query(text, []);
      try {
        const result = await run(query);
        await committed(() => query("commit", []));
        return result;
      } catch (error) {
        // It fails if the connection is lost, and the transaction with it. The caller gets the error that came first.
        await query("rollback", []).catch(() => {});
        throw error;
      }
    });
}

/** Commits. @throws {CommitUnknown} if the connection is lost meanwhile: the server does not tell what became of it. */
export async function committed(commit: () => Promise<unknown>): Promise<void> {
  try {
    await commit();
  } catch (error) {
    throw isConnectionLost(error) ? new CommitUnknown(error) : error;
  }
}

/** The answer to a statement that writes: one row if it found any. */
export function countedRows(affected: unknown): readonly Row[] {
  const count = Number(affected ?? 0);
  return count > 0 ? [{ 0: count }] : [];
}
