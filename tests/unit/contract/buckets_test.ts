import assert from "node:assert/strict";
import { test } from "node:test";
import { askedOf } from "../../../src/contract/buckets.ts";

test("askedOf() sorts by the keys, so that no two calls wait for each other", () => {
  const keys = ["z", "a", "Z", "\u00e9", "m", "\u{1f600}", "\uff5e"];
  const sorted = ["Z", "a", "m", "z", "\u00e9", "\u{1f600}", "\uff5e"];
  const orders = [keys, keys.toReversed(), sorted];
  for (const order of orders) {
    const buckets = order.map((key) => ({ key, every: 1000, burst: 1 }));
    assert.deepEqual(askedOf(buckets, new Date(0)).map(({ key }) => key), sorted);
    assert.deepEqual(buckets.map(({ key }) => key), order, "what was given stays as it is");
  }
});

test("askedOf() says in its error what is wrong, without the key", () => {
  const bucket = { key: "hash", every: 1000, burst: 1 };
  const wrong = {
    "the same key": [bucket, bucket],
    "`every` is not": [{ ...bucket, every: NaN }],
    "`cost` is more than `burst`": [{ ...bucket, cost: 2 }],
    "`key` is not a text": [{ ...bucket, key: 1 as unknown as string }],
    "too large": [{ ...bucket, every: 1e15, burst: 100 }],
  };
  for (const [problem, buckets] of Object.entries(wrong)) {
    assert.throws(() => askedOf(buckets, new Date(0)), (error) => {
      return error instanceof TypeError && error.message.includes(problem) && !error.message.includes("hash");
    });
  }
});
