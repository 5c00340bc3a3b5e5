/** What is specific to sessions in Redis: what it loses, when it cannot be asked, and what it shows. */
import assert from "node:assert/strict";
import process from "node:process";
import { after, before, beforeEach, describe, test } from "node:test";
import { inspect } from "node:util";
import { Redis as Upstash } from "@upstash/redis";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { memoryAdapter } from "../../../adapters/memory.ts";
import { type RedisClient, redisSessions } from "../../../adapters/redis.ts";
import { withSessions } from "../../../adapters/sessions.ts";
import type { CompleteAdapter, Plan } from "../../../src/contract/adapter.ts";
import { AdapterError, InvalidConfig } from "../../../src/kernel/errors.ts";
import {
  droppingProxy,
  findRedis,
  type RedisServer,
  skipsWithoutRedis,
  startRedis,
  upstashProxy,
} from "../../_support/redis.ts";
import { freePort } from "../../_support/free_port.ts";
import { printLine } from "../../../scripts/print.ts";

const command = findRedis();
const skip = skipsWithoutRedis(command, "The tests of what Redis loses");

const ADA = { id: "ada", email: "ada@example.com", emailVerified: null };
const HOUR = 60 * 60 * 1000;
const SECRET = "a-token-that-nobody-may-see";

function sessionOf(sessionToken: string, others: object = {}) {
  return { sessionToken, userId: "ada", expires: new Date(Date.now() + 10 * HOUR), ...others };
}

const AT_IDP = { provider: "idp", providerSid: "p" };

function service(client: RedisClient, storage: CompleteAdapter = memoryAdapter(), timeout = 5) {
  return withSessions(storage, redisSessions(client, { timeout })) as CompleteAdapter;
}

async function usable(adapter: CompleteAdapter, ...tokens: readonly string[]): Promise<string[]> {
  const found = await Promise.all(tokens.map(async (token) => (await adapter.getSessionAndUser(token)) && token));
  return found.filter((token) => token !== null);
}

/** The same adapter, which is told before each call. */
function dyingBy(storage: CompleteAdapter, die: () => void): CompleteAdapter {
  return new Proxy(storage, {
    get: (_, name) => {
      const operation: unknown = Reflect.get(storage, name);
      if (typeof operation !== "function") return operation;
      return (...args: readonly unknown[]) => {
        die();
        return operation.apply(storage, args);
      };
    },
  });
}

