import { DummyDriver, Kysely, PostgresAdapter, PostgresQueryCompiler } from "kysely";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { drizzle } from "drizzle-orm/node-postgres";
import { pgSchema, pgTable, text } from "drizzle-orm/pg-core";
import { SQLITE_NAMES } from "../../../../adapters/sql/sqlite_schema.ts";
import { type NamingChoices, tableNaming } from "../../../../adapters/sql/table_naming.ts";
import { TABLE_IDS } from "../../../../adapters/sql/schema.ts";
import { InvalidConfig } from "../../../../src/kernel/errors.ts";

const naming = (choices: Partial<NamingChoices>) =>
  tableNaming({ source: null, tables: {}, defaults: SQLITE_NAMES, ids: TABLE_IDS, ...choices });

const kysely = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: () => {
      throw new Error("not asked");
    },
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** What Prisma generates, as far as names are read from it. */
function prisma(table: string | null, column: string) {
  const field = { name: "email", kind: "scalar", dbName: column };
  const models = { User: { dbName: table, fields: [field] }, Account: { dbName: null, fields: [] } };
  return { _runtimeDataModel: { models }, _activeProvider: "postgresql" };
}

/** A Drizzle database, of which nothing but its tables is asked. */
function drizzleOf(users: object) {
  const columns = { provider: text(), providerAccountId: text() };
  return drizzle({ client: {} as never, schema: { users, accounts: pgTable("account", columns) } });
}

const userColumns = (email: string) => ({ id: text(), email: text(email) });

describe("tableNaming()", () => {
  const NAMES: readonly (readonly [what: string, choices: Partial<NamingChoices>, message: RegExp])[] = [
    [
      "a table that was chosen",
      { tables: { users: 'a"b' } },
      /"a\\"b" as a name in option `tables\.users`: use letters/,
    ],
    [
      "a table that is no text",
      { tables: { users: 7 as never } },
      /option `tables\.users`: it is a number, not a name/,
    ],
    [
      "a column that was chosen",
      { tables: { users: { columns: { email: "a\nb" } } } },
      /option `tables\.users\.columns`/,
    ],
    ["a table that was chosen beside Kysely", { source: kysely, tables: { users: "a b" } }, /option `tables\.users`/],
    ["a schema of Kysely", { source: kysely.withSchema('a"b') }, /"a\\"b" as a name in what the connection knows/],
    ["a table of Prisma", { source: prisma("a'b", "email") }, /"a'b" as a name in what the connection knows/],
    ["a column of Prisma", { source: prisma("users", "a\nb") }, /"a\\nb" as a name in what the connection knows/],
    ["a table of Drizzle", { source: drizzleOf(pgTable("a;b", userColumns("email"))) }, /"a;b" as a name/],
    ["a column of Drizzle", { source: drizzleOf(pgTable("a", userColumns("x".repeat(64)))) }, /long text as a name/],
    ["a schema of Drizzle", { source: drizzleOf(pgSchema("a.b").table("a", userColumns("e"))) }, /"a\.b" as a name/],
    ["two tables", { tables: { users: "x", accounts: "X" } }, /two tables have the same name/],
    ["two columns", { tables: { users: { columns: { a: "x", b: "x" } } } }, /two members have the same column/],
    [
      "a column of another member",
      { tables: { users: { columns: { name: "id" } } } },
      /two members have the same column/,
    ],
  ];
  for (const [what, choices, message] of NAMES) {
    test(`refuses ${what}`, () => {
      assert.throws(() => naming(choices), (error) => {
        assert.ok(error instanceof InvalidConfig);
        assert.match(error.message, message);
        return true;
      });
    });
  }

  test("passes over columns of the application that no database has", () => {
    const users = pgTable("people", { ...userColumns("mail"), note: text("a\nb"), other: text("a ? b") });
    const columns = naming({ source: drizzleOf(users) }).columns?.users;
    assert.deepEqual([...columns ?? []], [["id", "id"], ["email", "mail"], ["other", "a ? b"]]);
  });

  test("takes columns with quotes and other characters", () => {
    const { columns } = naming({ tables: { users: { columns: { name: 'the "name"', role: "`role`; $$" } } } });
    assert.deepEqual([...columns?.users ?? []], [["name", 'the "name"'], ["role", "`role`; $$"]]);
  });

  test("does not take a part of a quoted schema for its name", () => {
    assert.throws(() => naming({ source: kysely.withSchema('x"."y') }), InvalidConfig);
  });
});
