/** Sessions in Redis, on a real server and through each client. */
import { after, before, describe, test } from "node:test";
import { Redis as Upstash } from "@upstash/redis";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { conformanceCases, type OpenedAdapter } from "../../../adapters/conformance.ts";
import { memoryAdapter } from "../../../adapters/memory.ts";
import { type RedisClient, redisSessions } from "../../../adapters/redis.ts";
import { withSessions } from "../../../adapters/sessions.ts";
import { sqliteAdapter } from "../../../adapters/sqlite.ts";
import {
  findRedis,
  type Listening,
  type RedisServer,
  skipsWithoutRedis,
  startRedis,
  upstashProxy,
} from "../../_support/redis.ts";

const command = findRedis();
const skip = skipsWithoutRedis(command, "The tests of sessions in Redis");

const CLIENTS = ["ioredis", "redis", "@upstash/redis"] as const;

for (const name of CLIENTS) {
  describe(`redisSessions() through ${name}`, { skip }, () => {
    let server: RedisServer;
    let proxy: Listening;
    let client: RedisClient;
    const closing: (() => unknown)[] = [];
    let cases = 0;
    before(async () => {
      server = await startRedis(command);
      if (name === "ioredis") {
        const redis = new Redis(server.url);
        closing.push(() => redis.disconnect());
        client = redis;
      } else if (name === "redis") {
        const redis = createClient({ url: server.url });
        redis.on("error", () => {});
        await redis.connect();
        closing.push(() => redis.destroy());
        client = redis;
      } else {
        proxy = await upstashProxy(server.url);
        closing.push(() => proxy.close());
        client = new Upstash({ url: proxy.url, token: "none", retry: false });
      }
    });
    after(async () => {
      for (const close of closing) await close();
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
      if (isAboutSessions(each.name)) test(each.name, each.run);
    }
    if (name === "@upstash/redis") return;
    for (const each of conformanceCases(() => open("sqlite"))) {
      if (isAboutSessions(each.name)) test(`with SQLite: ${each.name}`, each.run);
    }
  });
}

function isAboutSessions(name: string): boolean {
  return /[Ss]ession|commit\(\)|while the address/.test(name);
}