async function untilReady(client: Redis): Promise<void> {
  for (let tries = 0; client.status !== "ready" && tries < 200; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function say(what: string): void {
  process.stderr.write(`  ${what}\n`);
}

/** Everything that an error shows, whoever prints it. */
function shown(error: unknown): string {
  return inspect(error, { depth: 20, showHidden: true });
}

test("redisSessions() refuses what is no client, without showing it", () => {
  const url = "redis://user:password@localhost";
  for (const other of [url, new URL(url), {}, null, undefined, Redis, Promise.resolve({})]) {
    assert.throws(() => redisSessions(other as never), (error) => {
      return error instanceof InvalidConfig && error.logCode === "driver-unusable" &&
        !shown(error).includes("password");
    });
  }
  assert.throws(() => redisSessions(Promise.resolve() as never), /`await` it/);
});

test("redisSessions() throws an error without what was sent, if there is no server or it does not answer", async () => {
  const url = `redis://127.0.0.1:${await freePort()}`;
  const lost = new Redis(url, { maxRetriesPerRequest: 0, retryStrategy: () => null });
  lost.on("error", () => {});
  const closed = createClient({ url });
  const upstash = new Upstash({ url: url.replace("redis", "http"), token: "none", retry: false });
  const leaky = {
    call: () => Promise.reject(Object.assign(new Error(`ERR wrong: '${SECRET}'`), { command: { args: [SECRET] } })),
  };
  const odd = { call: () => Promise.resolve({ session: SECRET }) };
  for (const client of [lost, closed, upstash, leaky, odd]) {
    const storage = memoryAdapter();
    await storage.createUser(ADA);
    const adapter = service(client, storage, 0.3);
    const asked = [
      () => adapter.getSessionAndUser(SECRET),
      () => adapter.createSession(sessionOf(SECRET)),
      () => adapter.updateSession({ sessionToken: SECRET, expires: new Date() }),
      () => adapter.deleteSession(SECRET),
      () => adapter.listSessionsByUserId("ada"),
      () => adapter.deleteSessionsByUserId("ada"),
      () => adapter.commit({ expect: { session: { sessionToken: SECRET, userId: "ada" } } }),
    ];
    await Promise.all(asked.map((ask) =>
      assert.rejects(async () => await ask(), (error) => {
        assert.ok(error instanceof AdapterError && /^Cannot use Redis: \w/.test(error.message), shown(error));
        return !shown(error).includes(SECRET);
      })
    ));
  }
  lost.disconnect();
});

test("redisSessions() waits no longer than it is told for a server that does not answer", async () => {
  const adapter = service({ call: () => new Promise(() => {}) }, memoryAdapter(), 0.1);
  await assert.rejects(
    async () => await adapter.getSessionAndUser("s"),
    /^AdapterError: .*did not answer within 0.1 s$/,
  );
});

describe("redisSessions()", { skip }, () => {
  let server: RedisServer;
  let redis: Redis;
  before(async () => {
    server = await startRedis(command);
    redis = new Redis(server.url);
  });
  after(async () => {
    redis.disconnect();
    await server.stop();
  });
  beforeEach(async () => void await redis.flushall());

  async function started(client: RedisClient = redis, storage = memoryAdapter()) {
    await storage.createUser(ADA);
    return service(client, storage);
  }

  test("lets the server remove what has expired, and lives as long as the session", async () => {
    const adapter = await started();
    await adapter.createSession(sessionOf("s", AT_IDP));
    await adapter.createSession({ ...sessionOf("short", AT_IDP), expires: new Date(Date.now() + HOUR) });
    const livesFor = async () => {
      const keys = (await redis.keys("*")).toSorted();
      return await Promise.all(keys.map(async (key) => {
        return [key.slice(0, 7), Math.round((await redis.pttl(key)) / HOUR)] as const;
      }));
    };
    const hours = (each: Awaited<ReturnType<typeof livesFor>>) => each.map(([key, time]) => `${key}${time}`).toSorted();
    assert.deepEqual(hours(await livesFor()), ["auth:p:34", "auth:s:25", "auth:s:34", "auth:u:34"]);
    await adapter.updateSession({ sessionToken: "s", expires: new Date(Date.now() + 50 * HOUR) });
    assert.deepEqual(hours(await livesFor()), ["auth:p:74", "auth:s:25", "auth:s:74", "auth:u:74"]);
    await adapter.deleteOtherSessions({ userId: "ada", sessionToken: "s" });
    assert.equal(await redis.pttl("auth:u:ada") > 73 * HOUR, true);
  });

  test("forgets sessions of a user that expired long ago, as others are added", async () => {
    const adapter = await started();
    const old = new Date(Date.now() - 30 * 24 * HOUR);
    for (let count = 0; count < 40; count++) await adapter.createSession({ ...sessionOf(`${count}`), expires: old });
    await adapter.createSession(sessionOf("s"));
    assert.ok(await redis.hlen("auth:u:ada") < 5);
    assert.deepEqual(await usable(adapter, "s"), ["s"]);
  });

  test("shows no token in the names of keys and fields", async () => {
    const adapter = await started();
    await adapter.createSession(sessionOf(SECRET, AT_IDP));
    const names = [...await redis.keys("*"), ...await redis.hkeys("auth:u:ada")];
    assert.equal(names.length, 4);
    assert.ok(!names.join().includes(SECRET));
  });

  test("keeps members of all types, and changes them one after the other", async () => {
    const adapter = await started();
    const members = { text: "a\nb", count: 0, none: null, list: [[], {}], when: new Date(1234), deep: { a: [1] } };
    await adapter.createSession(sessionOf("s", members));
    const changes = Array.from({ length: 30 }, (_, at) => ({ sessionToken: "s", [`member${at}`]: at }));
    await Promise.all(changes.map((change) => adapter.updateSession(change)));
    const { sessionToken: _1, userId: _2, expires: _3, ...kept } = (await adapter.getSessionAndUser("s"))?.session ??
      {};
    const added = Object.fromEntries(changes.map((_, at) => [`member${at}`, at]));
    assert.deepEqual(kept, { ...members, ...added });
  });

  test("never brings back a session that is renewed and removed at the same time", async () => {
    const adapter = await started();
    const store = redisSessions(redis);
    for (const changes of [{ expires: new Date(Date.now() + HOUR) }, { device: "phone" }]) {
      await adapter.createSession(sessionOf("s", AT_IDP));
      const place = await store.locate("s");
      assert.ok(place);
      await adapter.deleteSession("s");
      assert.equal(await store.update(place, { sessionToken: "s", ...changes }), null);
      assert.equal(await redis.exists("auth:u:ada"), 0);
    }
  });

  test("runs its programs again when the server has forgotten them", async () => {
    const proxy = await upstashProxy(server.url);
    const clients = [redis, new Upstash({ url: proxy.url, token: "none", retry: false })];
    for (const client of clients) {
      const adapter = await started(client);
      const acts: readonly (() => unknown)[] = [
        () => adapter.createSession(sessionOf("s", AT_IDP)),
        () => adapter.createSession(sessionOf("t")),
        () => adapter.updateSession({ sessionToken: "s", expires: new Date(Date.now() + HOUR) }),
        () => adapter.deleteOtherSessions({ userId: "ada", sessionToken: "s" }),
        () => adapter.commit({ deleteSession: "s", createSession: sessionOf("u") }),
        () => adapter.deleteSessionsByUserId("ada"),
      ];
      for (const act of acts) {
        await redis.script("FLUSH");
        await act();
      }
      assert.deepEqual(await usable(adapter, "s", "t", "u"), []);
    }
    await proxy.close();
  });

  test("ends sessions, and brings none back, whichever key is lost", async () => {
    const adapter = await started();
    let lost = 0;
    for (let at = 0, count = 1; at < count; at++) {
      await redis.flushall();
      for (const token of ["own", "ended", "other"]) await adapter.createSession(sessionOf(token, AT_IDP));
      await adapter.deleteSession("ended");
      await adapter.createSession(sessionOf("plain"));
      const keys = (await redis.keys("*")).toSorted();
      count = keys.length;
      await redis.del(keys[at] ?? "");
      lost++;
      assert.deepEqual(await usable(adapter, "ended"), []);
      const left = await usable(adapter, "own", "other", "plain");
      assert.ok(left.length < 3, keys[at]);
      // What goes on can be found by who ends it: by the user and, with an id at a provider, by that.
      const listed = (await adapter.listSessionsByUserId("ada")).map(({ sessionToken }) => sessionToken);
      const bySid = (await adapter.listSessionsByProviderSid({ provider: "idp", sid: "p" })).map((row) =>
        row.sessionToken
      );
      for (const token of left) {
        assert.ok(listed.includes(token) && (token === "plain" || bySid.includes(token)), token);
      }
      for (const token of ["own", "other", "plain"]) await adapter.deleteSession(token);
      await adapter.deleteSessionsByUserId("ada");
    }
    assert.equal(lost, 5);
  });

  test("signs everybody out, and goes on, when everything is removed in the middle", async () => {
    const adapter = await started();
    await Promise.all(Array.from({ length: 200 }, async (_, at) => {
      if (at === 100) await redis.flushall();
      await adapter.createSession(sessionOf(`${at}`));
      await adapter.updateSession({ sessionToken: `${at}`, expires: new Date(Date.now() + HOUR) });
    }));
    await redis.flushall();
    assert.deepEqual(await usable(adapter, ...Array.from({ length: 200 }, (_, at) => `${at}`)), []);
    await adapter.createSession(sessionOf("new"));
    assert.deepEqual(await usable(adapter, "new"), ["new"]);
  });

  test("ends every session when 64 revocations meet 64 renewals", async () => {
    const adapter = await started();
    const tokens = Array.from({ length: 64 }, (_, at) => `s-${at}`);
    await Promise.all(tokens.map((token) => adapter.createSession(sessionOf(token))));
    const counts = { renewed: 0, late: 0 };
    const [begun, ended] = [new Set<string>(), new Set<string>()];
    const renew = async (token: string, at: number) => {
      for (let round = 0; round < 40; round++) {
        const wasEnded = ended.has(token);
        const expires = new Date(Date.now() + (round + 2) * HOUR);
        const found = await adapter.updateSession({ sessionToken: token, expires, ...(at % 2 && { round }) });
        if (found) counts.renewed++;
        begun.add(token);
        if (found && wasEnded) counts.late++;
        if (!found && ended.has(token)) return;
      }
    };
    const revoke = async (token: string, at: number) => {
      do await new Promise((resolve) => setTimeout(resolve, at)); while (!begun.has(token));
      await adapter.deleteSession(token);
      ended.add(token);
    };
    await Promise.all(tokens.flatMap((token, at) => [renew(token, at), revoke(token, at)]));
    assert.deepEqual(await usable(adapter, ...tokens), []);
    // And all at once.
    await Promise.all(tokens.map((token) => adapter.createSession(sessionOf(token))));
    const all = async () => {
      await adapter.deleteSessionsByUserId("ada");
      for (const token of tokens) ended.add(token);
    };
    ended.clear();
    await Promise.all(tokens.flatMap((token, at) => [renew(token, at), all()]));
    assert.deepEqual(await usable(adapter, ...tokens), []);
    assert.deepEqual(await adapter.listSessionsByUserId("ada"), []);
    assert.ok(counts.renewed >= 64);
    assert.equal(counts.late, 0);
    say(`128 revocations: ${counts.renewed} renewals came before, and 0 of 128 sessions are left`);
  });

  test("leaves no ended session when the process ends at any command", async () => {
    const plan: Plan = {
      expect: { user: { id: "ada", email: ADA.email, emailVerified: null, securityStamp: null } },
      updateUser: { id: "ada", emailVerified: new Date(1700000000000), securityStamp: "new" },
      evict: { userId: "ada", email: ADA.email },
      deleteSession: "own",
      createSession: sessionOf("new", AT_IDP),
    };
    const signIn: Plan = {
      deleteSession: "own",
      createSession: sessionOf("new"),
      updateUser: { id: "ada", name: "A" },
    };
    const counts = { kills: 0, written: 0 };
    for (const [each, ends] of [[plan, ["own", "other"]], [signIn, ["own"]]] as const) {
      for (let calls = 0, isDone = false; !isDone; calls++) {
        await redis.flushall();
        const storage = memoryAdapter();
        const adapter = await started(redis, storage);
        for (const token of ["own", "other"]) await adapter.createSession(sessionOf(token, AT_IDP));
        const before = await storage.getUser("ada");
        let left = calls;
        const die = () => {
          if (left-- <= 0) throw new Error("the process has ended");
        };
        const dying = service({
          call: (command, ...args) => {
            die();
            return redis.call(command, ...args);
          },
        }, dyingBy(storage, die));
        const answer = await Promise.resolve(dying.commit(each)).catch(() => "dead");
        isDone = answer === "done";
        if (!isDone) counts.kills++;
        const isWritten = inspect(await storage.getUser("ada")) !== inspect(before);
        if (isWritten && !isDone) counts.written++;
        const found = await usable(adapter, "own", "other", "new");
        if (isWritten) assert.deepEqual(found.filter((token) => (ends as readonly string[]).includes(token)), []);
        else assert.ok(!found.includes("new"), `${calls} calls: ${found}`);
        if (isDone) assert.ok(found.includes("new"));
      }
    }
    assert.ok(counts.written > 3);
    say(`${counts.kills} kills, ${counts.written} of them after the transaction: 0 ended sessions live`);
  });

  test("stores nothing that ended when connections are dropped at any command", async () => {
    const proxy = await droppingProxy(server.url);
    const counts = { runs: 0, failed: 0, drops: 0 };
    const ways = (["before", "after"] as const).flatMap((when) => [0, 1].map((retries) => ({ when, retries })));
    for (const { when, retries } of ways) {
      const client = new Redis(proxy.url, { maxRetriesPerRequest: retries, retryStrategy: () => 1 });
      client.on("error", () => {});
      for (let piece = 1, isOver = false; !isOver; piece++) {
        await redis.flushall();
        const storage = memoryAdapter();
        await storage.createUser(ADA);
        const own = service(redis, storage);
        for (const token of ["a", "b", "c", "d"]) await own.createSession(sessionOf(token, AT_IDP));
        const adapter = service(client, storage);
        await untilReady(client);
        const before = proxy.drops;
        proxy.dropAt(piece, when);
        const ended = new Set<string>();
        const attempt = async (tokens: readonly string[], act: () => unknown) => {
          try {
            await act();
            for (const token of tokens) ended.add(token);
          } catch (error) {
            assert.ok(error instanceof AdapterError, shown(error));
            counts.failed++;
          }
        };
        await attempt(["a"], () => adapter.deleteSession("a"));
        await attempt([], () => adapter.updateSession({ sessionToken: "b", expires: new Date(Date.now() + 2 * HOUR) }));
        await attempt(["b"], async () => {
          assert.equal(await adapter.commit({ deleteSession: "b", createSession: sessionOf("new") }), "done");
        });
        await attempt(["c"], () => adapter.deleteOtherSessions({ userId: "ada", sessionToken: "d" }));
        const left = await usable(own, "a", "b", "c");
        assert.deepEqual(left.filter((token) => ended.has(token)), [], `${when} piece ${piece}`);
        await attempt(["a", "b", "c", "d", "new"], () => adapter.deleteSessionsByUserId("ada"));
        // The database ends them even if Redis did not hear of it.
        assert.deepEqual(await usable(own, "a", "b", "c", "d", "new"), [], `${when} piece ${piece}`);
        counts.runs++;
        counts.drops += proxy.drops - before;
        isOver = proxy.drops === before;
      }
      proxy.dropAt(Infinity, "before");
      client.disconnect();
    }
    await proxy.close();
    assert.ok(counts.drops >= 40 && counts.failed >= 10);
    printLine(
      `  ${counts.drops} dropped connections in ${counts.runs} runs: ${counts.failed} operations failed, 0 ended sessions live`,
    );
  });
});

describe("redisSessions() on a server of its own", { skip }, () => {
  async function withServer(
    settings: Readonly<Record<string, string>>,
    run: (server: RedisServer, redis: Redis) => Promise<void>,
  ): Promise<void> {
    const server = await startRedis(command, settings);
    const redis = new Redis(server.url, { retryStrategy: () => 20 });
    redis.on("error", () => {});
    try {
      await run(server, redis);
    } finally {
      redis.disconnect();
      await server.stop();
    }
  }

  test("signs everybody out by a restart without persistence, and nothing else", async () => {
    await withServer({}, async (server, redis) => {
      const storage = memoryAdapter();
      await storage.createUser(ADA);
      const adapter = service(redis, storage);
      await adapter.createSession(sessionOf("s"));
      await server.restart();
      assert.deepEqual(await usable(adapter, "s"), []);
      assert.equal((await adapter.getUser("ada"))?.email, ADA.email);
      await adapter.createSession(sessionOf("t"));
      assert.deepEqual(await usable(adapter, "s", "t"), ["t"]);
    });
  });

  test("ends what was ended before a crash, although the server comes back as it was before that", async () => {
    await withServer({ appendonly: "no" }, async (server, redis) => {
      const storage = memoryAdapter();
      for (const id of ["ada", "bob", "eve", "dan"]) {
        await storage.createUser({ id, email: `${id}@example.com`, emailVerified: null });
      }
      const adapter = service(redis, storage);
      for (const userId of ["ada", "bob", "eve", "dan"]) {
        for (const name of ["one", "two"]) {
          await adapter.createSession({ ...sessionOf(`${userId}-${name}`), userId });
        }
      }
      await redis.save();
      await adapter.deleteSessionsByUserId("ada");
      await adapter.commit({
        evict: { userId: "bob", email: null },
        createSession: { ...sessionOf("new"), userId: "bob" },
      });
      await adapter.deleteUser("eve");
      await adapter.createUser({ id: "eve", email: "eve@example.com", emailVerified: null });
      await adapter.deleteOtherSessions({ userId: "dan", sessionToken: "dan-one" });
      await server.restart();
      assert.equal(await redis.hlen("auth:u:ada"), 2);
      const tokens = ["ada", "bob", "eve", "dan"].flatMap((id) => [`${id}-one`, `${id}-two`]);
      assert.deepEqual(await usable(adapter, ...tokens, "new"), []);
    });
  });

  test("says that the server may evict, and brings back nothing that ended when it does", async () => {
    await withServer({ maxmemory: "3mb", "maxmemory-policy": "allkeys-random" }, async (_, redis) => {
      const storage = memoryAdapter();
      const adapter = service(redis, storage);
      const [problem = "", ...others] = await withSessions(storage, redisSessions(redis)).findProblems();
      assert.match(problem, /`maxmemory-policy` is "allkeys-random".* set it to "noeviction"/);
      assert.deepEqual(others, []);
      const ended: string[] = [];
      const open: string[] = [];
      for (let at = 0; at < 60; at++) {
        const id = `user-${at}`;
        await storage.createUser({ id, email: `${id}@example.com`, emailVerified: null });
        for (let count = 0; count < 30; count++) {
          const token = `${id}-${count}`;
          const session = { ...sessionOf(token, { ...AT_IDP, note: "x".repeat(2000) }), userId: id };
          await adapter.createSession(session);
          (at % 2 ? ended : open).push(token);
        }
        if (at % 4 === 1) await adapter.deleteSessionsByUserId(id);
        if (at % 4 === 3) { for (let count = 0; count < 30; count++) await adapter.deleteSession(`${id}-${count}`); }
      }
      const evicted = Number(/evicted_keys:(\d+)/.exec(await redis.info("stats"))?.[1]);
      assert.ok(evicted > 0);
      assert.deepEqual(await usable(adapter, ...ended), []);
      const left = await usable(adapter, ...open);
      printLine(
        `  ${evicted} keys evicted: ${left.length} of ${open.length} sessions are left, and 0 of ${ended.length} that ended`,
      );
    });
  });

  test("says nothing of a server that does not evict, or that does not tell", async () => {
    await withServer({}, async (server, redis) => {
      const client = createClient({ url: server.url });
      await client.connect();
      const silent = { call: () => Promise.reject(new Error("NOPERM")) };
      const upstash = new Upstash({ url: "http://localhost", token: "none" });
      for (const each of [redis, client, silent, upstash]) {
        assert.deepEqual(await redisSessions(each).findProblems?.(), []);
      }
      client.destroy();
    });
  });

  test("fails while the server is away, and goes on when it is back", async () => {
    await withServer({}, async (server) => {
      const client = new Redis(server.url, { maxRetriesPerRequest: 0, retryStrategy: () => 20 });
      client.on("error", () => {});
      const storage = memoryAdapter();
      await storage.createUser(ADA);
      const adapter = service(client, storage);
      await adapter.createSession(sessionOf("s"));
      await server.kill();
      await assert.rejects(async () => await adapter.getSessionAndUser("s"), AdapterError);
      await assert.rejects(async () => await adapter.deleteSessionsByUserId("ada"), AdapterError);
      await server.restart();
      await untilReady(client);
      await adapter.createSession(sessionOf("t"));
      assert.deepEqual(await usable(adapter, "s", "t"), ["t"]);
      client.disconnect();
    });
  });
});
