/**
 * Carries out tasks on PostgreSQL.
 *
 * Nothing of it lives longer than a transaction, so that it works through a pooler that gives every transaction another
 * connection; and nothing asks for a second connection while it has one, so that a pool of one is enough.
 *
 * @module
 */
import { BoundedMap } from "../bounded_map.ts";
import type { Runtime } from "../runtime.ts";
import type { Database, Violation } from "./adapter.ts";
import { makeOperations, type Operations, type Surroundings } from "./operations.ts";
import type { Pool, Query } from "./postgres_driver.ts";
import { type PostgresPlace, schemaStatements } from "./postgres_schema.ts";
import { findStore } from "./postgres_store.ts";
import type { Task, Work } from "./work.ts";

/** How a database is used. */
export interface PostgresSettings extends Surroundings {
  /** Where the tables are. */
  readonly place: PostgresPlace;
  /** Waits, by chance. */
  readonly runtime: Pick<Runtime, "random" | "timer">;
}

/** A database whose tables can be made. */
export interface PostgresDatabase extends Database {
  /** Makes what is missing. */
  migrate(): Promise<void>;
}

/** How often a transaction is tried again that collided with another. */
const MOST_RETRIES = 3;

/** Makes a database of a pool. */
export function postgresDatabase(pool: Pool, settings: PostgresSettings): PostgresDatabase {
  let operations: Promise<Operations> | undefined;
  const open = async (): Promise<Operations> => {
    const store = await findStore(settings.place, (sql, params) => pool.query(numbered(sql), params));
    return makeOperations(store, settings);
  };
  return {
    perform: async (choose) => {
      operations ??= open().catch((error: unknown) => {
        // Whoever asks next finds out whether the tables are there by then.
        operations = undefined;
        throw error;
      });
      const task = choose(await operations);
      return await retrying(settings.runtime, () => carryOut(pool, task));
    },
    migrate: async () => {
      await pool.atomically((query) => migrate(query, settings.place));
      operations = undefined;
    },
    violation,
  };
}

async function migrate(query: Query, place: PostgresPlace): Promise<void> {
  // What exists already would be told as a notice each time.
  await query("set local client_min_messages = warning", []);
  // Several instances that start at once take turns, until this transaction ends.
  await query("select pg_advisory_xact_lock(hashtext('x-auth migrate'))", []);
  for (const statement of schemaStatements(place)) await query(statement, []);
}

async function carryOut<Result>(pool: Pool, { whole, start }: Task<Result>): Promise<Result> {
  return whole ? await pool.atomically((query) => drive(start(), query)) : await drive(start(), pool.query);
}

async function drive<Result>(work: Work<Result>, query: Query): Promise<Result> {
  let step = work.next();
  while (!step.done) {
    const { sql, params } = step.value;
    step = work.next(await query(numbered(sql), params.map((param) => param === null ? null : String(param))));
  }
  return step.value;
}

/** The transaction would have been in the way of another, and did not happen. */
const COLLISIONS: readonly unknown[] = ["40001", "40P01"];

async function retrying<Result>(runtime: PostgresSettings["runtime"], attempt: () => Promise<Result>): Promise<Result> {
  for (let retries = 0;; retries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (retries === MOST_RETRIES || !COLLISIONS.includes(codeOf(error))) throw error;
    }
    await pause(runtime, retries);
  }
}

// Longer each time, and by chance, so that those who collided do not meet again.
function pause({ random, timer }: PostgresSettings["runtime"], retries: number): Promise<void> {
  const [chance = 0] = random(new Uint8Array(1));
  const seconds = 0.01 * 2 ** retries * (0.5 + chance / 256);
  return new Promise((resolve) => void timer(seconds, resolve));
}

function violation(error: unknown): Violation | null {
  const code = codeOf(error);
  if (code === "23505") return "taken";
  return code === "23503" ? "orphan" : null;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
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
