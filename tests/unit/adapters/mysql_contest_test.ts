/** Callers who all want the same thing from MariaDB, and deadlocks and lost connections at each statement. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import mysql from "mysql2/promise";
import { mysqlAdapter } from "../../../adapters/mysql.ts";
import type { CompleteAdapter } from "../../../src/contract/adapter.ts";
import { contend, contendInProcesses, oneEach, prepare } from "../../_support/contest.ts";
import { findMariadb, type MariadbServer, skipsWithoutMariadb, startMariadb } from "../../_support/mariadb.ts";

const command = findMariadb();
const skip = skipsWithoutMariadb(command, "The contests on MariaDB");

const ROUNDS = 6;
const LATER = new Date(Date.UTC(2100, 0, 1));
const ADA = { id: "ada", name: "Ada", email: "ada@example.com", emailVerified: null, image: null };

describe("on MariaDB", { skip }, () => {
  let server: MariadbServer;
  let pool: mysql.Pool;
  let adapter: CompleteAdapter;
  before(async () => {
    server = await startMariadb(command);
    pool = mysql.createPool({ uri: server.url, connectionLimit: 8, multipleStatements: true });
  });
  after(async () => {
    await pool.end();
    await server.stop();
  });
  beforeEach(async () => {
    await pool.query("drop database tests; create database tests");
    await pool.end();
    pool = mysql.createPool({ uri: server.url, connectionLimit: 8, multipleStatements: true });
    const made = mysqlAdapter(pool);
    await made.migrate();
    adapter = made;
  });

  test("of 64 callers one wins, in one process", async () => {
    await prepare(adapter, ROUNDS);
    assert.deepEqual(await contend(adapter, { rounds: ROUNDS, callers: 64 }), oneEach(ROUNDS));
  });

  test("of 64 callers one wins, with one connection for everybody, and nobody waits for ever", async () => {
    await prepare(adapter, 2);
    const single = mysql.createPool({ uri: server.url, connectionLimit: 1 });
    assert.deepEqual(await contend(mysqlAdapter(single), { rounds: 2, callers: 64 }), oneEach(2));
    await single.end();
  });

  test("of 64 callers one wins, in two processes", async () => {
    await prepare(adapter, ROUNDS);
    const wins = await contendInProcesses({ kind: "mysql", at: server.url }, { rounds: ROUNDS, callers: 32 }, 2);
    assert.deepEqual(wins, oneEach(ROUNDS));
  });

  test("64 callers who take from the same buckets in opposite orders meet no deadlock", async () => {
    const deadlocks = async () => {
      const [rows] = await pool.query("show global status like 'Innodb_deadlocks'");
      return (rows as { readonly Value: string }[]).map(({ Value }) => Number(Value));
    };
    const buckets = Array.from({ length: 8 }, (_, n) => ({ key: `b-${n}`, every: 1000, burst: 100 }));
    await adapter.take(buckets, LATER);
    const before = await deadlocks();
    assert.equal(before.length, 1);
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(Array.from({ length: 64 }, async (_, n) => {
        await adapter.take(n % 2 === 0 ? buckets : buckets.toReversed(), LATER);
      }));
    }
    assert.deepEqual(await deadlocks(), before);
  });

  test("one of two ends of all sessions stays: the later one, whoever writes last", async () => {
    const ending = (now: number) => mysqlAdapter(pool, { now: () => now }).deleteSessionsByUserId("ada");
    await adapter.createUser(ADA);
    for (let round = 1; round <= 8; round += 1) {
      const times = Array.from({ length: 8 }, (_, n) => round * 1e6 + (n * 37) % 8);
      await Promise.all(times.map(ending));
      const record = await adapter.getVerificationToken({ identifier: "ended:ada", token: "all sessions" });
      assert.equal((record?.expires.valueOf() ?? 0) % 1e6 - (500 * DAY) % 1e6, 7);
    }
  });

  test("sweeps at the same time delete every row that has ended, and none that others have locked", async () => {
    await adapter.createUser(ADA);
    // Not by an adapter, which might sweep at once.
    await pool.query(`insert into session (sessionToken, userId, expires)
      select concat('s', seq), 'ada', '2020-01-01' from seq_0_to_19`);
    const holder = await pool.getConnection();
    await holder.query("start transaction; select * from session where sessionToken = 's7' for update");
    const adapters = Array.from({ length: 64 }, () => mysqlAdapter(pool));
    await Promise.all(adapters.map(async (each, n) => {
      for (let times = 0; times < 8; times += 1) await each.once(`${n} ${times}`, LATER);
    }));
    await holder.query("rollback");
    holder.release();
    assert.deepEqual((await adapter.listSessionsByUserId("ada")).map(({ sessionToken }) => sessionToken), ["s7"]);
  });

  /** What goes wrong at a statement, before it is sent. */
  const TROUBLES: Readonly<Record<string, (connection: mysql.PoolConnection) => Promise<unknown>>> = {
    // The server rolls back, as it does after a deadlock.
    deadlock: async (connection) => {
      await connection.query("rollback");
      throw Object.assign(new Error("Deadlock found"), { errno: 1213, code: "ER_LOCK_DEADLOCK" });
    },
    "lost connection": (connection) => pool.query(`kill ${connection.threadId}`),
  };

  for (const [trouble, cause] of Object.entries(TROUBLES)) {
    test(`a sign-in is stored once, wherever there is a ${trouble}`, { timeout: 60_000 }, async () => {
      let statements = Infinity;
      let count = 0;
      const told = (connection: mysql.PoolConnection) => {
        const disturb = async (sql: string) => {
          if (sql === "rollback" || (count += 1) !== statements) return;
          if (trouble === "lost connection" && sql === "commit") return;
          await cause(connection);
        };
        return {
          query: async (sql: string) => {
            await disturb(sql);
            return await connection.query(sql);
          },
          execute: async (statement: { sql: string }) => {
            await disturb(statement.sql);
            return await connection.execute(statement);
          },
          release: () => connection.release(),
          destroy: () => connection.destroy(),
          on: (event: "error", listener: () => void) => connection.on(event, listener),
          off: (event: "error", listener: () => void) => connection.off(event, listener),
        };
      };
      const troubled = mysqlAdapter({
        execute: (statement: { sql: string }) => pool.execute(statement),
        getConnection: async () => told(await pool.getConnection()),
      } as never);
      const signIn = async (n: number) => {
        await adapter.createVerificationToken({ identifier: "i", token: `${n}`, expires: LATER });
        const user = { ...ADA, id: `ada ${n}`, email: `${n}@example.com` };
        return await troubled.commit({
          consume: { identifier: "i", tokens: [`${n}`], now: new Date() },
          createUser: user,
          linkAccount: { userId: user.id, provider: "idp", providerAccountId: `${n}`, type: "oidc" },
          records: { put: [{ kind: "factor", id: `${n}`, userId: user.id, version: 0, data: {} }] },
          createSession: { sessionToken: `${n}`, userId: user.id, expires: LATER },
        });
      };
      // One of many sign-ins sweeps as well, so the shorter of two is counted.
      const lengths: number[] = [];
      for (const n of [-1, 0]) {
        count = 0;
        assert.equal(await signIn(n), "done");
        lengths.push(count);
      }
      const length = Math.min(...lengths);
      assert.ok(length > 10, `${length} statements`);
      for (statements = 1; statements <= length; statements += 1) {
        count = 0;
        assert.equal(await signIn(statements), "done");
        assert.ok(count > length || (trouble !== "deadlock" && statements === length), `${count} of ${length}`);
      }
      for (const table of ["user", "account", "session", "authRecord"]) {
        const [rows] = await pool.query(`select count(*) as n from ${table}`);
        assert.deepEqual([table, (rows as { n: number }[])[0]?.n], [table, length + 2]);
      }
      const [left] = await pool.query("select * from verificationToken");
      assert.deepEqual(left, []);
    });
  }
});

const DAY = 24 * 60 * 60 * 1000;
