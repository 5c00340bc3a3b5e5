/**
 * Stored sessions, and buckets of limits, in Redis or Valkey.
 *
 * | key                            | value                                                              |
 * | ------------------------------ | ------------------------------------------------------------------ |
 * | `auth:s:` and a hash           | of a token: whose session it is                                    |
 * | `auth:u:` and the id of a user | the sessions of the user: a hash, by the hashes of their tokens    |
 * | `auth:p:` and a hash           | of an id at a provider: which sessions have it, for their logout   |
 * | `auth:b:` and the key          | when a bucket will be full, in milliseconds since 1970             |
 *
 * A session is read where it is in all of them. So each key that is lost, or not yet written, ends sessions, and none
 * brings one back. Each program reads and writes one key, so they run in a cluster, and no key has to be beside another.
 *
 * @module
 */
import type { Adapter, AdapterSession, Bucket, CheckedAdapter } from "../src/contract/adapter.ts";
import { answersOf, askedOf } from "../src/contract/buckets.ts";
import { applyChanges } from "../src/contract/commit.ts";
import { methodsOf } from "../src/contract/methods.ts";
import type { KeptSession, KeptSessionStore } from "../src/contract/sessions_apart.ts";
import { AdapterError, InvalidConfig } from "../src/kernel/errors.ts";
import { systemRuntime } from "../src/kernel/runtime.ts";
import { type Redis, type RedisClient, redisOf } from "./redis/client.ts";
import {
  decodeKept,
  decodePointer,
  encodeKept,
  encodePointer,
  encodeSession,
  fieldOf,
  type RedisPlace,
  sidOf,
  sidOfSession,
} from "./redis/layout.ts";
import { ADD, ADD_MEMBER, END, PUT_BACK, REMOVE, SET_ASIDE, TAKE, UPDATE } from "./redis/scripts.ts";

export type { IoRedisLike, NodeRedisClusterLike, NodeRedisLike, RedisClient, UpstashLike } from "./redis/client.ts";
export type { KeptSession, KeptSessionStore, SessionPlace, StayingSession } from "../src/contract/sessions_apart.ts";

/** Options of {@linkcode redisSessions} and {@linkcode redisBuckets}. */
export interface RedisSessionsOptions {
  /** The beginning of every key. Services with different prefixes do not see each other. @default {"auth:"} */
  readonly prefix?: string | undefined;
  /** Seconds to wait for each answer of Redis. @default {5} */
  readonly timeout?: number | undefined;
}

/** Milliseconds that a session stays after its end, as the service may still ask when it was. */
const GRACE = 24 * 60 * 60 * 1000;

/** Times that a change is tried again because another request has changed the same session. */
const MAX_TRIES = 50;

/**
 * Keeps sessions in Redis or Valkey, for `withSessions()`.
 *
 * Redis removes sessions some time after they have expired. Use `maxmemory-policy noeviction`: `auth.check()` says so if
 * there is another one, because it would sign people out to make room. Tokens are stored as the databases store them; keys
 * hold hashes of them.
 *
 * @example Usage
 * ```ts
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 * import { redisSessions } from "@x/auth/adapters/redis";
 * import { withSessions } from "@x/auth/adapters/sessions";
 * import { createClient } from "redis";
 *
 * const client = createClient({ url: "redis://localhost" });
 * client.on("error", (error: Error) => console.error(error.message));
 * const adapter = withSessions(memoryAdapter(), redisSessions(client));
 *
 * async function start() {
 *   await client.connect();
 * }
 * ```
 *
 * @param client A client of `ioredis`, `redis` or `@upstash/redis`, which you connect and close.
 * @param options The prefix of keys, and how long to wait.
 * @returns The sessions. Pass them to `withSessions()`. Its methods throw `AdapterError` if Redis fails, without the
 * values that were sent.
 * @throws {InvalidConfig} if it is no such client, for example a URL.
 */
export function redisSessions(client: RedisClient, options: RedisSessionsOptions = {}): KeptSessionStore {
  const { prefix = "auth:", timeout = 5 } = options;
  const redis = redisOf(client, timeout);
  const keys: Keys = {
    pointer: (field) => `${prefix}s:${field}`,
    user: (userId) => `${prefix}u:${userId}`,
    sid: (sid) => `${prefix}p:${sid}`,
  };
  const sessions = { redis, keys };
  return {
    locate: (sessionToken) => locate(sessions, sessionToken),
    read: (place) => read(sessions, place as RedisPlace),
    add: (kept) => add(sessions, kept),
    update: (place, changes) => update(sessions, place as RedisPlace, changes),
    remove: (place) => remove(sessions, place as RedisPlace),
    setAside: async ({ userId, sessionToken }, by) => {
      await redis.run(SET_ASIDE, keys.user(userId), await fieldOf(sessionToken), by);
    },
    putBack: async ({ userId, sessionToken }, by) => {
      await redis.run(PUT_BACK, keys.user(userId), await fieldOf(sessionToken), by);
    },
    end: async (userId, staying) => {
      const field = staying ? await fieldOf(staying.sessionToken) : "";
      await redis.run(END, keys.user(userId), field, JSON.stringify(staying?.epochs ?? []));
    },
    listByUserId: async (userId) => {
      return (await redis.list("HVALS", keys.user(userId))).flatMap((stored) => decodeKept(stored)?.kept ?? []);
    },
    listByProviderSid: async (key) => {
      const members = (await redis.list("SMEMBERS", keys.sid(await sidOf(key)))).map(decodePointer);
      const found = await Promise.all(members.map(async (member) => {
        return member && decodeKept(await redis.send("HGET", keys.user(member.userId), member.other ?? ""))?.kept;
      }));
      return found.flatMap((kept) => {
        return kept?.session.provider === key.provider && kept.session.providerSid === key.sid ? [kept] : [];
      });
    },
    findProblems: () => problemsOf(redis, "sessions", "people are signed out"),
  };
}

