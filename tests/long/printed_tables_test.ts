/** Tables of Drizzle that `npx @x/auth schema` prints, in MariaDB. Those of the other databases: `tests/adapters/`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { getTableConfig } from "drizzle-orm/mysql-core";
import mysql from "mysql2/promise";
import { mysqlAdapter } from "../../adapters/mysql.ts";
import { drizzleStatements } from "../_support/drizzle_statements.ts";
import { findMariadb, skipsWithoutMariadb, startMariadb } from "../_support/mariadb.ts";
import * as tables from "../unit/cli/schema/_printed/mysql.ts";

const bin = findMariadb();
const skip = skipsWithoutMariadb(bin, "The test of printed tables in MariaDB");

test("a database of MariaDB that was made of printed tables is used without migrate()", { skip }, async () => {
  const server = await startMariadb(bin);
  const pool = mysql.createPool({ uri: server.url, connectionLimit: 1 });
  try {
    const { users, ...others } = tables;
    await pool.query("set sql_mode = concat(@@sql_mode, ',ANSI_QUOTES')");
    for (const table of [users, ...Object.values(others)]) {
      for (const statement of drizzleStatements(getTableConfig(table))) await pool.query(statement);
    }
    await pool.query("set sql_mode = default");
    const adapter = mysqlAdapter(pool);
    const expires = new Date("2100-01-01T00:00:00.123Z");
    await adapter.createUser({ id: "ada", email: "ada@example.com", emailVerified: expires });
    assert.deepEqual((await adapter.getUserByEmail("ada@example.com"))?.emailVerified, expires);
    const session = { sessionToken: "s", userId: "ada", expires, provider: "p", providerSid: "1", extra: "kept" };
    await adapter.createSession(session);
    assert.deepEqual(await adapter.listSessionsByProviderSid({ provider: "p", sid: "1" }), [session]);
    assert.equal(await adapter.once("key", expires), true);
    assert.equal(await adapter.once("key", expires), false);
    await adapter.putRecord({
      kind: "k",
      id: "1",
      userId: "ada",
      group: null,
      version: 0,
      expires: null,
      data: { a: 1 },
    });
    assert.deepEqual((await adapter.getRecord({ kind: "k", id: "1" }))?.data, { a: 1 });
  } finally {
    await pool.end();
    await server.stop();
  }
});
