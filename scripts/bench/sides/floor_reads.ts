/**
 * The floor of stored sessions: the driver reads one row by its key, with a prepared statement.
 *
 * @module
 */
import { openPool } from "./stores.ts";
import { freshFile, type StoreName } from "./side.ts";

/** Reads one row. */
export type ReadRow = () => unknown;

const KEY = "7a30a6d1-9df4-4c5b-9d2d-6ef4a1f3c8a5";

const MAKE = "create table if not exists floor (key text primary key, value text)";
const FILL = `insert into floor values ('${KEY}', 'Ada') on conflict do nothing`;

/** Stores a row, and makes the function that reads it; `null` if nothing lies below storage. */
export async function floorRead(store: StoreName): Promise<ReadRow | null> {
  switch (store) {
    case "map":
      return null;
    case "sqlite": {
      const { DatabaseSync } = await import("node:sqlite");
      const database = new DatabaseSync(freshFile());
      database.exec(`pragma journal_mode = wal; ${MAKE}; ${FILL}`);
      const statement = database.prepare("select value from floor where key = ?");
      return () => statement.get(KEY);
    }
    case "pg": {
      const pool = await openPool();
      for (const sql of [MAKE, FILL]) await pool.query(sql);
      return () => pool.query({ name: "floor", text: "select value from floor where key = $1", values: [KEY] });
    }
    case "kv": {
      const kv = await Deno.openKv(freshFile());
      await kv.set(["floor", KEY], "Ada");
      return () => kv.get(["floor", KEY]);
    }
    default:
      return store satisfies never;
  }
}
