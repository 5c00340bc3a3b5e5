/**
 * Makes the tables in PostgreSQL, and in databases that speak like it.
 *
 * @module
 */
import { pause, type PauseRuntime } from "../../src/kernel/deadline.ts";
import { columnsIn, findDuplicates, findMissingUniques, findTypes, findUnusableColumns } from "./postgres_catalogue.ts";
import type { Pool, Query } from "./postgres_driver.ts";
import { codeOf, isCollision, isLacking } from "./postgres_errors.ts";
import { numbering } from "./postgres_placeholders.ts";
import {
  additions,
  type Existing,
  type MigrationStatement,
  migrationStatements,
  type TableLocation,
} from "./postgres_schema.ts";
import { assertUsable } from "./unusable_tables.ts";

/** Makes the tables, columns and indexes that are missing. @throws {AdapterError} if existing tables cannot be used. */
export async function migrate(pool: Pool, runtime: PauseRuntime, location: TableLocation): Promise<void> {
  try {
    await pool.transaction((query) => migrateAtOnce(query, location));
  } catch (error) {
    if (!isLacking(error)) throw error;
    const existing = await findExisting(location, pool.query);
    for (const statement of migrationStatements(location, existing)) await runAlone(pool, runtime, statement);
  }
}

async function migrateAtOnce(query: Query, location: TableLocation): Promise<void> {
  // Otherwise everything that exists already is reported as a notice each time.
  await query("set local client_min_messages = warning", []);
  // Several instances that start at once take turns, until this transaction ends. As text, because not every driver
  // reads a column of type void.
  await query(`select pg_advisory_xact_lock(hashtext('x-auth migrate'))::text as "0"`, []);
  const existing = await findExisting(location, query);
  for (const statement of migrationStatements(location, existing)) {
    if (await isNeeded(statement, query)) await query(statement.sql, []);
  }
}

// Not as a block: other databases that speak like PostgreSQL have none, and a name could end it.
async function isNeeded({ onlyIf }: MigrationStatement, query: Query): Promise<boolean> {
  if (onlyIf === undefined) return true;
  const [row] = await query(`select (${onlyIf})::int as "0"`, []);
  return Number(row?.[0]) === 1;
}

/** Lists the statements for the tables, columns and unique indexes that are missing. */
export async function missingStatements(location: TableLocation, query: Query): Promise<string[]> {
  const found = await findTypes(location, query);
  const columnOf = columnsIn(location, found);
  const notUnique = await findMissingUniques(location, found, query);
  return location.ids.flatMap((id) => {
    const members = found.get(id)?.map(({ member }) => member) ?? [];
    const isUnique = !notUnique.some((each) => each.id === id);
    return additions(location, id, { columnOf, members, isUnique });
  });
}

/** Looks up the tables. @throws {AdapterError} if existing ones cannot be used. */
async function findExisting(location: TableLocation, query: Query): Promise<Existing> {
  const ask = numbering(query);
  const found = await findTypes(location, ask);
  assertUsable([...findUnusableColumns(location, found), ...await findDuplicates(location, found, ask)]);
  const columnOf = columnsIn(location, found);
  const missing = await findMissingUniques(location, found, ask);
  return {
    columnOf,
    hasSharedIds: missing.some(({ id, columns: [first] }) => id === "users" && first === columnOf(id, "id")),
  };
}

/** What a statement answers that another instance has run at the same time: something exists already. */
const RACED: readonly unknown[] = ["23505", "42701", "42710", "42P06", "42P07"];

/** The most times that a statement is run, and seconds between two. */
const TRIES = { most: 10, pause: 0.1 };

// CockroachDB and YugabyteDB have no locks to take turns with, or change a table in one statement of a transaction only.
// Each statement adds what is missing, so it can be repeated.
async function runAlone(pool: Pool, runtime: PauseRuntime, statement: MigrationStatement): Promise<void> {
  for (let tries = 1;; tries += 1) {
    try {
      const isNew = await isNeeded(statement, pool.query);
      if (isNew) await pool.query(statement.sql.replace(" add foreign key ", NAMED_KEY), []);
      return;
    } catch (error) {
      if (tries >= TRIES.most || !(isCollision(error) || RACED.includes(codeOf(error)))) throw error;
    }
    await pause(runtime, TRIES.pause);
  }
}

/** Under a name: of two instances that add it at once, one is told that it exists. */
const NAMED_KEY = ' add constraint "x_auth_owner" foreign key ';
