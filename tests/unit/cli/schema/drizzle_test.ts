import { getTableConfig } from "drizzle-orm/sqlite-core";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import { sqliteAdapter } from "../../../../adapters/sqlite.ts";
import { drizzleNames } from "../../../../adapters/sql/drizzle_names.ts";
import { SQLITE_NAMES } from "../../../../adapters/sql/sqlite_schema.ts";
import { drizzleSchema } from "../../../../cli/schema/drizzle.ts";
import type { SqlDialect } from "../../../../cli/schema/options.ts";
import { drizzleStatements } from "../../../_support/drizzle_statements.ts";
import * as sqliteTables from "./_printed/sqlite.ts";

describe("drizzleSchema()", () => {
  for (const dialect of ["postgres", "mysql", "sqlite"] as const satisfies readonly SqlDialect[]) {
    // Made by: deno run cli/main.ts schema drizzle --dialect … > tests/unit/cli/schema/_printed/….ts
    test(`prints the module that the tests compile: ${dialect}`, () => {
      const printed = readFileSync(new URL(`./_printed/${dialect}.ts`, import.meta.url), "utf8");
      assert.equal(drizzleSchema({ dialect }), printed);
    });
  }

  test("makes tables of SQLite that the adapter uses and does not change", async () => {
    const file = new DatabaseSync(":memory:");
    const { users, ...others } = sqliteTables;
    for (const table of [users, ...Object.values(others)]) {
      for (const statement of drizzleStatements(getTableConfig(table))) file.exec(statement);
    }
    const layout = () => file.prepare("select name, sql from sqlite_master order by name").all();
    const before = layout();
    assert.ok(before.length > 15);
    const adapter = sqliteAdapter(file);
    await adapter.createUser({ id: "ada", email: "ada@example.com", emailVerified: null });
    await adapter.putRecord({ kind: "k", id: "1", userId: "ada", group: "g", version: 0, expires: null, data: {} });
    assert.equal((await adapter.listRecords({ kind: "k", group: "g", limit: 9 })).length, 1);
    assert.deepEqual(layout(), before);
    file.close();
  });

  test("makes a schema of which drizzleNames() finds each table", () => {
    const found = drizzleNames(drizzle(() => Promise.resolve({ rows: [] }), { schema: sqliteTables }));
    const known = Object.entries(found?.tables ?? {}).filter(([, { columns }]) => columns.size > 0);
    assert.deepEqual(Object.fromEntries(known.map(([id, { name }]) => [id, name])), SQLITE_NAMES);
  });

  test("puts tables into a schema, under the names that were chosen", () => {
    const printed = drizzleSchema({ dialect: "postgres", schema: "auth", tables: { users: "people" } });
    assert.match(printed, /^import \{\n(?: {2}\w+,\n)* {2}pgSchema,\n/);
    assert.match(printed, /\n\nconst schema = pgSchema\("auth"\);\n/);
    assert.match(printed, /export const users = schema\.table\("people", \{/);
    assert.match(printed, /uniqueIndex\("people_email_unique"\)/);
    assert.match(
      printed,
      /\/\/ After .* run: alter table "auth"\."authRecord" alter column "id" type text collate "C"/,
    );
    assert.doesNotMatch(printed, /pgTable/);
  });

  test("gives columns the names that were chosen, whatever they contain", () => {
    const columns = { id: 'the "id"', email: "mail$&", emailVerified: "evil(", image: "\\ // ${x}" };
    const tables = { users: { name: "app-user", columns }, records: { columns: { id: 'a"b' } } };
    for (const dialect of ["postgres", "mysql", "sqlite"] as const) {
      const printed = drizzleSchema({ dialect, tables });
      for (const column of Object.values(columns)) assert.ok(printed.includes(`(${JSON.stringify(column)}`), printed);
      assert.match(printed, /index\("app-user_email_unique"\)|uniqueIndex\("app-user_email_unique"\)/);
      assert.doesNotMatch(printed, /import \{[^}]*evil/);
    }
    assert.match(drizzleSchema({ dialect: "postgres", tables }), /alter column "a""b" type text collate "C"/);
  });

  test("prints only what is missing, as comments where it belongs into a table that exists", () => {
    const printed = drizzleSchema({ dialect: "sqlite", missing: true });
    assert.deepEqual([...printed.matchAll(/^export const (\w+)/gm)].map(([, name]) => name), [
      "onceMarks",
      "records",
      "buckets",
    ]);
    assert.ok(printed.includes('\n// Add to table users:\n//   extra: text("extra"),\n\n// Add to table accounts:'));
    assert.ok(printed.includes('// Add to table sessions:\n//   provider: text("provider"),\n//   providerSid: '));
    assert.doesNotMatch(printed, /emailVerified|sessionToken/);
  });
});
