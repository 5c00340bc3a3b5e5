import assert from "node:assert/strict";
import { test } from "node:test";
import {
  codeOf,
  isCollision,
  isConnectionLost,
  isRefused,
  isUnreached,
} from "../../../../adapters/sql/postgres_errors.ts";

function fails(message: string, members: object = {}): Error {
  return Object.assign(new Error(message), members);
}

/** What Prisma throws, with the error of its driver adapter. */
function prisma(code: string, cause: object): Error {
  return fails("Invalid `prisma.$queryRawUnsafe()` invocation", {
    code,
    meta: { driverAdapterError: Object.assign(fails("adapter"), { cause }) },
  });
}

const CODES: Readonly<Record<string, readonly [error: unknown, code: unknown]>> = {
  "pg, postgres, PGlite and Neon": [fails("", { code: "23505" }), "23505"],
  "Bun's SQL": [fails("", { code: "ERR_POSTGRES_SERVER_ERROR", errno: "23505" }), "23505"],
  "Bun's SQL of its own": [fails("", { code: "ERR_POSTGRES_CONNECTION_CLOSED" }), "ERR_POSTGRES_CONNECTION_CLOSED"],
  "Prisma": [prisma("P2010", { originalCode: "23505", kind: "UniqueConstraintViolation" }), "23505"],
  "Prisma before it had adapters": [fails("", { code: "P2010", meta: { code: "23503", message: "" } }), "23503"],
  "Prisma at the end of a transaction": [
    fails("", { name: "DriverAdapterError", cause: { originalCode: "40001", kind: "TransactionWriteConflict" } }),
    "40001",
  ],
  "Prisma without a server": [prisma("P2010", { kind: "DatabaseNotReachable" }), "DatabaseNotReachable"],
  "Prisma by itself": [fails("", { code: "P2028", meta: { operation: "commit" } }), "P2028"],
  "the network": [fails("", { code: "ECONNRESET", errno: -104 }), "ECONNRESET"],
  "a cause that is another error": [fails("", { cause: { originalCode: "40001" } }), undefined],
  "no error": [{ code: "23505" }, undefined],
};

for (const [name, [error, code]] of Object.entries(CODES)) {
  test(`codeOf() reads the code of ${name}`, () => assert.equal(codeOf(error), code));
}

test("isCollision() knows each way to say that a transaction did not happen", () => {
  const errors = ["40001", "40P01", "P2034"].map((code) => fails("", { code }));
  for (const error of [...errors, prisma("P2010", { kind: "TransactionWriteConflict" })]) {
    assert.deepEqual([isCollision(error), isConnectionLost(error), isRefused(error)], [true, false, true]);
  }
  assert.equal(isCollision(fails("", { code: "23505" })), false);
});

test("isUnreached() knows that there was no connection", () => {
  const codes = ["ECONNREFUSED", "57P03", "P1001", "ERR_POSTGRES_CONNECTION_REFUSED"];
  const errors = codes.map((code) => fails("", { code }));
  for (const error of [...errors, prisma("P2010", { kind: "DatabaseNotReachable", host: "db.test" })]) {
    assert.deepEqual([isUnreached(error), isConnectionLost(error)], [true, true]);
  }
});

test("isConnectionLost() knows lost connections, after which a commit may have happened", () => {
  const codes = ["40003", "57P01", "08006", "08007", "EPIPE", "ECONNRESET", "P1017", "ERR_POSTGRES_CONNECTION_CLOSED"];
  const messages = [
    "Connection terminated unexpectedly",
    "Client has encountered a connection error and is not queryable",
    "Raw query failed. Code: `N/A`. Message: `Error { kind: Closed, cause: None }`",
  ];
  const errors = [...codes.map((code) => fails("", { code })), ...messages.map((message) => fails(message))];
  for (const error of [...errors, prisma("P2010", { kind: "ConnectionClosed" })]) {
    assert.deepEqual([isConnectionLost(error), isUnreached(error), isRefused(error)], [true, false, false]);
  }
});

test("isRefused() is true where the server says that it did not do it, and nowhere else", () => {
  assert.equal(isRefused(prisma("P2010", { originalCode: "23503" })), true);
  for (const error of [fails("anything"), fails("", { code: "P2028" }), prisma("P2010", { kind: "SocketTimeout" })]) {
    assert.equal(isRefused(error), false);
  }
});
