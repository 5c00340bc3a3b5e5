/** A process of its own that takes part in a contest, and says as JSON how often it won. */
import { once } from "node:events";
import process from "node:process";
import mysql from "mysql2/promise";
import pg from "pg";
import { mysqlAdapter } from "../../adapters/mysql.ts";
import { postgresAdapter } from "../../adapters/postgres.ts";
import { sqliteAdapter } from "../../adapters/sqlite.ts";
import { contend, type Contest, type Place, READY, type Wins } from "./contest.ts";

interface Task {
  readonly place: Place;
  readonly contest: Contest;
  readonly who: number;
}

async function takePart({ place, contest, who }: Task): Promise<Wins> {
  if (place.kind === "sqlite") {
    const adapter = sqliteAdapter(place.at, { synchronous: "normal", busyTimeout: 30_000 });
    const wins = await contend(adapter, contest, who);
    adapter.close();
    return wins;
  }
  if (place.kind === "mysql") {
    const pool = mysql.createPool({ uri: place.at, connectionLimit: 8 });
    const wins = await contend(mysqlAdapter(pool), contest, who);
    await pool.end();
    return wins;
  }
  const pool = new pg.Pool({ connectionString: place.at, max: 8 });
  const wins = await contend(postgresAdapter(pool), contest, who);
  await pool.end();
  return wins;
}

process.stdout.write(READY);
await once(process.stdin, "data");
process.stdin.destroy();
process.stdout.write(JSON.stringify(await takePart(JSON.parse(process.argv.at(-1) ?? ""))));
