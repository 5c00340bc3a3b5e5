import assert from "node:assert/strict";
import { test } from "node:test";
import { BoundedMap } from "../../../src/kernel/bounded_map.ts";

function filled(capacity: number, keys: string): BoundedMap<string, number> {
  const map = new BoundedMap<string, number>(capacity);
  for (const [i, key] of [...keys].entries()) map.set(key, i);
  return map;
}

test("BoundedMap keeps what was used among the last half of its capacity", () => {
  for (const capacity of [2, 3, 4, 7, 10, 64]) {
    const map = new BoundedMap<number, number>(capacity);
    const used: number[] = [];
    for (let i = 0; i < 1000; i++) {
      const key = i * 7 % 31;
      if (map.get(key) === undefined) map.set(key, key);
      used.push(key);
      const recent = new Set<number>();
      for (let at = used.length - 1; at >= 0 && recent.size < capacity >> 1; at--) recent.add(used[at] ?? NaN);
      for (const each of [...recent].reverse()) {
        assert.equal(map.get(each), each, `capacity ${capacity}, use ${i}`);
        used.push(each);
      }
    }
  }
});

test("BoundedMap forgets what was not used while its capacity was filled", () => {
  for (const capacity of [2, 3, 4, 10]) {
    const map = filled(capacity, "a");
    for (let i = 0; i < capacity; i++) map.set(`${i}`, i);
    assert.equal(map.get("a"), undefined, `capacity ${capacity}`);
  }
});

test("BoundedMap keeps an entry that is read again and again, whatever is written", () => {
  const map = filled(4, "a");
  for (let i = 0; i < 100; i++) {
    map.set(`${i}`, i);
    assert.equal(map.get("a"), 0);
  }
});

test("BoundedMap holds one value of an entry, the last", () => {
  const map = filled(4, "abcd");
  map.set("a", 9);
  map.set("d", 8);
  assert.deepEqual(["a", "d"].map((key) => map.get(key)), [9, 8]);
  map.delete("a");
  assert.equal(map.get("a"), undefined);
});

test("BoundedMap stays within its bound whatever is written and read", () => {
  for (const capacity of [1, 2, 3, 10]) {
    const map = new BoundedMap<number, number>(capacity);
    for (let i = 0; i < 10_000; i++) {
      map.set(i * 7 % 1000, i);
      map.get(i * 11 % 1000);
      assert.ok(map.size <= capacity, `${map.size} of ${capacity}`);
    }
  }
});

test("BoundedMap forgets what is deleted, and survives deleting what is not there", () => {
  const map = filled(4, "ab");
  map.delete("a");
  map.delete("x");
  assert.deepEqual([map.get("a"), map.get("b"), map.size], [undefined, 1, 1]);
});
