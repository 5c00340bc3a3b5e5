import {
  CamelCasePlugin,
  DummyDriver,
  Kysely,
  MssqlAdapter,
  MssqlQueryCompiler,
  MysqlAdapter,
  MysqlQueryCompiler,
  PostgresAdapter,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteQueryCompiler,
} from "kysely";
import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { MODEL_NAMES } from "../../../../adapters/sql/found_names.ts";
import { kyselyNames } from "../../../../adapters/sql/kysely_names.ts";

const PARTS = {
  postgres: [PostgresAdapter, PostgresQueryCompiler],
  mysql: [MysqlAdapter, MysqlQueryCompiler],
  sqlite: [SqliteAdapter, SqliteQueryCompiler],
  unknown: [MssqlAdapter, MssqlQueryCompiler],
} as const;

function open(name: keyof typeof PARTS, plugins: CamelCasePlugin[] = []): Kysely<unknown> {
  const [Adapter, Compiler] = PARTS[name];
  return new Kysely({
    plugins,
    dialect: {
      createAdapter: () => new Adapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: () => {
        throw new Error("not asked");
      },
      createQueryCompiler: () => new Compiler(),
    },
  });
}

describe("kyselyNames()", () => {
  for (const name of Object.keys(PARTS) as (keyof typeof PARTS)[]) {
    test(`gives the names of @auth/kysely-adapter, and the dialect: ${name}`, () => {
      const found = kyselyNames(open(name));
      assert.equal(found?.dialect, name);
      assert.deepEqual(
        Object.fromEntries(Object.entries(found.tables).map(([id, table]) => [id, table.name])),
        MODEL_NAMES,
      );
      assert.equal(found.tables.users.columns.size, 0);
      assert.equal(found.tables.users?.schema, undefined);
    });
  }

  test("spells names as the plugins do", () => {
    const tables = kyselyNames(open("postgres", [new CamelCasePlugin()]).withSchema("auth"))?.tables;
    assert.equal(tables?.verificationTokens?.name, "verification_token");
    assert.equal(tables?.verificationTokens?.schema, "auth");
    assert.equal(tables?.users?.columns.get("emailVerified"), "email_verified");
    assert.equal(tables?.users?.columns.has("extra"), false);
    assert.equal(tables?.authenticators?.columns.get("credentialID"), "credential_id");
  });

  test("takes the names of tables in the database as `tables`", () => {
    const found = kyselyNames(open("sqlite"), { users: "people" });
    assert.deepEqual([found?.tables.users?.name, found?.tables.accounts?.name], ["people", "Account"]);
    assert.throws(() => kyselyNames(open("sqlite"), { users: 7 }), /`tables\.users`: it is a number/);
  });

  test("answers null for anything else, whatever that does when it is read or called", () => {
    const throwing = new Proxy({}, {
      get: () => {
        throw new Error("not connected");
      },
    });
    const answering: object = new Proxy(() => answering, { get: () => answering });
    const refusing = {
      getExecutor: () => ({}),
      selectFrom: () => {
        throw new Error("no");
      },
    };
    for (const other of [null, undefined, "x", {}, throwing, answering, refusing]) {
      assert.equal(kyselyNames(other), null);
    }
  });
});
