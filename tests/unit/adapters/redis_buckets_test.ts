/** What is specific to buckets in Redis: how long they are kept, what is lost with them, and what an error shows. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import { Redis } from "ioredis";
import { memoryAdapter, memorySessions } from "../../../adapters/memory.ts";
import { redisBuckets, withBuckets } from "../../../adapters/redis.ts";
import { withSessions } from "../../../adapters/sessions.ts";
import { AdapterError, InvalidConfig } from "../../../src/kernel/errors.ts";
import { findRedis, skipsWithoutRedis, startRedis } from "../../_support/redis.ts";

const command = findRedis();
const skip = skipsWithoutRedis(command, "The tests of buckets in Redis");

const LATER = new Date(Date.UTC(2100, 0, 1));
const BUCKET = { key: "b", every: 1000, burst: 5 };

async function withServer(run: (redis: Redis) => Promise<void>, options = {}): Promise<void> {
  const server = await startRedis(command, options);
  const redis = new Redis(server.url);
  try {
    await run(redis);
  } finally {
    redis.disconnect();
    await server.stop();
  }
}

test("withBuckets() refuses what holds no buckets", () => {
  for (const other of [{ call: () => Promise.resolve() }, {}, null, undefined]) {
    assert.throws(() => withBuckets(memoryAdapter(), other as never), InvalidConfig);
  }
});

test("withBuckets() keeps all other operations, and asks each place what is wrong with it", async () => {
  class Adapter {
    readonly #name = "Ada";
    getUser(id: string) {
      return { id, name: this.#name, email: "ada@example.com", emailVerified: null };
    }
    findProblems() {
      return Promise.resolve(["one"]);
    }
  }
  const { take } = memoryAdapter();
  const adapter = withBuckets(new Adapter(), { take, findProblems: () => Promise.resolve(["two"]) });
  assert.equal(adapter.getUser("1").name, "Ada");
  assert.deepEqual(await adapter.findProblems(), ["one", "two"]);
  assert.deepEqual(await adapter.take([BUCKET], LATER), [null]);
  assert.deepEqual(await withBuckets(new Adapter(), { take }).findProblems(), ["one"]);
});

test("withSessions() leaves buckets where the adapter has them", async () => {
  const adapter = memoryAdapter();
  await withSessions(adapter, memorySessions()).take([{ ...BUCKET, cost: 5 }], LATER);
  assert.notEqual((await adapter.take([BUCKET], LATER))[0], null);
});

test("redisBuckets() throws an error without keys, if the server fails or answers something else", async () => {
  const key = "hash-that-nobody-needs-to-see";
  const leaky = {
    call: () => Promise.reject(Object.assign(new Error(`ERR wrong: '${key}'`), { command: { args: [key] } })),
  };
  for (const client of [leaky, { call: () => Promise.resolve({ key }) }]) {
    await assert.rejects(async () => await redisBuckets(client).take([{ ...BUCKET, key }], LATER), (error) => {
      return error instanceof AdapterError && !inspect(error, { depth: 9, showHidden: true }).includes(key);
    });
  }
});

describe("redisBuckets()", { skip }, () => {
  test("lets the server remove a bucket a minute after it is full, by the clock of the server", async () => {
    await withServer(async (redis) => {
      const { take } = redisBuckets(redis, { prefix: "limits:" });
      await take([BUCKET, { ...BUCKET, key: "other", cost: 5 }], LATER);
      assert.deepEqual((await redis.keys("*")).sort(), ["limits:b:b", "limits:b:other"]);
      const left = [await redis.pttl("limits:b:b"), await redis.pttl("limits:b:other")];
      for (const [at, most] of [61_000, 65_000].entries()) {
        assert.ok(Number(left[at]) <= most && Number(left[at]) > most - 5000, `${left[at]} of ${most} are left`);
      }
      await take([{ ...BUCKET, key: "nobody", cost: -5 }], LATER);
      assert.equal(await redis.exists("limits:b:nobody"), 0);
    });
  });

  test("has forgotten all buckets after the server was started again without its data", async () => {
    await withServer(async (redis) => {
      const { take } = redisBuckets(redis);
      await take([{ ...BUCKET, cost: 5 }], LATER);
      assert.notEqual((await take([BUCKET], LATER))[0], null);
      await redis.flushall();
      assert.deepEqual(await take([BUCKET], LATER), [null]);
    });
  });

  test("says that the server may evict, and what that means", async () => {
    await withServer(async (redis) => {
      const adapter = withBuckets(memoryAdapter(), redisBuckets(redis));
      assert.match((await adapter.findProblems()).join(), /limits.*"allkeys-lru".*forgotten.*set it to "noeviction"$/);
    }, { maxmemory: "3mb", "maxmemory-policy": "allkeys-lru" });
    await withServer(async (redis) => {
      assert.deepEqual(await withBuckets(memoryAdapter(), redisBuckets(redis)).findProblems(), []);
    });
  });
});
