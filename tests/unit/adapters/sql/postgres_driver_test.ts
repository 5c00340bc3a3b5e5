import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { poolOf } from "../../../../adapters/sql/postgres_driver.ts";

class Client extends EventEmitter {
  release(): void {}

  query(text: string): Promise<{ rows: unknown[] }> {
    if (text.startsWith("begin")) return Promise.resolve({ rows: [] });
    // Like a connection that the network reset: it emits "error", and its statements fail.
    this.emit("error", new Error("nobody listened"));
    return Promise.reject(new Error("the statement failed"));
  }
}

test("poolOf() listens to a connection of pg for as long as it is out of the pool", async () => {
  const client = new Client();
  const pool = poolOf({ query: (text) => client.query(text), connect: () => Promise.resolve(client) });
  await assert.rejects(() => pool.transaction((query) => query("select", [])), /the statement failed/);
  assert.equal(client.listenerCount("error"), 0);
});

test("poolOf() begins transactions that are read committed, whatever the default", async () => {
  const begun: string[] = [];
  const query = (text: string) => Promise.resolve({ rows: [begun.push(text)] });
  await poolOf({ query, connect: () => Promise.resolve({ query, release: () => {} }) }).transaction(() =>
    Promise.resolve()
  );
  const unsafe = () => Promise.resolve([]);
  const begin = async (options: string, run: (sql: { unsafe: typeof unsafe }) => Promise<unknown>) => {
    begun.push(options);
    return await run({ unsafe });
  };
  await poolOf({ unsafe, begin }).transaction(() => Promise.resolve());
  assert.deepEqual(begun, ["begin isolation level read committed", "commit", "isolation level read committed"]);
});

test("poolOf() returns the result of a transaction of postgres, even an array", async () => {
  const unsafe = () => Promise.resolve([]);
  const sql = {
    unsafe,
    begin: async (_: string, run: (sql: { unsafe: typeof unsafe }) => Promise<unknown>) => await run({ unsafe }),
  };
  assert.deepEqual(await poolOf(sql).transaction(() => Promise.resolve([1, 2])), [1, 2]);
});

test("poolOf() refuses a Client of pg, which two requests cannot share, and names the Pool", () => {
  const client = { connectionParameters: {}, query: () => Promise.reject(), connect: () => Promise.reject() };
  const refusal = { name: "InvalidConfig", logCode: "driver-unusable", message: /`Client`.+Pass a `Pool`/ };
  assert.throws(() => poolOf(client), refusal);
});
