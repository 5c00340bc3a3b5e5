/**
 * One transaction on PostgreSQL, and what became of it when the connection is lost during its commit.
 *
 * @module
 */
import { pause, type PauseRuntime } from "../../src/kernel/deadline.ts";
import type { Pool, Query } from "./postgres_driver.ts";
import { isLacking, isRefused, mostRetries } from "./postgres_errors.ts";
import { Unprepared } from "./postgres_prepared.ts";
import { CommitUnknown, retry } from "./retries.ts";

/** Pools whose server does not number transactions. */
const unnumbered = new WeakSet<Pool>();

/**
 * Runs a transaction. If its commit fails and the server has not said why, it asks the server whether the commit happened.
 *
 * @throws {CommitUnknown} if the server cannot tell.
 */
export async function transact<Result>(
  pool: Pool,
  runtime: PauseRuntime,
  run: (query: Query) => Promise<Result>,
): Promise<Result> {
  let asksNumber = !unnumbered.has(pool);
  let ended: { readonly id: string | null; readonly result: Result } | undefined;
  try {
    return await pool.transaction(async (query, prepared = query) => {
      const id = asksNumber ? await numberOf(query) : null;
      asksNumber = false;
      const result = await run(prepared);
      ended = { id, result };
      return result;
    });
  } catch (error) {
    if (asksNumber && isLacking(error)) {
      unnumbered.add(pool);
      return await transact(pool, runtime, run);
    }
    if (error instanceof Unprepared) return await transact(pool, runtime, run);
    if (!ended || isRefused(error)) throw error;
    if (ended.id === null) throw new CommitUnknown(error);
    if (await wasCommitted(pool, runtime, ended.id)) return ended.result;
    throw error;
  }
}

// YugabyteDB has the functions and not what they tell of.
const NUMBER = `select case when version() like '%-YB-%' then null else pg_current_xact_id()::text end as "0"`;

async function numberOf(query: Query): Promise<string | null> {
  const [row] = await query(NUMBER, []);
  const id = row?.[0] ?? null;
  return id === null ? null : String(id);
}

/** Seconds between two questions about a transaction that the server has not ended yet, and how many are asked. */
const STATUS_QUERIES = { pause: 0.05, most: 20 };

/** @throws {CommitUnknown} if the server cannot tell. */
async function wasCommitted(pool: Pool, runtime: PauseRuntime, id: string): Promise<boolean> {
  const look = () => pool.query('select pg_xact_status($1::text::xid8) as "0"', [id]);
  try {
    for (let looks = 0; looks < STATUS_QUERIES.most; looks += 1) {
      const [row] = await retry(runtime, { readOnly: true }, look, mostRetries);
      if (row?.[0] === "committed" || row?.[0] === "aborted") return row[0] === "committed";
      await pause(runtime, STATUS_QUERIES.pause);
    }
  } catch (error) {
    // Not the original error, which would cause another attempt to write.
    throw new CommitUnknown(error);
  }
  throw new CommitUnknown();
}
