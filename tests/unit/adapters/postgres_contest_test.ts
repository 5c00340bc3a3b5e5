import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import pg from "pg";
import postgres from "postgres";
import { postgresAdapter } from "../../../src/adapters/postgres.ts";
import { contend, contendInProcesses, oneEach, prepare } from "../../_support/contest.ts";
import { findPostgres, type PostgresServer, skipsWithoutPostgres, startPostgres } from "../../_support/postgres.ts";

const ROUNDS = 10;
const bin = findPostgres();
const skip = skipsWithoutPostgres(bin, "The contests on PostgreSQL");

describe(`Of 64 callers one wins, ${ROUNDS} times of ${ROUNDS}`, { skip }, () => {
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
    await pool.query("drop schema public cascade; create schema public");
    const adapter = postgresAdapter(pool);
    await adapter.migrate();
    await prepare(adapter, ROUNDS);
  });

  test("in one process with the driver pg", async () => {
    assert.deepEqual(await contend(postgresAdapter(pool), { rounds: ROUNDS, callers: 64 }), oneEach(ROUNDS));
  });

  test("in one process with the driver postgres", async () => {
    const sql = postgres(server.url, { max: 8 });
    assert.deepEqual(await contend(postgresAdapter(sql), { rounds: ROUNDS, callers: 64 }), oneEach(ROUNDS));
    await sql.end();
  });

  test("V44: with one connection for everybody, and nobody waits for ever", async () => {
    const single = new pg.Pool({ connectionString: server.url, max: 1 });
    assert.deepEqual(await contend(postgresAdapter(single), { rounds: 3, callers: 64 }), oneEach(3));
    await single.end();
  });

  test("in four processes", async () => {
    const wins = await contendInProcesses({ kind: "postgres", at: server.url }, { rounds: ROUNDS, callers: 16 }, 4);
    assert.deepEqual(wins, oneEach(ROUNDS));
  });
});
