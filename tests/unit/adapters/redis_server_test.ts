/** Sessions in Redis, on a real server and through each client. */
import { after, before, describe, test } from "node:test";
import { Redis as Upstash } from "@upstash/redis";
import { Cluster, Redis } from "ioredis";
import { createClient, createCluster } from "redis";
import { conformanceCases, type OpenedAdapter } from "../../../adapters/conformance.ts";
import { memoryAdapter } from "../../../adapters/memory.ts";
import { redisBuckets, type RedisClient, redisSessions, withBuckets } from "../../../adapters/redis.ts";
import { withSessions } from "../../../adapters/sessions.ts";
import { sqliteAdapter } from "../../../adapters/sqlite.ts";
import { findRedis, type RedisServer, skipsWithoutRedis, startRedis, upstashProxy } from "../../_support/redis.ts";

const command = findRedis();
const skip = skipsWithoutRedis(command, "The tests of sessions in Redis");

const CLIENTS = ["ioredis", "redis", "@upstash/redis", "a cluster of ioredis", "a cluster of redis"] as const;

/** A cluster of one server. It refuses commands and programs about keys that may be on different ones. */
const CLUSTER = { "cluster-enabled": "yes", "cluster-announce-ip": "127.0.0.1" };

/** Connects each client. */
const CONNECT: Readonly<
  Record<typeof CLIENTS[number], (url: string) => Promise<{ client: RedisClient; close: () => unknown }>>
> = {
  ioredis: (url) => {
    const client = new Redis(url);
    return Promise.resolve({ client, close: () => client.disconnect() });
  },
  async redis(url) {
    const client = await createClient({ url }).on("error", () => {}).connect();
    return { client, close: () => client.destroy() };
  },
  async "@upstash/redis"(url) {
    const proxy = await upstashProxy(url);
    return { client: new Upstash({ url: proxy.url, token: "none", retry: false }), close: () => proxy.close() };
  },
  async "a cluster of ioredis"(url) {
    await takeAllSlots(url);
    const client = new Cluster([url]);
    return { client, close: () => client.disconnect() };
  },
  async "a cluster of redis"(url) {
    await takeAllSlots(url);
    const client = await createCluster({ rootNodes: [{ url }] }).on("error", () => {}).connect();
    return { client, close: () => client.destroy() };
  },
};

async function takeAllSlots(url: string): Promise<void> {
  const redis = new Redis(url);
  await redis.call("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
  while (!/cluster_state:ok/.test(String(await redis.call("CLUSTER", "INFO")))) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  redis.disconnect();
}

for (const name of CLIENTS) {
  describe(`redisSessions() through ${name}`, { skip }, () => {
    let server: RedisServer;
    const isCluster = name.includes("cluster");
    let client: RedisClient;
    let close: () => unknown;
    let cases = 0;
    before(async () => {
      server = await startRedis(command, isCluster ? CLUSTER : {});
      const opened = await CONNECT[name](server.url);
      client = opened.client;
      close = opened.close;
    });
    after(async () => {
      await close();
      await server.stop();
    });

    const open = (kind: "memory" | "sqlite"): OpenedAdapter => {
      let clock = Date.UTC(2031, 0, 1);
      const now = () => clock;
      const sessions = redisSessions(client, { prefix: `case-${cases++}:` });
      const set = (milliseconds: number) => void (clock = milliseconds);
      if (kind === "memory") return { adapter: withSessions(memoryAdapter({ now }), sessions), now: { set } };
      const adapter = sqliteAdapter(":memory:", { now });
      return { adapter: withSessions(adapter, sessions), now: { set }, close: () => adapter.close() };
    };
    for (const each of conformanceCases(() => open("memory"))) {
      if (isCluster ? /Sessions?\w*\(\)/.test(each.name) : isAboutSessions(each.name)) test(each.name, each.run);
    }
    if (name !== "ioredis" && name !== "redis") return;
    for (const each of conformanceCases(() => open("sqlite"))) {
      if (isAboutSessions(each.name)) test(`with SQLite: ${each.name}`, each.run);
    }
  });
}

function isAboutSessions(name: string): boolean {
  return /[Ss]ession|commit\(\)|while the address/.test(name);
}

for (const name of CLIENTS) {
  describe(`redisBuckets() through ${name}`, { skip }, () => {
    let server: RedisServer;
    let client: RedisClient;
    let close: () => unknown;
    let cases = 0;
    before(async () => {
      server = await startRedis(command, name.includes("cluster") ? CLUSTER : {});
      const opened = await CONNECT[name](server.url);
      client = opened.client;
      close = opened.close;
    });
    after(async () => {
      await close();
      await server.stop();
    });

    const open = (): OpenedAdapter => {
      return { adapter: withBuckets(memoryAdapter(), redisBuckets(client, { prefix: `case-${cases++}:` })) };
    };
    for (const each of conformanceCases(open)) {
      if (/take\(\)|[Bb]ucket|A clock|give back at once/.test(each.name)) test(each.name, each.run);
    }
  });
}
