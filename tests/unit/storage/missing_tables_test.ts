import assert from "node:assert/strict";
import { test } from "node:test";
import { missingTables } from "../../../src/storage/missing_tables.ts";

test("missingTables() knows the sentence of a database, also in the cause of an error", () => {
  const error = new Error('relation "users" does not exist');
  for (const given of [error, new Error("Cannot read", { cause: error })]) {
    assert.match(missingTables(given), /^, because a table is missing\./);
  }
  assert.equal(missingTables(new Error("the disk is full")), "");
});

test("missingTables() reads the beginning of a message only, because strangers may have sent the rest", () => {
  assert.equal(missingTables(new Error(`${"a".repeat(1000)} no such table: users`)), "");
});
