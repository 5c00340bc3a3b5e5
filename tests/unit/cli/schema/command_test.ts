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
    for (const name of ["--dialect", "--missing", "--schema", "--tables", "--json"]) {
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
    [["prisma", "--dialect", "postgres", "--schema", 'a"b'], /Cannot use "a"b" as a name/],
    [["drizzle", "--dialect", "postgres", "--schema", 'a");drop'], /as a name/],
    [["drizzle", "--dialect", "mysql", "--schema", "auth"], /only PostgreSQL has schemas/],
    [["prisma", "--tables", "users=a b", ...SQLITE], /Cannot use "a b" as a name/],
    [["prisma", "--tables", "users=x,accounts=X", ...SQLITE], /two tables have the same name/],
    ...["user=people", "users", "users=", "users=a=b", "toString=x"].map((tables) =>
      [["sql", "--tables", tables, ...SQLITE], /^Cannot read --tables/] as const
    ),
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