/** Buckets of limits beside an adapter. */
export type BucketStore = Required<Pick<Adapter, "take">> & Partial<CheckedAdapter>;

/** Milliseconds that a bucket is kept after it is full: the clocks of several machines differ. */
const BUCKET_GRACE = 60 * 1000;

/**
 * Keeps buckets of limits in Redis or Valkey, for {@linkcode withBuckets}.
 *
 * Each bucket is one key, which Redis removes a minute after it is full. A server that is started again without its data
 * has forgotten all of them: everybody may try as often as if they had not tried before. Use
 * `maxmemory-policy noeviction`: `auth.check()` says so if there is another one, because a stranger who fills the memory
 * would make Redis forget buckets.
 *
 * @example Usage
 * ```ts
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 * import { redisBuckets, withBuckets } from "@x/auth/adapters/redis";
 * import { createClient } from "redis";
 *
 * const client = createClient({ url: "redis://localhost" });
 * client.on("error", (error: Error) => console.error(error.message));
 * const adapter = withBuckets(memoryAdapter(), redisBuckets(client));
 *
 * async function start() {
 *   await client.connect();
 * }
 * ```
 *
 * @param client A client of `ioredis`, `redis` or `@upstash/redis`, which you connect and close.
 * @param options The prefix of keys, and how long to wait.
 * @returns The buckets. Pass them to `withBuckets()`. `take` throws `AdapterError` if Redis fails.
 * @throws {InvalidConfig} if it is no such client, for example a URL.
 */
export function redisBuckets(client: RedisClient, options: RedisSessionsOptions = {}): BucketStore {
  const { prefix = "auth:", timeout = 5 } = options;
  const redis = redisOf(client, timeout);
  return {
    take: (buckets, now) => takeFrom(redis, `${prefix}b:`, { buckets, now }),
    findProblems: () => problemsOf(redis, "limits", "they are forgotten"),
  };
}

// One program for each bucket: in a cluster they may be on different servers. All are sent at once.
async function takeFrom(
  redis: Redis,
  prefix: string,
  { buckets, now }: { readonly buckets: readonly Bucket[]; readonly now: Date },
): Promise<readonly (Date | null)[]> {
  const refused = new Map<string, number>();
  await Promise.all(
    askedOf(buckets, now).map(async ({ key, step, least, most }) => {
      const keptFrom = now.getTime() - BUCKET_GRACE;
      const time = await redis.run(TAKE, prefix + key, ...[step, least, most, keptFrom].map(String));
      if (time !== "0") refused.set(key, Number(time));
    }),
  );
  return answersOf(buckets, now, refused);
}

/**
 * Keeps the buckets of limits in a place of their own, such as Redis. All else stays where it is, sessions too.
 *
 * @example Usage
 * ```ts
 * import { memoryAdapter } from "@x/auth/adapters/memory";
 * import { redisBuckets, redisSessions, withBuckets } from "@x/auth/adapters/redis";
 * import { withSessions } from "@x/auth/adapters/sessions";
 * import { Redis } from "ioredis";
 *
 * export function adapterWith(client: Redis) {
 *   return withBuckets(withSessions(memoryAdapter(), redisSessions(client)), redisBuckets(client));
 * }
 * ```
 *
 * @param adapter The adapter, which keeps all of its other operations.
 * @param buckets Where buckets are: `redisBuckets(client)`.
 * @returns An adapter whose buckets are there.
 * @throws {InvalidConfig} if `buckets` is something else, such as the client of Redis.
 */
export function withBuckets<Given extends Adapter>(
  adapter: Given,
  buckets: BucketStore,
): Given & Required<Pick<Adapter, "take">> & CheckedAdapter {
  if (typeof (buckets as Partial<BucketStore> | undefined)?.take !== "function") {
    throw new InvalidConfig("Cannot use buckets: pass what `redisBuckets(client)` returns", {
      logCode: "driver-unusable",
    });
  }
  const own: BucketStore = {
    take: (asked, now) => buckets.take(asked, now),
    findProblems: async () => {
      const stores: readonly Partial<CheckedAdapter>[] = [adapter as Partial<CheckedAdapter>, buckets];
      return (await Promise.all(stores.map((store) => store.findProblems?.() ?? []))).flat();
    },
  };
  const operations: unknown = { ...methodsOf(adapter), ...own };
  // All methods of the adapter, and those on buckets.
  return operations as Given & Required<Pick<Adapter, "take">> & CheckedAdapter;
}

