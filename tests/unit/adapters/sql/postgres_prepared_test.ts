import assert from "node:assert/strict";
import { test } from "node:test";
import { poolOf } from "../../../../adapters/sql/postgres_driver.ts";
import { makePreparing, Unprepared } from "../../../../adapters/sql/postgres_prepared.ts";

/** A driver that notes how statements come, and fails at named ones with a code. */
function noting(code?: string) {
  const said: string[] = [];
  const query = (sql: string) => {
    said.push(sql);
    return Promise.resolve([]);
  };
  const named = (name: string, sql: string) => {
    said.push(`${name}: ${sql}`);
    return code === undefined ? Promise.resolve([]) : Promise.reject(Object.assign(new Error(code), { code }));
  };
  const preparing = makePreparing();
  return { said, ask: preparing.alone(query, named), within: preparing.within(query, named) };
}

test("makePreparing() gives the same text the same name, and another text another name", async () => {
  const [one, other] = [noting(), noting()];
  for (const sql of ["select 1", "select 2", "select 1"]) await one.ask(sql, []);
  await other.ask("select 1", []);
  const [first, second, third] = one.said;
  assert.match(first ?? "", /^x_auth_[0-9a-f]{40}: select 1$/);
  assert.equal(third, first);
  assert.notEqual(second?.split(":")[0], first?.split(":")[0]);
  assert.deepEqual(other.said, [first], "whatever process it is: they may share a connection");
});

for (const code of ["26000", "42P05", "0A000"]) {
  test(`makePreparing() repeats a statement that could not be prepared, and prepares no others (${code})`, async () => {
    const { said, ask } = noting(code);
    await ask("select 1", []);
    await ask("select 1", []);
    await ask("select 2", []);
    assert.deepEqual(said.slice(1), ["select 1", "select 1", "select 2"]);
  });
}

test("makePreparing() lets a transaction begin again, which its statement has ended, and prepares no others", async () => {
  const { said, ask, within } = noting("26000");
  await assert.rejects(() => within("select 1", []), Unprepared);
  await within("select 1", []);
  await ask("select 1", []);
  assert.deepEqual(said.slice(1), ["select 1", "select 1"]);
});

test("makePreparing() gives a statement one name, whether it stands alone or in a transaction", async () => {
  const { said, ask, within } = noting();
  await ask("select 1", []);
  await within("select 1", []);
  assert.equal(said[0], said[1]);
});

test("makePreparing() does not repeat a statement that failed for another reason", async () => {
  const { said, ask } = noting("23505");
  await assert.rejects(() => ask("insert", []), /23505/);
  assert.equal(said.length, 1);
});

test("makePreparing() names 128 statements and no more, because each connection keeps them", async () => {
  const { said, ask } = noting();
  for (let index = 0; index < 200; index++) await ask(`select ${index}`, []);
  assert.equal(said.filter((sql) => sql.startsWith("x_auth_")).length, 128);
});

test("poolOf() passes statements as objects to a Pool of pg only, and asks `postgres` to prepare", async () => {
  const said: unknown[] = [];
  const query = (...given: unknown[]) => Promise.resolve({ rows: [said.push(typeof given[0])] });
  const connect = () => Promise.reject(new Error("no transaction"));
  await poolOf({ query, connect }).prepared("select", []);
  await poolOf(Object.assign({ query, connect }, { totalCount: 1 })).prepared("select", []);
  const unsafe = (...[, , options]: unknown[]) => Promise.resolve([said.push(options)]);
  const driver = poolOf({ unsafe, begin: connect });
  await driver.prepared("select", []);
  await driver.query("select", []);
  assert.deepEqual(said, ["string", "object", { prepare: true }, undefined]);
});
