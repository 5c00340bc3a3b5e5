/** What PostgreSQL and MariaDB say of tables that are missing, or lack columns. */
import assert from "node:assert/strict";
import { test } from "node:test";
import mysql from "mysql2/promise";
import pg from "pg";
import { createAuth } from "../../../src/auth.ts";
import { InvalidConfig } from "../../../src/kernel/errors.ts";
import { limits } from "../../../src/limits.ts";
import { mysqlAdapter } from "../../../adapters/mysql.ts";
import { postgresAdapter } from "../../../adapters/postgres.ts";
import { findMariadb, skipsWithoutMariadb, startMariadb } from "../../_support/mariadb.ts";
import { EMPTY_SCHEMA, findPostgres, skipsWithoutPostgres, startPostgres } from "../../_support/postgres.ts";
import type { CheckedAdapter, CompleteAdapter } from "../../../src/contract/adapter.ts";
import { testConfig } from "../../_support/service.ts";

type Checked = CompleteAdapter & CheckedAdapter;

/** The statements that the adapter tells to run. */
async function statementsOf({ findProblems }: Checked): Promise<string[]> {
  const problems = await findProblems();
  return problems.map((problem) => {
    assert.match(problem, /^Call migrate\(\), or run: (?:create|alter) [^\n]+$/);
    return problem.slice(problem.indexOf(": ") + 2);
  });
}

/** Follows what the adapter says, and nothing else. */
async function mend(make: () => Checked, run: (sql: string) => Promise<unknown>): Promise<number> {
  const told = await statementsOf(make());
  for (const sql of told) await run(sql);
  assert.deepEqual(await make().findProblems(), []);
  assert.equal(await make().getUserByEmail("nobody@example.com"), null);
  return told.length;
}

async function problemsOf(adapter: Checked): Promise<readonly string[]> {
  const config = testConfig({ adapter, features: [limits({ off: "a proxy counts" })] });
  const error = await createAuth(config).check().then(() => null, (thrown: unknown) => thrown);
  assert.ok(error instanceof InvalidConfig);
  return (error.problems ?? []).map(({ message }) => message);
}

const bin = findPostgres();
test("PostgreSQL: check() has the statement for each table and column that is missing", {
  skip: skipsWithoutPostgres(bin, "What PostgreSQL says of missing tables"),
}, async () => {
  const server = await startPostgres(bin);
  const pool = new pg.Pool({ connectionString: server.url, max: 2 });
  try {
    await pool.query(EMPTY_SCHEMA);
    const make = () => postgresAdapter(pool) as ReturnType<typeof postgresAdapter> & CheckedAdapter;
    const [first = "", ...statements] = await problemsOf(make());
    assert.match(first, /table "users" is missing: call migrate\(\) once/);
    assert.ok(statements.some((sql) => sql.includes('create table if not exists "sessions"')));
    assert.ok(await mend(make, (sql) => pool.query(sql)) >= 8);

    await pool.query('alter table users drop column "emailVerified"');
    assert.deepEqual(await statementsOf(make()), [
      'alter table "users" add column if not exists "emailVerified" timestamptz',
    ]);
    assert.equal(await mend(make, (sql) => pool.query(sql)), 1);

    await pool.query("alter table sessions drop column extra; drop table once_marks");
    assert.ok(await mend(make, (sql) => pool.query(sql)) >= 2);
    // What is used only by features is no problem.
    await pool.query("drop table auth_buckets");
    assert.deepEqual(await make().findProblems(), []);
  } finally {
    await pool.end();
    await server.stop();
  }
});

const command = findMariadb();
test("MariaDB: check() has the statement for each table and column that is missing", {
  skip: skipsWithoutMariadb(command, "What MariaDB says of missing tables"),
}, async () => {
  const server = await startMariadb(command);
  const pool = mysql.createPool({ uri: server.url, connectionLimit: 2 });
  try {
    const make = () => mysqlAdapter(pool) as ReturnType<typeof postgresAdapter> & CheckedAdapter;
    const [first = "", ...statements] = await problemsOf(make());
    assert.match(first, /is missing: call migrate\(\) once/);
    assert.ok(statements.some((sql) => sql.includes("create table if not exists `session`")));
    assert.ok(await mend(make, (sql) => pool.query(sql)) >= 8);
    await pool.query("alter table user drop column emailVerified");
    const [told = "", ...others] = await statementsOf(make());
    assert.match(told, /^alter table `user` add column `emailVerified` /);
    assert.deepEqual(others, []);
    assert.equal(await mend(make, (sql) => pool.query(sql)), 1);
  } finally {
    await pool.end();
    await server.stop();
  }
});
