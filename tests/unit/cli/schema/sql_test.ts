import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { mysqlSchema } from "../../../../adapters/mysql.ts";
import { postgresSchema } from "../../../../adapters/postgres.ts";
import { sqliteAdapter, sqliteSchema } from "../../../../adapters/sqlite.ts";
import { madeBy, sqlSchema } from "../../../../cli/schema/sql.ts";
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

describe("madeBy()", () => {
  test("finds the names of indexes and lengths of columns by their tables", () => {
    const postgres = madeBy({ dialect: "postgres", schema: "auth", tables: { records: "notes" } });
    assert.equal(postgres.indexName("notes", ["userId", "kind", "id"]), "notes_userId_index");
    assert.equal(postgres.indexName("users", ["email"]), "users_email_unique");
    assert.equal(postgres.indexName("users", ["name"]), undefined);
    const sqlite = madeBy({ dialect: "sqlite" });
    assert.equal(sqlite.indexName("authRecord", ["group", "kind", "id"]), "authRecord_group_kind_id_index");
    assert.equal(sqlite.lengthOf("user", "email"), undefined);
    const made = madeBy({ dialect: "mysql", tables: { records: "notes" } });
    assert.equal(made.indexName("notes", ["group", "kind", "id"]), "notes_group_index");
    assert.equal(made.lengthOf("notes", "kind"), 64);
    assert.equal(made.lengthOf("user", "kind"), undefined);
  });
});
