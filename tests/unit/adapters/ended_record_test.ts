/** What remains of the sessions of a user: when they were ended. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import pg from "pg";
import { denoKvAdapter } from "../../../adapters/deno_kv.ts";
import { memoryAdapter } from "../../../adapters/memory.ts";
import { postgresAdapter } from "../../../adapters/postgres.ts";
import { sqliteAdapter } from "../../../adapters/sqlite.ts";
import type { CompleteAdapter } from "../../../src/contract/adapter.ts";
import { endedAtOf, endKeyOf } from "../../../src/contract/ended.ts";
import { findPostgres, skipsWithoutPostgres, startPostgres } from "../../_support/postgres.ts";
import { storeFor } from "./_kv.ts";

const bin = findPostgres();
let time = Date.now();
const now = () => time;

const ADAPTERS: Readonly<Record<string, (t: TestContext) => Promise<CompleteAdapter>>> = {
  memory: () => Promise.resolve(memoryAdapter({ now })),
  SQLite: (t) => {
    const adapter = sqliteAdapter(":memory:", { now });
    t.after(() => adapter.close());
    return Promise.resolve(adapter);
  },
  // npm:@deno/kv does not write values there.
  ...(!("Bun" in globalThis) && {
    "Deno KV": async (t: TestContext) => denoKvAdapter(await storeFor(t), { now }),
  }),
  PostgreSQL: async (t) => {
    const server = await startPostgres(bin);
    const pool = new pg.Pool({ connectionString: server.url, max: 8 });
    t.after(async () => {
      await pool.end();
      await server.stop();
    });
    const adapter = postgresAdapter(pool, { now });
    await adapter.migrate();
    return adapter;
  },
};

const USER = { id: "ada", email: "ada@example.com", emailVerified: null };

for (const [name, open] of Object.entries(ADAPTERS)) {
  const skip = name === "PostgreSQL" && skipsWithoutPostgres(bin, "The record of what ended on PostgreSQL");
  test(
    `the adapter of ${name} keeps when the sessions of a user were ended, longer than the user`,
    { skip },
    async (t) => {
      const adapter = await open(t);
      const endedAt = async (id = "ada") => {
        const found = await adapter.getVerificationToken(endKeyOf(id));
        return found && endedAtOf(found);
      };
      await adapter.createUser(USER);
      assert.equal(await endedAt(), null);
      await adapter.deleteSessionsByUserId("ada");
      assert.equal(await endedAt(), time);
      time += 5;
      await Promise.all([adapter.deleteUser("ada"), adapter.deleteUser("ada"), adapter.deleteSessionsByUserId("ada")]);
      assert.equal(await endedAt(), time);
      await adapter.createUser(USER);
      assert.equal(await endedAt(), time);
      // Another process, whose clock is behind.
      time -= 3;
      await adapter.deleteSessionsByUserId("ada");
      assert.equal(await endedAt(), time + 3);
      await adapter.deleteSessionsByUserId("nobody");
      assert.equal(await endedAt("nobody"), time);
      assert.equal(await endedAt("bob"), null);
      for (const id of ["", "\0", "\ud800", "a".repeat(3000)]) {
        await adapter.deleteUser(id);
        await adapter.deleteSessionsByUserId(id);
      }
    },
  );
}
