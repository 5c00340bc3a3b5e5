/** Connections to PostgreSQL whose packages are heavy: conformance, and what is particular to each. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { PGlite } from "@electric-sql/pglite";
import { neon } from "@neondatabase/serverless";
import { PrismaPg } from "@prisma/adapter-pg";
import { drizzle as drizzleOfNeonHttp } from "drizzle-orm/neon-http";
import { drizzle as drizzleOfPglite } from "drizzle-orm/pglite";
import pg from "pg";
import { postgresAdapter, postgresRecords } from "../../adapters/postgres.ts";
import { connectionOf } from "../../adapters/sql/postgres_driver.ts";
import { findPostgres, type PostgresServer, skipsWithoutPostgres, startPostgres } from "../_support/postgres.ts";
import { conformOnPostgres } from "../_support/postgres_connections.ts";
import { PrismaClient } from "./generated/client.ts";
import { openNeon } from "./neon_proxy.ts";

conformOnPostgres("The conformance of heavy connections to PostgreSQL", {
  "Prisma": (url) => {
    const driver = prisma(url, 8);
    return { driver, end: () => driver.$disconnect() };
  },
  "Neon": openNeon,
  "Drizzle with PGlite": () => {
    const database = new PGlite();
    const driver = drizzleOfPglite(database);
    return { driver, end: () => database.close(), database };
  },
});

function prisma(url: string, max: number): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg({ connectionString: url, max }) });
}

const ADA = { id: "ada", name: "Ada", email: "ada@example.com", emailVerified: new Date(1700000000123), image: null };
const LATER = new Date(4102444800123);

test("PGlite is used as Drizzle uses it", async () => {
  const database = new PGlite();
  assert.equal(connectionOf(database).kind, "pglite");
  assert.equal(connectionOf(drizzleOfPglite(database)).pool, connectionOf(database).pool);
  await database.close();
});

test("what neon() returns is refused, also below Drizzle, and the Pool of the same package is named", () => {
  const sql = neon("postgres://me:canary@neon.test/app");
  for (const driver of [sql, drizzleOfNeonHttp(sql)]) {
    assert.throws(() => postgresAdapter(driver as never), ({ name, message }: Error) => {
      assert.equal(name, "InvalidConfig");
      assert.match(message, /`neon\(\)` sends statements over HTTP.+Pass a `Pool` of the same package/);
      assert.doesNotMatch(message, /canary/);
      return true;
    });
  }
});

const bin = findPostgres();
const skip = skipsWithoutPostgres(bin, "The tests of Prisma as a connection");

describe("A PrismaClient", { skip }, () => {
  let server: PostgresServer;
  let admin: pg.Client;
  before(async () => {
    server = await startPostgres(bin);
    admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
  });
  after(async () => {
    await admin.end();
    await server.stop();
  });

  test("is used with its extensions, which see what is asked", async () => {
    const client = prisma(server.url, 2);
    let seen = 0;
    const extended = client.$extends({
      query: {
        $allOperations: ({ args, query }) => {
          seen += 1;
          return query(args);
        },
      },
    });
    const adapter = postgresAdapter(extended, { schema: "extended" });
    await adapter.migrate();
    await adapter.createUser(ADA);
    assert.equal(await adapter.commit({ createSession: { sessionToken: "s", userId: "ada", expires: LATER } }), "done");
    assert.deepEqual((await adapter.getSessionAndUser("s"))?.user, ADA);
    assert.ok(seen > 5);
    await client.$disconnect();
  });

  test("begins a transaction again that collided or whose connection was lost", { timeout: 20_000 }, async () => {
    const client = prisma(server.url, 4);
    const adapter = postgresAdapter(client, { schema: "again" });
    await adapter.migrate();
    await adapter.createUser(ADA);
    for (
      const failure of ["raise exception using errcode = '40001'", "perform pg_terminate_backend(pg_backend_pid())"]
    ) {
      // A sequence is not rolled back.
      await admin.query(
        `create sequence again.times; create function again.fail() returns trigger language plpgsql as $$
        begin if nextval('again.times') = 1 then ${failure}; end if; return new; end $$;
        create trigger fail before insert on again."Session" for each row execute function again.fail()`,
      );
      assert.equal(
        await adapter.commit({ createSession: { sessionToken: failure, userId: "ada", expires: LATER } }),
        "done",
      );
      assert.equal(Number((await admin.query("select last_value from again.times")).rows[0].last_value), 2);
      await admin.query('drop trigger fail on again."Session"; drop function again.fail; drop sequence again.times');
    }
    assert.equal((await adapter.listSessionsByUserId("ada")).length, 2);
    // It waits for ever for a connection that was lost within a transaction.
    void client.$disconnect();
  });

  test("keeps records beside another adapter", async () => {
    const client = prisma(server.url, 2);
    const records = postgresRecords(client, { schema: "beside" });
    await records.migrate();
    const key = { kind: "seen", id: "r" };
    assert.ok(await records.putRecord({ ...key, version: 0, data: { at: 1 } }));
    assert.deepEqual((await records.getRecord(key))?.data, { at: 1 });
    await client.$disconnect();
  });

  test("repeats a statement that never reached the server", async () => {
    const client = prisma("postgres://tests@127.0.0.1:1/app", 1);
    const started = performance.now();
    await assert.rejects(async () => await postgresAdapter(client).deleteSession("s"), /reach database server/);
    assert.ok(performance.now() - started > 60, "three pauses");
    await client.$disconnect();
  });
});
