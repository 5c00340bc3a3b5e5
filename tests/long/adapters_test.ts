/** The adapters of Auth.js whose packages are heavy: a project of its own, installed when this test runs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { installAdapters, runInAdapters } from "../_support/adapters_project.ts";

/** Files with tests. */
const TESTS = [
  "suite.ts",
  "postgres_connections.ts",
  "mysql_connections.ts",
  "sqlite_suite.ts",
  "libsql_replicas.ts",
  "libsql_torture.ts",
  "switched_sqlite.ts",
  "hostile_sqlite.ts",
  "prisma_names.ts",
  "printed_schemas.ts",
  "switched_storage.ts",
  "switched_storage_mysql.ts",
];

/** Files whose clients must fit the types of our adapters. The others load what is not declared for this project. */
const TYPED = ["mysql_connections.ts", "postgres_connections.ts", "sqlite_connections.ts"];

test("people sign in over every adapter of Auth.js that can run here, as in Auth.js", async (t) => {
  const problem = await installAdapters();
  if (problem) {
    const message = `*** The adapters of Auth.js did not run, because they cannot be installed: ${problem}`;
    assert.notEqual(Deno.env.get("CI"), "true", message);
    await Deno.stderr.write(new TextEncoder().encode(`\n${message}\n\n`));
    return t.skip(message);
  }
  const checks = [["fmt", "--check", "--ignore=generated"], ["lint", "--ignore=generated"], ["check", ...TYPED]];
  for (const args of checks) {
    const { success, text } = await runInAdapters(...args);
    assert.ok(success, text);
  }
  const { success, text } = await runInAdapters("test", "--frozen", "--no-check", "--allow-all", ...TESTS);
  assert.ok(success, text.slice(text.indexOf(" ERRORS ")));
  const [, steps = "0"] = /\((\d+) steps\)/.exec(text) ?? [];
  assert.ok(Number(steps) > 200, `only ${steps} stories were told: ${text}`);
});
