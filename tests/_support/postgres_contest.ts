/** The contests of adapters on a real PostgreSQL, short and long. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import pg from "pg";
import postgres from "postgres";
import { postgresAdapter } from "../../adapters/postgres.ts";
import { contend, contendInProcesses, oneEach, prepare } from "./contest.ts";
import { EMPTY_SCHEMA, findPostgres, type PostgresServer, skipsWithoutPostgres, startPostgres } from "./postgres.ts";

/** How often the callers contend. */
export interface Rounds {
  readonly rounds: number;
  /** The same for a pool of one connection, where all of them wait for each other. */
  readonly alone: number;
}

/** Lets 64 callers contend on a real server. `what` names the tests for those who have none. */
export function contestsOnPostgres(what: string, { rounds, alone }: Rounds): void {
  const bin = findPostgres();
  const skip = skipsWithoutPostgres(bin, what);

  describe(`Of 64 callers one wins, ${rounds} times of ${rounds}`, { skip }, () => {
    let server: PostgresServer;
    let pool: pg.Pool;
    before(async () => {
      server = await startPostgres(bin);
      pool = new pg.Pool({ connectionString: server.url, max: 8 });
    });
    after(async () => {
      await pool.end();
      await server.stop();
    });
    beforeEach(async () => {
      await pool.query(EMPTY_SCHEMA);
      const adapter = postgresAdapter(pool);
      await adapter.migrate();
      await prepare(adapter, rounds);
    });

    test("in one process with the driver pg", async () => {
      assert.deepEqual(await contend(postgresAdapter(pool), { rounds, callers: 64 }), oneEach(rounds));
    });

    test("in one process with the driver postgres", async () => {
      const sql = postgres(server.url, { max: 8 });
      assert.deepEqual(await contend(postgresAdapter(sql), { rounds, callers: 64 }), oneEach(rounds));
      await sql.end();
    });

    test("V44: with one connection for everybody, and nobody waits for ever", async () => {
      const single = new pg.Pool({ connectionString: server.url, max: 1 });
      assert.deepEqual(await contend(postgresAdapter(single), { rounds: alone, callers: 64 }), oneEach(alone));
      await single.end();
    });

    test("in four processes", async () => {
      const wins = await contendInProcesses({ kind: "postgres", at: server.url }, { rounds, callers: 16 }, 4);
      assert.deepEqual(wins, oneEach(rounds));
    });
  });
}
