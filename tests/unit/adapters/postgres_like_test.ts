/** Databases that speak like PostgreSQL: a real server through a pool that refuses what others lack. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import pg from "pg";
import { conformanceCases } from "../../../adapters/conformance.ts";
import { type PgPool, postgresAdapter } from "../../../adapters/postgres.ts";
import { findPostgres, type PostgresServer, skipsWithoutPostgres, startPostgres } from "../../_support/postgres.ts";

const bin = findPostgres();
const skip = skipsWithoutPostgres(bin, "The tests of databases that speak like PostgreSQL");

/** Advisory locks, numbers of transactions, blocks: not in each version of CockroachDB and YugabyteDB. */
const LACKED = /pg_advisory|hashtext|pg_current_xact_id|pg_xact_status|^do /;

/** Statements that change a table are not mixed with others in one transaction. */
const CHANGES = /^(?:create|alter)/;

/** Lets the server itself refuse, so that it ends the transaction as well. */
function lacking(pool: pg.Pool): PgPool & { readonly refused: string[] } {
  const refused: string[] = [];
  const ask = (client: Pick<pg.Pool, "query">, isOpen: boolean) => async (text: string, values?: (string | null)[]) => {
    if (!LACKED.test(text) && !(isOpen && CHANGES.test(text))) return await client.query(text, values);
    refused.push(text);
    return await client.query("select missing_in_this_database()");
  };
  return {
    refused,
    query: ask(pool, false),
    connect: async () => {
      const client = await pool.connect();
      return {
        query: ask(client as unknown as pg.Pool, true),
        release: (destroy) => client.release(destroy),
        on: (event, listener) => client.on(event, listener),
        off: (event, listener) => client.off(event, listener),
      };
    },
  };
}

describe("On a database that lacks locks, blocks and numbers of transactions, postgresAdapter()", { skip }, () => {
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
  beforeEach(async () =>
    void await pool.query("drop schema if exists auth cascade; drop schema if exists other cascade")
  );

  const shapes = async (schema: string): Promise<unknown> =>
    (await pool.query(
      `select table_name, column_name, data_type, is_nullable, column_default is null as empty
       from information_schema.columns where table_schema = $1
       union all select tablename, indexname, '', '', true from pg_indexes where schemaname = $1
       union all select table_name, constraint_type, '', '', true from information_schema.table_constraints
       where table_schema = $1 and constraint_type <> 'CHECK' order by 1, 2`,
      [schema],
    )).rows;

  test("makes the same tables, from eight adapters at once and again", async () => {
    const driver = lacking(pool);
    const migrate = () => postgresAdapter(driver, { schema: "auth" }).migrate();
    await Promise.all(Array.from({ length: 8 }, migrate));
    await migrate();
    await postgresAdapter(pool, { schema: "other" }).migrate();
    assert.deepEqual(await shapes("auth"), await shapes("other"));
    assert.ok(driver.refused.every((text) => !text.startsWith("do ")), "blocks are not even sent");
  });

  test("adds what tables of Auth.js lack, and refuses those that cannot be used", async () => {
    const driver = lacking(pool);
    await pool.query(`create schema auth; create table auth.users (id text primary key, name text)`);
    await postgresAdapter(driver, { schema: "auth" }).migrate();
    assert.ok(
      (await postgresAdapter(driver, { schema: "auth" }).createUser({ id: "", email: "a@b.c", emailVerified: null }))
        .id,
    );
    await pool.query(`create schema other; create table other.users (id serial primary key)`);
    const before = await shapes("other");
    await assert.rejects(
      () => postgresAdapter(driver, { schema: "other" }).migrate(),
      /"id" of table "users" holds int4/,
    );
    assert.deepEqual(await shapes("other"), before);
  });

  describe("keeps its promises", () => {
    let clock: number;
    let driver: PgPool;
    const open = async () => {
      clock = Date.UTC(2031, 0, 1);
      driver ??= lacking(pool);
      await postgresAdapter(driver, { schema: "auth" }).migrate();
      return {
        adapter: postgresAdapter(driver, { schema: "auth", now: () => clock }),
        now: { set: (milliseconds: number) => void (clock = milliseconds) },
      };
    };
    // Those of plans: the others have no transactions.
    const cases = conformanceCases(open).filter(({ name }) => /^Of many|No row remains/.test(name));
    for (const { name, run } of cases) test(name, run);
  });
});
