/**
 * Copies everybody, so that the database of Better Auth is no longer needed.
 *
 * @module
 */
import { assertSeparate, copySession, type Migration, sessionOf } from "./adapter.ts";
import { copyUser } from "./copy.ts";
import type { Row } from "./database.ts";

/** How much was copied. */
export interface CopiedCount {
  /** Users that there are, those from before included. */
  readonly users: number;
  /** Sessions that there are, those from before included. */
  readonly sessions: number;
}

/** Copies all users with their accounts and passkeys, and all sessions that have not expired. */
export async function copyAll(migration: Migration): Promise<CopiedCount> {
  await assertSeparate(migration);
  let [users, sessions] = [0, 0];
  for await (const { id } of rowsOf(migration, "user")) {
    if (await copyUser(migration, String(id))) users++;
  }
  for await (const row of rowsOf(migration, "session")) {
    if (await copyRow(migration, row)) sessions++;
  }
  return { users, sessions };
}

async function* rowsOf({ tables }: Migration, table: "user" | "session"): AsyncGenerator<Row, void> {
  let rows = await tables.page(table, null);
  while (rows.length > 0) {
    yield* rows;
    rows = await tables.page(table, rows.at(-1) ?? null);
  }
}

async function copyRow(migration: Migration, row: Row): Promise<boolean> {
  const session = sessionOf(row, migration.now());
  if (!session) return false;
  const token = String(row.token);
  const sessionToken = await migration.signer.sign(token);
  const user = await copyUser(migration, session.userId);
  return user !== null && await copySession(migration, token, { user, session: { sessionToken, ...session } });
}
