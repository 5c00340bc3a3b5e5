/** Prisma as a connection to MariaDB: conformance, and what is particular to it. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { PrismaMariaDb } from "@prisma/adapter-mariadb";
import mysql from "mysql2/promise";
import { mysqlAdapter, mysqlRecords } from "../../adapters/mysql.ts";
import { findMariadb, type MariadbServer, skipsWithoutMariadb, startMariadb } from "../_support/mariadb.ts";
import { conformOnMysql } from "../_support/mysql_connections.ts";
import { PrismaClient } from "./generated/mysql/client.ts";

conformOnMysql("The conformance of Prisma on MariaDB", {
  "Prisma": (uri) => {
    const source = prisma(uri, 8);
    return { source, end: () => source.$disconnect() };
  },
});

function prisma(uri: string, max: number): PrismaClient {
  return new PrismaClient({ adapter: new PrismaMariaDb(`${uri}?connectionLimit=${max}`) });
}

const ADA = { id: "ada", name: "Ada", email: "ada@example.com", emailVerified: new Date(1700000000123), image: null };
const LATER = new Date(4102444800123);

const command = findMariadb();
const skip = skipsWithoutMariadb(command, "The tests of Prisma as a connection to MariaDB");

describe("A PrismaClient on MySQL", { skip }, () => {
  let server: MariadbServer;
  let admin: mysql.Connection;
  before(async () => {
    server = await startMariadb(command);
    admin = await mysql.createConnection(server.url);
  });
  after(async () => {
    await admin.end();
    await server.stop();
  });

  /** Gives the address of an empty database. */
  async function database(name: string): Promise<string> {
    await admin.query(`create database ${name}`);
    await admin.query(`use ${name}`);
    return server.url.replace(/[^/]*$/, name);
  }

  test("is used with its extensions, which see what is asked", async () => {
    const client = prisma(await database("extended"), 2);
    let seen = 0;
    const extended = client.$extends({
      query: {
        $allOperations: ({ args, query }) => {
          seen += 1;
          return query(args);
        },
      },
    });
    const adapter = mysqlAdapter(extended);
    await adapter.migrate();
    await adapter.createUser(ADA);
    assert.equal(await adapter.commit({ createSession: { sessionToken: "s", userId: "ada", expires: LATER } }), "done");
    assert.deepEqual((await adapter.getSessionAndUser("s"))?.user, ADA);
    assert.ok(seen > 5);
    await client.$disconnect();
  });

  test("begins a transaction again after a deadlock", async () => {
    const client = prisma(await database("again"), 2);
    const adapter = mysqlAdapter(client);
    await adapter.migrate();
    await adapter.createUser(ADA);
    // What this engine stores is not rolled back.
    await admin.query("create table times (n int not null) engine = myisam");
    await admin.query(
      `create trigger fail before insert on Session for each row begin
        insert into times values (1);
        if (select count(*) from times) = 1 then signal sqlstate '40001' set mysql_errno = 1213; end if;
      end`,
    );
    assert.equal(await adapter.commit({ createSession: { sessionToken: "s", userId: "ada", expires: LATER } }), "done");
    const [[row]] = await admin.query("select count(*) as n from times") as unknown as [[{ n: number }]];
    assert.equal(row.n, 2);
    assert.equal((await adapter.listSessionsByUserId("ada")).length, 1);
    await client.$disconnect();
  });

  test("loses and doubles nothing while connections are lost", { timeout: 60_000 }, async () => {
    const client = prisma(await database("lost"), 3);
    const adapter = mysqlAdapter(client);
    await adapter.migrate();
    await adapter.createUser(ADA);
    const done: string[] = [];
    const unknown: string[] = [];
    let isOver = false;
    const signIns = Array.from({ length: 6 }, async (_, worker) => {
      for (let n = 0; !isOver; n += 1) {
        const sessionToken = `${worker}.${n}`;
        try {
          await adapter.commit({ createSession: { sessionToken, userId: "ada", expires: LATER } });
          done.push(sessionToken);
        } catch (error) {
          assert.equal((error as Error).name, "CommitUnknown");
          unknown.push(sessionToken);
        }
      }
    });
    let killed = 0;
    for (let n = 0; n < 12; n += 1) {
      await new Promise((resolve) => setTimeout(resolve, 80));
      const [rows] = await admin.query("select id from information_schema.processlist where db = 'lost'");
      for (const { id } of rows as { id: number }[]) {
        if (id === admin.threadId) continue;
        // It may have ended by itself.
        await admin.query(`kill ${id}`).then(() => void (killed += 1), () => {});
      }
    }
    isOver = true;
    await Promise.all(signIns);
    assert.ok(killed > 12 && done.length > 50);
    const stored = new Set((await adapter.listSessionsByUserId("ada")).map(({ sessionToken }) => sessionToken));
    assert.deepEqual(done.filter((token) => !stored.has(token)), []);
    assert.equal(stored.size, done.length + unknown.filter((token) => stored.has(token)).length);
    // It waits for ever for a connection that was lost within a transaction.
    void client.$disconnect();
  });

  test("keeps records beside another adapter", async () => {
    const client = prisma(await database("beside"), 2);
    const records = mysqlRecords(client);
    await records.migrate();
    const key = { kind: "seen", id: "r" };
    assert.ok(await records.putRecord({ ...key, version: 0, data: { at: 1 } }));
    assert.deepEqual((await records.getRecord(key))?.data, { at: 1 });
    await client.$disconnect();
  });
});
