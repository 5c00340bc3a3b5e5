/** Prepared statements, on a real server: what may have become of them between two reads. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import pg from "pg";
import postgres from "postgres";
import type { Plan } from "../../../src/contract/adapter.ts";
import { postgresAdapter } from "../../../adapters/postgres.ts";
import {
  EMPTY_SCHEMA,
  findPostgres,
  type PostgresServer,
  skipsWithoutPostgres,
  startPostgres,
} from "../../_support/postgres.ts";

const bin = findPostgres();
const skip = skipsWithoutPostgres(bin, "The tests of prepared statements on PostgreSQL");

const ADA = { id: "ada", name: "Ada", email: "ada@example.com", emailVerified: null, image: null };
const SESSION = { sessionToken: "s", userId: "ada", expires: new Date(4102444800123) };

const UNCHANGED = { id: "ada", email: ADA.email, emailVerified: null, securityStamp: null };

/** The plan of a sign-in. */
function signInOf(sessionToken: string): Plan {
  return { expect: { user: UNCHANGED }, createSession: { ...SESSION, sessionToken } };
}

/** What may happen to the statements of a connection. */
const EVENTS = {
  "are gone, as behind a pooler": "deallocate all",
  "give another type than before": "alter table users alter column name type varchar(255)",
  "read tables that have another column": "alter table users add column age integer",
};

describe("prepared statements", { skip }, () => {
  let server: PostgresServer;
  let url: string;
  before(async () => {
    server = await startPostgres(bin);
    url = server.url;
  });
  after(() => server.stop());

  const drivers = {
    pg: () => {
      const pool = new pg.Pool({ connectionString: url, max: 1 });
      return { driver: pool, run: async (sql: string) => (await pool.query(sql)).rows, end: () => pool.end() };
    },
    postgres: () => {
      const sql = postgres(url, { max: 1, onnotice: () => {} });
      return { driver: sql, run: async (text: string) => [...await sql.unsafe(text)], end: () => sql.end() };
    },
  };
  beforeEach(async () => {
    const { run, end } = drivers.pg();
    await run(EMPTY_SCHEMA);
    await end();
  });

  test("the statements of a sign-in are prepared once, and those of a migration are not", async () => {
    const { driver, run, end } = drivers.pg();
    const adapter = postgresAdapter(driver);
    await adapter.migrate();
    await adapter.createUser(ADA);
    for (const sessionToken of ["a", "b", "c"]) {
      assert.equal(await adapter.commit(signInOf(sessionToken)), "done");
    }
    // One sign-in in 64 also removes rows that have ended.
    const found = await run(
      `select (generic_plans + custom_plans)::int as runs from pg_prepared_statements
       where (statement like '%for update%' or statement like 'insert into "sessions"%')
         and statement not like '%skip locked%'`,
    );
    assert.deepEqual(found.map((row: { readonly runs?: number }) => row.runs), [3, 3]);
    const [others] = await run(
      "select count(*)::int as many from pg_prepared_statements where statement ~ 'create|alter'",
    );
    assert.deepEqual({ ...others }, { many: 0 });
    await end();
  });

  for (const [name, connect] of Object.entries(drivers)) {
    test(`a session is read with one statement that was prepared once (${name})`, async () => {
      const { driver, run, end } = connect();
      const adapter = postgresAdapter(driver);
      await adapter.migrate();
      await adapter.createUser(ADA);
      await adapter.createSession(SESSION);
      for (let times = 0; times < 3; times++) assert.ok(await adapter.getSessionAndUser("s"));
      const found = await run(
        "select (generic_plans + custom_plans)::int as runs from pg_prepared_statements where statement like '%sessionToken%join%'",
      );
      assert.deepEqual(found.map((row: { readonly runs?: number }) => row.runs), [3]);
      await end();
    });

    for (const [what, statement] of Object.entries(EVENTS)) {
      test(`somebody signs in although the statements ${what} (${name})`, async () => {
        const { driver, run, end } = connect();
        const adapter = postgresAdapter(driver);
        await adapter.migrate();
        await adapter.createUser(ADA);
        assert.equal(await adapter.commit(signInOf("a")), "done");
        await run(statement);
        for (const token of ["b", "c"]) assert.equal(await adapter.commit(signInOf(token)), "done");
        const tokens = (await adapter.listSessionsByUserId("ada")).map(({ sessionToken }) => sessionToken);
        assert.deepEqual(tokens.sort(), ["a", "b", "c"]);
        await end();
      });

      test(`a session is read although its statements ${what} (${name})`, async () => {
        const { driver, run, end } = connect();
        const adapter = postgresAdapter(driver);
        await adapter.migrate();
        await adapter.createUser(ADA);
        await adapter.createSession(SESSION);
        const first = await adapter.getSessionAndUser("s");
        await run(statement);
        for (let times = 0; times < 2; times++) assert.deepEqual(await adapter.getSessionAndUser("s"), first);
        await adapter.updateSession({ sessionToken: "s", expires: new Date(4102444800456) });
        assert.equal((await adapter.getSessionAndUser("s"))?.session.expires.valueOf(), 4102444800456);
        await adapter.deleteSession("s");
        assert.equal(await adapter.getSessionAndUser("s"), null);
        await end();
      });
    }
  }
});
