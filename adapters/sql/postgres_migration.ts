/**
 * Makes the tables in PostgreSQL, and in databases that speak like it.
 *
 * @module
 */
import { pause, type PauseRuntime } from "../../src/kernel/deadline.ts";
import type { ColumnOf } from "./column_names.ts";
import { columnOf, findDuplicates, findTypes, findUnusableColumns } from "./postgres_catalogue.ts";
import type { Pool, Query } from "./postgres_driver.ts";
import { codeOf, isCollision, isLacking } from "./postgres_errors.ts";
import { numbering } from "./postgres_placeholders.ts";
import { migrationStatements, type TableLocation } from "./postgres_schema.ts";
import { assertUsable } from "./unusable_tables.ts";

/** Makes the tables, columns and indexes that are missing. @throws {AdapterError} if existing tables cannot be used. */
export async function migrate(pool: Pool, runtime: PauseRuntime, location: TableLocation): Promise<void> {
  try {
    await pool.transaction((query) => migrateAtOnce(query, location));
  } catch (error) {
    if (!isLacking(error)) throw error;
    const columns = await findColumns(location, pool.query);
    for (const statement of migrationStatements(location, columns)) await runAlone(pool, runtime, statement);
  }
}

async function migrateAtOnce(query: Query, location: TableLocation): Promise<void> {
  // Otherwise everything that exists already is reported as a notice each time.
  await query("set local client_min_messages = warning", []);
  // Several instances that start at once take turns, until this transaction ends. As text, because not every driver
  // reads a column of type void.
  await query(`select pg_advisory_xact_lock(hashtext('x-auth migrate'))::text as "0"`, []);
  const columns = await findColumns(location, query);
  for (const statement of migrationStatements(location, columns)) await query(statement, []);
}

/** Looks what the columns are called. @throws {AdapterError} if existing tables cannot be used. */
async function findColumns(location: TableLocation, query: Query): Promise<ColumnOf> {
  const ask = numbering(query);
  const found = await findTypes(location, ask);
  assertUsable([...findUnusableColumns(location, found), ...await findDuplicates(location, found, ask)]);
  return (id, member) => columnOf(found, id, member);
}

/** What a statement answers that another instance has run at the same time: something exists already. */
const RACED: readonly unknown[] = ["23505", "42701", "42710", "42P06", "42P07"];

/** The most times that a statement is run, and seconds between two. */
const TRIES = { most: 10, pause: 0.1 };

// CockroachDB and YugabyteDB have no locks to take turns with, or change a table in one statement of a transaction only.
// Each statement adds what is missing, so it can be repeated.
async function runAlone(pool: Pool, runtime: PauseRuntime, statement: string): Promise<void> {
  for (let tries = 1;; tries += 1) {
    try {
      const { condition, body } = BLOCK.exec(statement)?.groups ?? {};
      if (!condition || !body) return void await pool.query(statement, []);
      // Blocks are not known everywhere either.
      const [row] = await pool.query(`select (${condition})::int as "0"`, []);
      if (Number(row?.[0]) === 1) await pool.query(body.replace(" add foreign key ", NAMED_KEY), []);
      return;
    } catch (error) {
      if (tries >= TRIES.most || !(isCollision(error) || RACED.includes(codeOf(error)))) throw error;
    }
    await pause(runtime, TRIES.pause);
  }
}

/** Under a name: of two instances that add it at once, one is told that it exists. */
const NAMED_KEY = ' add constraint "x_auth_owner" foreign key ';

/** A statement that is run under a condition. */
const BLOCK = /^do \$\$ begin if (?<condition>.+?) then (?<body>.+?); end if; end \$\$$/s;
