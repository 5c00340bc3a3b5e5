/** What Prisma itself says of the models: `tests/adapters/printed_schemas.ts`. */
import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { MODEL_NAMES } from "../../../../adapters/sql/found_names.ts";
import { type TableId, TABLES } from "../../../../adapters/sql/schema.ts";
import { prismaSchema } from "../../../../cli/schema/prisma.ts";

/** The fields of each model that have a column. */
function fieldsOf(printed: string): Record<string, string[]> {
  return Object.fromEntries([...printed.matchAll(/^model (\w+) \{\n([^}]*)\}/gm)].map(([, name = "", body = ""]) => {
    const lines = [...body.matchAll(/^ {2}(\w+) +(\w+)/gm)];
    return [
      name,
      lines.filter(([, , type = ""]) => !/^[A-Z]\w*$/.test(type) || SCALARS.has(type)).map(([, field = ""]) => field),
    ];
  }));
}

const SCALARS = new Set(["String", "BigInt", "Boolean", "DateTime", "Json"]);

describe("prismaSchema()", () => {
  for (const dialect of ["postgres", "mysql", "sqlite"] as const) {
    test(`prints a model with each column of each table: ${dialect}`, () => {
      const wanted = Object.entries(TABLES).map(([id, { columns, isPlain }]) => {
        return [MODEL_NAMES[id as TableId], [...columns.map(({ name }) => name), ...(isPlain ? [] : ["extra"])]];
      });
      assert.deepEqual(fieldsOf(prismaSchema({ dialect })), Object.fromEntries(wanted));
    });
  }

  test("maps columns to the names that were chosen, and names indexes after tables of any name", () => {
    const tables = { sessions: { name: "app-session", columns: { expires: 'ends "at"', userId: "owner" } } };
    const printed = prismaSchema({ dialect: "postgres", tables });
    assert.match(printed, /^ {2}expires +DateTime +@map\("ends \\"at\\""\) @db\.Timestamptz\(3\)$/m);
    assert.match(printed, /^ {2}userId +String +@map\("owner"\)$/m);
    assert.match(printed, /@@index\(\[userId\], map: "app-session_userId_index"\)/);
    assert.match(printed, /@@map\("app-session"\)/);
  });

  test("gives whole numbers 64 bits, which versions of records need", () => {
    assert.doesNotMatch(prismaSchema({ dialect: "postgres" }), /\bInt\b/);
  });

  test("maps tables that have other names, in their schema", () => {
    const printed = prismaSchema({ dialect: "postgres", schema: "auth", tables: { users: "people" } });
    assert.match(
      printed,
      /^model User \{[^}]*@unique\(map: "people_email_unique"\)[^}]*@@map\("people"\)\n {2}@@schema\("auth"\)\n\}/,
    );
    assert.equal(printed.match(/@@schema\("auth"\)/g)?.length, 8);
    assert.equal(printed.match(/@@map/g)?.length, 1);
  });

  test("prints only what is missing, as comments where it belongs into a model that exists", () => {
    const printed = prismaSchema({ dialect: "sqlite", missing: true });
    assert.deepEqual(Object.keys(fieldsOf(printed)), ["OnceMark", "AuthRecord", "AuthBucket"]);
    assert.ok(
      printed.startsWith("// Add to model User:\n//   extra   String?\n//   records AuthRecord[]\n\n// Add to"),
    );
    assert.ok(printed.includes("// Add to model Session:\n//   provider    String?\n//   providerSid String?\n"));
    assert.doesNotMatch(printed, /emailVerified|sessionToken/);
  });
});
