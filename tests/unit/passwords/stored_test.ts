import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../src/contract/adapter.ts";
import { readPassword, recordOf, recordWithHash } from "../../../src/passwords/stored.ts";
import { START, testRuntime } from "../_builders.ts";

const CHOSEN = { userId: "u1", hash: "hash", email: "ada@example.com" } as const;

test("recordOf() and readPassword() are each other's inverse", () => {
  const record = recordOf({ ...CHOSEN, version: 7 }, testRuntime());
  assert.deepEqual([record.kind, record.id, record.userId, record.version], ["password", "u1", "u1", 7]);
  assert.equal(record.expires ?? null, null);
  const { revision, ...others } = readPassword(record);
  assert.deepEqual(others, { ...CHOSEN, setAt: START / 1000, version: 7 });
  assert.match(revision, /^[\w-]{20,}$/);
});

test("recordOf() makes another revision for the same password, and replaces nothing by default", () => {
  const [one, other] = [recordOf(CHOSEN, testRuntime()), recordOf(CHOSEN, testRuntime())];
  assert.equal(one.version, 0);
  assert.notEqual(one.data.revision, other.data.revision);
});

test("recordWithHash() changes the hash and nothing else", () => {
  const record = { ...recordOf(CHOSEN, testRuntime()), version: 3 };
  assert.deepEqual(recordWithHash(readPassword(record), "new"), { ...record, data: { ...record.data, hash: "new" } });
});

const ODD: readonly JsonObject[] = [{}, { hash: 1, email: {}, setAt: "now", revision: null }, { hash: ["x"] }];

for (const data of ODD) {
  test(`readPassword() reads ${JSON.stringify(data)} as a hash that no password has, for no address`, () => {
    const read = readPassword({ kind: "password", id: "u1", userId: "u1", version: 1, data });
    assert.deepEqual(read, { userId: "u1", hash: "", email: null, setAt: null, revision: "", version: 1 });
  });
}