interface Keys {
  readonly pointer: (field: string) => string;
  readonly user: (userId: string) => string;
  readonly sid: (sid: string) => string;
}

interface Sessions {
  readonly redis: Redis;
  readonly keys: Keys;
}

async function locate({ redis, keys }: Sessions, sessionToken: string): Promise<RedisPlace | null> {
  const field = await fieldOf(sessionToken);
  const pointer = decodePointer(await redis.send("GET", keys.pointer(field)));
  return pointer && { userId: pointer.userId, sessionToken, field, sid: pointer.other };
}

async function read({ redis, keys }: Sessions, { userId, field, sid }: RedisPlace): Promise<KeptSession | null> {
  const [stored, isMember] = await Promise.all([
    redis.send("HGET", keys.user(userId), field),
    // A logout at the provider would not find it any more.
    sid === null ? "1" : redis.send("SISMEMBER", keys.sid(sid), encodePointer(userId, field)),
  ]);
  return isMember === "1" ? decodeKept(stored)?.kept ?? null : null;
}

// Last of all where the session is listed: it is not seen before it can be used.
async function add(sessions: Sessions, kept: KeptSession): Promise<boolean> {
  const { redis, keys } = sessions;
  const { session } = kept;
  const field = await fieldOf(session.sessionToken);
  await point(sessions, session, { field, sid: await sidOfSession(session) });
  const times = timesOf(session.expires);
  const added = await redis.run(ADD, keys.user(session.userId), ...times, field, encodeKept(kept), lapsed());
  return added === "1";
}

/** Writes by what a session is found. */
async function point(
  { redis, keys }: Sessions,
  { userId, expires }: AdapterSession,
  { field, sid }: Pick<RedisPlace, "field" | "sid">,
): Promise<void> {
  const [until, now] = timesOf(expires);
  await Promise.all([
    redis.send("SET", keys.pointer(field), encodePointer(userId, sid), "PXAT", until),
    sid !== null && redis.run(ADD_MEMBER, keys.sid(sid), until, now, encodePointer(userId, field)),
  ]);
}

async function update(
  sessions: Sessions,
  place: RedisPlace,
  { sessionToken: _, userId: _user, ...changes }: Partial<AdapterSession>,
): Promise<KeptSession | null> {
  const { redis, keys } = sessions;
  const { userId, field } = place;
  const { expires, ...others } = changes;
  const hasOthers = Object.keys(others).length > 0;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    // Only when it expires can be changed without a look.
    const before = hasOthers || !expires ? decodeKept(await redis.send("HGET", keys.user(userId), field)) : null;
    if (!before && (hasOthers || !expires)) return null;
    const session = before && applyChanges(before.kept.session, changes);
    const until = expires ?? session?.expires ?? new Date(0);
    const sid = session ? await sidOfSession(session) : place.sid;
    await point(sessions, { userId, expires: until, sessionToken: place.sessionToken }, { field, sid });
    const stored = await redis.run(
      UPDATE,
      keys.user(userId),
      ...timesOf(until),
      field,
      expires ? String(expires.getTime()) : "",
      session ? encodeSession(session) : "",
      before?.text ?? "",
    );
    if (stored === "") continue;
    if (place.sid !== null && place.sid !== sid) await forget(sessions, place);
    return decodeKept(stored)?.kept ?? null;
  }
  throw new AdapterError("Cannot change session: other requests change it all the time");
}

async function remove(sessions: Sessions, place: RedisPlace): Promise<AdapterSession | null> {
  const { redis, keys } = sessions;
  const stored = await redis.run(REMOVE, keys.user(place.userId), place.field);
  await Promise.all([redis.send("DEL", keys.pointer(place.field)), forget(sessions, place)]);
  return decodeKept(stored)?.kept.session ?? null;
}

/** Removes a session from those with its id at a provider. */
async function forget({ redis, keys }: Sessions, { userId, field, sid }: RedisPlace): Promise<void> {
  if (sid !== null) await redis.send("SREM", keys.sid(sid), encodePointer(userId, field));
}

/** Until when a key has to live, and the time, in milliseconds since 1970. */
function timesOf(expires: Date): [until: string, now: string] {
  const now = systemRuntime.now();
  return [String(Math.max(expires.getTime(), now) + GRACE), String(now)];
}

/** The time at which sessions that are not needed any more have expired. */
function lapsed(): string {
  return String(systemRuntime.now() - GRACE);
}

// Not every service answers that.
async function problemsOf(redis: Redis, what: string, harm: string): Promise<string[]> {
  const facts = await redis.info("memory").catch(() => null);
  const policy = /^maxmemory_policy:([\w-]+)/m.exec(facts ?? "")?.[1];
  if (policy === undefined || policy === "noeviction") return [];
  return [
    `Cannot keep ${what} in Redis: its \`maxmemory-policy\` is "${policy}", so ${harm} when memory is short; set it to ` +
    '"noeviction"',
  ];
}
