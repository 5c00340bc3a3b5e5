import { test } from "node:test";
import pg from "pg";
import { postgresAdapter } from "../../../adapters/postgres.ts";
import { assertGuessesCounted } from "../../_support/code_guesses.ts";
import { findPostgres, skipsWithoutPostgres, startPostgres } from "../../_support/postgres.ts";

const bin = findPostgres();
const skip = skipsWithoutPostgres(bin, "The guesses at codes on PostgreSQL");

test("five of 64 concurrent guesses at a code are checked (PostgreSQL)", { skip }, async (t) => {
  const server = await startPostgres(bin);
  const pool = new pg.Pool({ connectionString: server.url, max: 8 });
  t.after(async () => {
    await pool.end();
    await server.stop();
  });
  const adapter = postgresAdapter(pool);
  await adapter.migrate();
  await assertGuessesCounted(adapter);
});
