/**
 * Carries out tasks on PostgreSQL.
 *
 * Nothing of it lives longer than a transaction, so that it works through a pooler that gives every transaction another
 * connection; and nothing asks for a second connection while it has one, so that a pool of one is enough.
 *
 * @module
 */
import { pause } from "../../src/kernel/deadline.ts";
import { BoundedMap } from "../../src/kernel/bounded_map.ts";
import type { Database, Violation } from "./adapter.ts";
import { makeOperations, type Operations, type Surroundings } from "./operations.ts";
import { refuse } from "./misfits.ts";
import type { Waiting } from "./patience.ts";
import { type Ask, duplicatesIn, findTypes, misfitsOf } from "./postgres_catalogue.ts";
import type { Pool, Query } from "./postgres_driver.ts";
import { type PostgresPlace, schemaStatements } from "./postgres_schema.ts";
import { codeOf, FateUnknown, isLost, trying } from "./postgres_retries.ts";
import { findStore } from "./postgres_store.ts";
import type { Store } from "./store.ts";
import type { Task, Work } from "./work.ts";

/** How a database is used. */
export interface PostgresSettings extends Surroundings {
  /** Where the tables are. */
  readonly place: PostgresPlace;
  /** Waits, by chance. */
  readonly runtime: Waiting;
}

/** A database whose tables can be made. */
export interface PostgresDatabase extends Database {
  /** Makes what is missing. */
  migrate(): Promise<void>;
}

/** What is known of the tables at a place, shared by all adapters of a pool. */
interface Known {
  store: Promise<Store> | undefined;
}

const known = new WeakMap<Pool, Map<string, Known>>();

function knownOf(pool: Pool, { schema, names }: PostgresPlace): Known {
  const places = known.get(pool) ?? new Map<string, Known>();
  known.set(pool, places);
  const key = JSON.stringify([schema, names]);
  const found = places.get(key) ?? { store: undefined };
  places.set(key, found);
  return found;
}

/** A table or a column is not there any more, or of another type: somebody changed tables meanwhile. */
const CHANGED: readonly unknown[] = ["42P01", "42703", "42804"];

/** Makes a database of a pool. */
export function postgresDatabase(pool: Pool, settings: PostgresSettings): PostgresDatabase {
  const { place, runtime } = settings;
  const shared = knownOf(pool, place);
  let made: { readonly store: Store; readonly operations: Operations } | undefined;
  const ask: Ask = (sql, params) => pool.query(numbered(sql), params);
  const lookAround = (): Promise<Store> => {
    const looking = trying(runtime, { reads: true }, () => findStore(place, ask)).catch((error: unknown) => {
      // Whoever asks next finds out whether the tables are there by then.
      if (shared.store === looking) shared.store = undefined;
      throw error;
    });
    return looking;
  };
  return {
    perform: async (choose) => {
      for (let looks = 0;; looks += 1) {
        const looking = shared.store ??= lookAround();
        const store = await looking;
        if (made?.store !== store) made = { store, operations: makeOperations(store, settings) };
        const task = choose(made.operations);
        try {
          return await trying(runtime, task, () => carryOut(pool, runtime, task));
        } catch (error) {
          if (looks > 0 || !CHANGED.includes(codeOf(error))) throw error;
          if (shared.store === looking) shared.store = undefined;
        }
      }
    },
    migrate: async () => {
      await pool.atomically((query) => migrate(query, place));
      shared.store = undefined;
    },
    violation,
  };
}

async function migrate(query: Query, place: PostgresPlace): Promise<void> {
  // What exists already would be told as a notice each time.
  await query("set local client_min_messages = warning", []);
  // Several instances that start at once take turns, until this transaction ends.
  await query("select pg_advisory_xact_lock(hashtext('x-auth migrate'))", []);
  const ask: Ask = (sql, params) => query(numbered(sql), params);
  const found = await findTypes(place, ask);
  refuse([...misfitsOf(place, found), ...await duplicatesIn(place, found, ask)]);
  for (const statement of schemaStatements(place)) await query(statement, []);
}

async function carryOut<Result>(pool: Pool, runtime: Waiting, { whole, start }: Task<Result>): Promise<Result> {
  return whole ? await transact(pool, runtime, start) : await drive(start(), pool.query);
}

/** Carries out a transaction. If the connection is lost while it is committed, it is found out what became of it. */
async function transact<Result>(pool: Pool, runtime: Waiting, start: () => Work<Result>): Promise<Result> {
  let ended: { readonly id: unknown; readonly result: Result } | undefined;
  try {
    return await pool.atomically(async (query) => {
      const [row] = await query('select pg_current_xact_id()::text as "0"', []);
      const result = await drive(start(), query);
      ended = { id: row?.[0], result };
      return result;
    });
  } catch (error) {
    if (!ended || !isLost(error)) throw error;
    if (await wasCommitted(pool, runtime, String(ended.id))) return ended.result;
    throw error;
  }
}

/** Seconds between two looks at a transaction that the server has not ended yet, and how many there are. */
const LOOK = { pause: 0.05, most: 20 };

/** @throws {FateUnknown} if nobody can say. */
async function wasCommitted(pool: Pool, runtime: Waiting, id: string): Promise<boolean> {
  const look = () => pool.query('select pg_xact_status($1::text::xid8) as "0"', [id]);
  try {
    for (let looks = 0; looks < LOOK.most; looks += 1) {
      const [row] = await trying(runtime, { reads: true }, look);
      if (row?.[0] === "committed" || row?.[0] === "aborted") return row[0] === "committed";
      await pause(runtime, LOOK.pause);
    }
  } catch (error) {
    // Of another kind than what was thrown: it must not be taken for a reason to write again.
    throw new FateUnknown(UNKNOWN, { cause: error });
  }
  throw new FateUnknown(UNKNOWN);
}

const UNKNOWN = "Cannot write to storage: the connection was lost, and what was to be written may be there or not";

async function drive<Result>(work: Work<Result>, query: Query): Promise<Result> {
  let step = work.next();
  while (!step.done) {
    const { sql, params } = step.value;
    step = work.next(await query(numbered(sql), params.map((param) => param === null ? null : String(param))));
  }
  return step.value;
}

function violation(error: unknown): Violation | null {
  const code = codeOf(error);
  if (code === "23505") return "taken";
  return code === "23503" ? "orphan" : null;
}

const texts = new BoundedMap<string, string>(512);

/** Numbers the parameters of a statement. A `?` in a name is none. */
function numbered(sql: string): string {
  const known = texts.get(sql);
  if (known !== undefined) return known;
  let count = 0;
  const text = sql.replaceAll(/"[^"]*"|\?/g, (found) => found === "?" ? `$${count += 1}` : found);
  texts.set(sql, text);
  return text;
}
