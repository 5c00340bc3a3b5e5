import assert from "node:assert/strict";
import { test } from "node:test";
import { BoundedMap } from "../../src/bounded_map.ts";

function filled(capacity: number, keys: string): BoundedMap<string, number> {
  const map = new BoundedMap<string, number>(capacity);
  for (const [i, key] of [...keys].entries()) map.set(key, i);
  return map;
}

test("BoundedMap forgets the entry used least recently", () => {
  const map = filled(3, "abc");
  assert.equal(map.get("a"), 0);
  map.set("d", 3);
  assert.deepEqual(["a", "b", "c", "d"].map((key) => map.get(key)), [0, undefined, 2, 3]);
  assert.equal(map.size, 3);
});

test("BoundedMap counts writing as use", () => {
  const map = filled(2, "ab");
  map.set("a", 9);
  map.set("c", 2);
  assert.deepEqual(["a", "b", "c"].map((key) => map.get(key)), [9, undefined, 2]);
});

test("BoundedMap makes no room for an entry it has", () => {
  const map = filled(2, "ab");
  map.set("b", 9);
  assert.deepEqual(["a", "b"].map((key) => map.get(key)), [0, 9]);
});

test("BoundedMap stays within its bound whatever is written", () => {
  const map = new BoundedMap<number, number>(10);
  for (let i = 0; i < 10_000; i++) map.set(i * 7 % 1000, i);
  assert.equal(map.size, 10);
});

test("BoundedMap forgets what is deleted, and survives deleting what is not there", () => {
  const map = filled(2, "ab");
  map.delete("a");
  map.delete("x");
  assert.deepEqual([map.get("a"), map.size], [undefined, 1]);
});
