/** The names that real clients of Prisma have. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PrismaPg } from "@prisma/adapter-pg";
import { MODEL_NAMES } from "../../adapters/sql/found_names.ts";
import { prismaNames } from "../../adapters/sql/prisma_names.ts";
import { PrismaClient } from "./generated/client.ts";
import { PrismaClient as MappedClient } from "./generated/mapped/client.ts";

const adapter = new PrismaPg({ connectionString: "postgres://127.0.0.1:1/none" });

describe("prismaNames() of a real client", () => {
  const plain = new PrismaClient({ adapter });
  const mapped = new MappedClient({ adapter });

  test("gives the names of Auth.js's models, with extensions and without", () => {
    const extended = plain.$extends({ model: { user: { hello: () => "hello" } }, query: {} });
    for (const client of [plain, extended]) {
      const found = prismaNames(client);
      assert.equal(found?.dialect, "postgres");
      assert.deepEqual(
        Object.fromEntries(Object.entries(found.tables).map(([id, { name }]) => [id, name])),
        MODEL_NAMES,
      );
      assert.deepEqual(
        [...found.tables.sessions?.columns ?? []],
        ["sessionToken", "userId", "expires"].map((name) => [name, name]),
      );
    }
  });

  test("reads mapped names, schemas, and what the client fills", () => {
    const tables = prismaNames(mapped, { users: "AuthUser" })?.tables;
    assert.equal(tables?.users?.name, "app_users");
    assert.equal(tables?.users?.schema, "auth");
    assert.equal(tables?.users?.columns.get("emailVerified"), "email_verified");
    assert.equal(tables?.users?.columns.get("role"), "role");
    assert.deepEqual(tables?.users?.fills, [{ column: "updated_at", with: "now", onUpdate: true }]);
    assert.equal(tables?.accounts?.columns.get("providerAccountId"), "provider_account_id");
    assert.deepEqual(tables?.accounts?.fills, [{ column: "_id", with: "id", onUpdate: false }]);
    assert.equal(tables?.records?.name, "app_AuthRecord");
    assert.equal(tables?.records?.schema, "auth");
  });

  test("reads the schema that the adapter of the driver was given", () => {
    const options = { schema: "own" };
    const client = new PrismaClient({ adapter: new PrismaPg({ connectionString: "postgres://127.0.0.1:1" }, options) });
    assert.equal(prismaNames(client)?.tables.users?.schema, "own");
  });

  test("asks for the name of a model that is called differently", () => {
    assert.throws(() => prismaNames(mapped), /has no model `User`/);
  });
});
