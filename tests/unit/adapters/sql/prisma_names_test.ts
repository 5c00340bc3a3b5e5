/** With metadata as clients of Prisma 6 and 7 have it; `tests/adapters/prisma_names.ts` asks a real client. */
import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { MODEL_NAMES } from "../../../../adapters/sql/found_names.ts";
import { prismaNames } from "../../../../adapters/sql/prisma_names.ts";

interface Field {
  readonly name: string;
  readonly kind: string;
  readonly type: string;
  readonly dbName?: string;
}

const scalar = (name: string, dbName?: string): Field => ({
  name,
  kind: "scalar",
  type: "String",
  ...(dbName && { dbName }),
});
const model = (fields: readonly Field[], dbName: string | null = null) => ({ fields, dbName });

const ACCOUNT = model([scalar("id", "_id"), scalar("provider"), scalar("providerAccountId", "provider_account_id")]);
const USER = model([
  scalar("id", "user_id"),
  scalar("email"),
  { name: "role", kind: "enum", type: "Role", dbName: "the_role" },
  scalar("updatedAt", "updated_at"),
  scalar("note", "the note"),
  { name: "accounts", kind: "object", type: "Account" },
], "users");

const SCHEMA = `
datasource db {
  provider = "postgresql"
}
/* model User { text String @default(cuid()) } */
model User {
  id        String    @id @default(cuid()) @map("user_id") // @updatedAt
  email     String?   @unique // @updatedAt }
  note      String    @default("a \\"model } // @updatedAt x") @map("the note")
  role      Role      @default(MEMBER) @map("the_role")
  updatedAt DateTime  @default(now()) @updatedAt @map("updated_at")
  accounts  Account[]
  @@map("users")
  @@schema("auth") // @@schema("b")
}
// model Session { x String @default(cuid()) }
model Account {
  id                String   @id @default(uuid(7)) @map("_id")
  provider          String
  providerAccountId String   @map("provider_account_id")
  createdAt         DateTime @default(now()) @map("created_at") @db.Timestamp(3)
  since             DateTime @default(now()) @db.Date
}
`;

interface Client {
  readonly provider?: string;
  readonly schema?: string;
  readonly text?: string;
}

/** A client of these models: a proxy that answers models, and functions for what it does not know. */
function clientOf(models: object, { provider = "postgresql", schema, text = SCHEMA }: Client = {}) {
  const known: Readonly<Record<PropertyKey, unknown>> = {
    _runtimeDataModel: { models, enums: {}, types: {} },
    _activeProvider: provider,
    _engineConfig: { inlineSchema: text, adapter: { options: { schema } } },
  };
  return new Proxy({}, { get: (_, name) => Object.hasOwn(known, name) ? known[name] : () => "not a model" });
}

describe("prismaNames()", () => {
  test("gives the names of the models where they are not mapped", () => {
    const plain = model([scalar("id"), scalar("email")]);
    const found = prismaNames(clientOf({ User: plain, Account: plain }, { text: "" }));
    assert.deepEqual(
      Object.fromEntries(Object.entries(found?.tables ?? {}).map(([id, { name }]) => [id, name])),
      MODEL_NAMES,
    );
    assert.equal(found?.tables.users?.schema, undefined);
  });

  test("reads `@@map`, `@map` and `@@schema`, and passes over relations", () => {
    const tables = prismaNames(clientOf({ User: USER, Account: ACCOUNT }))?.tables;
    assert.equal(tables?.users?.name, "users");
    assert.equal(tables?.users?.schema, "auth");
    assert.deepEqual([...tables?.users?.columns ?? []], [
      ["id", "user_id"],
      ["email", "email"],
      ["role", "the_role"],
      ["updatedAt", "updated_at"],
      ["note", "the note"],
    ]);
    assert.equal(tables?.accounts?.columns.get("providerAccountId"), "provider_account_id");
    assert.equal(tables?.records?.schema, "auth");
  });

  test("lists the columns that Prisma fills, whatever comments and texts say", () => {
    const tables = prismaNames(clientOf({ User: USER, Account: ACCOUNT, Session: ACCOUNT }))?.tables;
    assert.deepEqual(tables?.users?.fills, [{ column: "updated_at", with: "now", onUpdate: true }]);
    const id = { column: "_id", with: "id", onUpdate: false };
    assert.deepEqual(tables?.accounts?.fills, [id, { column: "createdAt", with: "now", onUpdate: false }]);
    const ofSqlite = prismaNames(clientOf({ User: USER, Account: ACCOUNT }, { provider: "sqlite" }))?.tables;
    assert.deepEqual(ofSqlite?.accounts?.fills, [id], "its default is UTC, as Prisma reads it");
    assert.deepEqual(tables?.sessions?.fills, []);
  });

  test("gives the dialect of the provider", () => {
    const of = (provider: string) => prismaNames(clientOf({ User: USER, Account: ACCOUNT }, { provider }))?.dialect;
    assert.deepEqual(
      ["postgresql", "postgres", "cockroachdb", "mysql", "sqlite", "sqlserver", "toString"].map(of),
      ["postgres", "postgres", "postgres", "mysql", "sqlite", "unknown", "unknown"],
    );
  });

  test("reads the schema that the adapter of a driver was given", () => {
    const found = prismaNames(clientOf({ User: USER, Account: ACCOUNT }, { schema: "own" }));
    assert.deepEqual([found?.tables.users?.schema, found?.tables.accounts?.schema], ["auth", "own"]);
  });

  test("takes names of models, of members of the client and of tables as `tables`", () => {
    const models = { AuthUser: USER, Login: ACCOUNT, AuthSession: model([scalar("id")], "auth_sessions") };
    const found = prismaNames(clientOf(models), { users: "AuthUser", accounts: "login", sessions: "auth_sessions" });
    assert.deepEqual(
      [found?.tables.users, found?.tables.accounts, found?.tables.sessions].map((table) => table?.name),
      ["users", "Login", "auth_sessions"],
    );
    assert.equal(found?.tables.users?.columns.get("id"), "user_id");
    const elsewhere = prismaNames(clientOf(models), { users: "AuthUser", accounts: "other", records: "notes" });
    assert.deepEqual([elsewhere?.tables.accounts?.name, elsewhere?.tables.records?.name], ["other", "notes"]);
    assert.throws(() => prismaNames(clientOf(models), { users: {} }), /`tables\.users`: it is an object, not a name/);
  });

  test("refuses a client without a model of users, or of accounts: nobody could sign in again", () => {
    assert.throws(() => prismaNames(clientOf({ Post: USER })), /has no model `User`.*`tables\.users`/);
    assert.throws(() => prismaNames(clientOf({ User: USER })), /`tables\.accounts`/);
  });

  test("answers null for anything else, whatever that does when it is read", () => {
    const throwing = new Proxy({}, {
      get: () => {
        throw new Error("not connected");
      },
    });
    const answering: object = new Proxy(() => answering, { get: () => answering });
    const broken = { _runtimeDataModel: { models: { User: null, Account: { fields: 7 } } } };
    for (
      const other of [null, undefined, "postgres://", 7, {}, throwing, answering, broken, { _runtimeDataModel: 1 }]
    ) {
      assert.equal(prismaNames(other), null);
    }
  });
});
