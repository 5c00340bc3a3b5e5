/** Adds one to the number in a record, over and over, in a process of its own. */
import process from "node:process";
import pg from "pg";
import { postgresAdapter } from "../../adapters/postgres.ts";
import { sqliteAdapter } from "../../adapters/sqlite.ts";

const [kind, at = "", times = ""] = process.argv.slice(-3);
const KEY = { kind: "counter", id: "c" };

const pool = kind === "postgres" ? new pg.Pool({ connectionString: at, max: 2 }) : null;
const adapter = pool ? postgresAdapter(pool) : sqliteAdapter(at, { synchronous: "normal", busyTimeout: 60_000 });

for (let done = 0; done < Number(times);) {
  const found = await adapter.getRecord(KEY);
  if (!found) throw new Error("the record is gone");
  const data = { ...found.data, count: Number(found.data.count) + 1 };
  if (await adapter.putRecord({ ...found, data }) !== null) done += 1;
}
await pool?.end();
