import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { SCHEMA_HELP, schemaCommand } from "../../../../cli/schema/command.ts";
import { drizzleSchema } from "../../../../cli/schema/drizzle.ts";
import { prismaSchema } from "../../../../cli/schema/prisma.ts";
import { sqlSchema } from "../../../../cli/schema/sql.ts";
import { InvalidConfig } from "../../../../src/kernel/errors.ts";

describe("schemaCommand()", () => {
  test("prints what the function of the format gives", () => {
    assert.equal(schemaCommand(["prisma", "--dialect", "mysql"]), prismaSchema({ dialect: "mysql" }));
    assert.equal(
      schemaCommand(["drizzle", "--dialect=sqlite", "--missing"]),
      drizzleSchema({ dialect: "sqlite", missing: true }),
    );
    assert.equal(
      schemaCommand(["--schema", "auth", "sql", "--dialect", "postgres", "--tables", "users=people, records=notes"]),
      sqlSchema({ dialect: "postgres", schema: "auth", tables: { users: "people", records: "notes" } }),
    );
    const columns = ["--columns", "users.image=the picture, sessions.expires=ends_at,users.extra=rest"];
    assert.equal(
      schemaCommand(["prisma", "--dialect", "mysql", "--tables", "users=people", ...columns]),
      prismaSchema({
        dialect: "mysql",
        tables: {
          users: { name: "people", columns: { image: "the picture", extra: "rest" } },
          sessions: { columns: { expires: "ends_at" } },
        },
      }),
    );
  });

  test("prints an object with --json", () => {
    const text = sqlSchema({ dialect: "sqlite" });
    assert.deepEqual(JSON.parse(schemaCommand(["sql", "--dialect", "sqlite", "--json"])), {
      version: 1,
      format: "sql",
      dialect: "sqlite",
      text,
    });
  });

  test("prints its help, which fits a terminal and names each option", () => {
    assert.equal(schemaCommand(["--help"]), SCHEMA_HELP);
    assert.deepEqual(SCHEMA_HELP.split("\n").filter((line) => line.length > 80), []);
    for (const name of ["--dialect", "--missing", "--schema", "--tables", "--columns", "--json"]) {
      assert.ok(SCHEMA_HELP.includes(name));
    }
  });

  const SQLITE = ["--dialect", "sqlite"];
  const WRONG: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [[], /^Choose a format: prisma, drizzle, sql$/],
    [["typeorm", ...SQLITE], /^Unknown format "typeorm": choose prisma, drizzle, sql$/],
    [["constructor", ...SQLITE], /^Unknown format "constructor"/],
    [["sql"], /^Choose a database/],
    [["sql", "--dialect", "postgresql"], /^Unknown dialect "postgresql": --dialect postgres,/],
    [["sql", "more", ...SQLITE], /^Unknown argument "more"$/],
    [["sql", "--drop", ...SQLITE], /--drop/],
    [["sql", "--dialect"], /--dialect/],
    [["sql", "--missing", ...SQLITE], /^`--missing` is for prisma and drizzle/],
    [["sql", "--schema", "auth", ...SQLITE], /only PostgreSQL has schemas/],
    [["prisma", "--dialect", "postgres", "--schema", 'a"b'], /Cannot use "a\\"b" as a name/],
    [["drizzle", "--dialect", "postgres", "--schema", 'a");drop'], /as a name/],
    [["drizzle", "--dialect", "mysql", "--schema", "auth"], /only PostgreSQL has schemas/],
    [["prisma", "--tables", "users=a b", ...SQLITE], /Cannot use "a b" as a name/],
    [["prisma", "--tables", "users=x,accounts=X", ...SQLITE], /two tables have the same name/],
    ...["user=people", "users", "users=", "users=a=b", "toString=x"].map((tables) =>
      [["sql", "--tables", tables, ...SQLITE], /^Cannot read --tables/] as const
    ),
    ...["users=people", "user.name=x", "users.name.x=y", "users.name=", "users.name=a=b", "toString.name=x"].map((
      columns,
    ) => [["sql", "--columns", columns, ...SQLITE], /^Cannot read --columns: write/] as const),
    [["sql", "--columns", "users.emailverified=x", ...SQLITE], /has no "emailverified"\. It has id, name,/],
    [["sql", "--columns", "onceMarks.extra=x", ...SQLITE], /has no "extra"/],
    [["sql", "--columns", "users.name=email", ...SQLITE], /two members have the same column/],
  ];
  for (const [args, message] of WRONG) {
    test(`refuses ${args.join(" ") || "nothing"}`, () => {
      assert.throws(() => schemaCommand(args), (error) => {
        assert.ok(error instanceof InvalidConfig);
        assert.match(error.message, message);
        return true;
      });
    });
  }
});
