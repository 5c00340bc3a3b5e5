import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { mysqlSchema } from "../../../../adapters/mysql.ts";
import { postgresSchema } from "../../../../adapters/postgres.ts";
import { sqliteAdapter, sqliteSchema } from "../../../../adapters/sqlite.ts";
import { sqlSchema } from "../../../../cli/schema/sql.ts";
import { InvalidConfig } from "../../../../src/kernel/errors.ts";

describe("sqlSchema()", () => {
  test("gives the statements of the adapter", () => {
    const options = { schema: "auth", tables: { users: "people" } };
    assert.equal(sqlSchema({ dialect: "postgres", ...options }), postgresSchema(options));
    assert.equal(sqlSchema({ dialect: "sqlite" }), sqliteSchema());
    assert.equal(sqlSchema({ dialect: "mysql" }), mysqlSchema());
  });

  test("refuses a dialect that it does not know", () => {
    assert.throws(() => sqlSchema({ dialect: "oracle" as "sqlite" }), InvalidConfig);
  });
});

describe("sqliteSchema()", () => {
  test("makes what the adapter would make, any number of times", async () => {
    const layoutOf = (file: DatabaseSync) => file.prepare("select type, name, sql from sqlite_master").all();
    const [byHand, byItself] = [new DatabaseSync(":memory:"), new DatabaseSync(":memory:")];
    const tables = { users: "people", records: "notes" };
    byHand.exec(sqliteSchema({ tables }));
    byHand.exec(sqliteSchema({ tables }));
    await sqliteAdapter(byItself, { tables }).getUser("nobody");
    assert.deepEqual(layoutOf(byHand), layoutOf(byItself));
    byHand.close();
    byItself.close();
  });

  test("refuses invalid names", () => {
    assert.throws(() => sqliteSchema({ tables: { users: 'a"; drop table x' } }), InvalidConfig);
  });
});
