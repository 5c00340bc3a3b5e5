import type { Mutant } from "./_mutant.ts";

const MEMORY = ["tests/unit/adapters/memory_test.ts"];
const SQLITE = ["tests/unit/adapters/sqlite_test.ts"];
const KV = ["tests/unit/adapters/deno_kv_test.ts"];
const REDIS = ["tests/unit/adapters/redis_server_test.ts"];
const MYSQL = ["tests/unit/adapters/mysql_test.ts"];
const POSTGRES = ["tests/unit/adapters/postgres_server_test.ts"];
const HISTORIES = ["tests/unit/contract/buckets_in_memory_test.ts"];
const RULES = "src/contract/buckets.ts";
const SQL = "adapters/sql/bucket_statements.ts";
const IN_MEMORY = "src/contract/buckets_in_memory.ts";

/** Buckets of limits. */
export const buckets: readonly Mutant[] = [
  {
    name: "LIM-1: a bucket gives one token less than it holds",
    file: RULES,
    find: "return time <= most ? Math.max(time + step, least) : null;",
    replace: "return time < most ? Math.max(time + step, least) : null;",
    tests: MEMORY,
  },
  {
    name: "LIM-1: a bucket that nobody uses saves up tokens",
    file: RULES,
    find: "return time <= most ? Math.max(time + step, least) : null;",
    replace: "return time <= most ? (time === 0 ? least : time + step) : null;",
    tests: MEMORY,
  },
  {
    name: "LIM-1: what is given back makes a bucket fuller than full",
    file: RULES,
    find: "least: Math.max(now + step, now),",
    replace: "least: now + step,",
    tests: MEMORY,
  },
  {
    name: "LIM-1: to give back by a clock that is fast takes tokens",
    file: RULES,
    find: "if (step < 0 && time <= least) return time;",
    replace: "",
    tests: MEMORY,
  },
  {
    name: "LIM-1: to give back is refused",
    file: RULES,
    find: "most: step < 0 ? Number.MAX_SAFE_INTEGER : now + burst * every - step,",
    replace: "most: now + burst * every + step,",
    tests: MEMORY,
  },
  {
    name: "LIM-1: two buckets of one key are taken from in one call",
    file: RULES,
    find: "if (new Set(asked.map(({ key }) => key)).size < asked.length) {",
    replace: "if (asked.length > 1000) {",
    tests: MEMORY,
  },
  {
    name: "LIM-1: a refusal says when the bucket is full, not when it has room",
    file: RULES,
    find: "time - (burst - cost) * every, now.getTime()",
    replace: "time, now.getTime()",
    tests: MEMORY,
  },
  {
    name: "LIM-2: a bucket in SQL gives one token less than it holds",
    file: SQL,
    find: "known.${expires} <= given.most and",
    replace: "known.${expires} < given.most and",
    tests: SQLITE,
  },
  {
    name: "LIM-2: a bucket in SQL saves up tokens",
    file: SQL,
    find: "${larger}(known.${expires} + given.step, excluded.${expires})",
    replace: "known.${expires} + given.step",
    tests: SQLITE,
  },
  {
    name: "LIM-2: to give back in SQL by a clock that is fast takes tokens",
    file: SQL,
    find: "and (given.step > 0 or known.${expires} > excluded.${expires})",
    replace: "",
    tests: SQLITE,
  },
  {
    name: "LIM-2: what is asked of one bucket in SQL is asked of another",
    file: SQL,
    find: 'const own = "given.key = excluded." + key;',
    replace: 'const own = "given.key >= excluded." + key;',
    tests: SQLITE,
  },
  {
    name: "LIM-2: buckets in SQL are never swept",
    file: "adapters/sql/adapter.ts",
    find: "await sweepSometimes(buckets.length);",
    replace: "",
    tests: ["tests/unit/adapters/sqlite_file_test.ts"],
  },
  {
    name: "LIM-2: a call about many buckets counts as one, so that they are swept more slowly than they are made",
    file: "adapters/sql/adapter.ts",
    find: "await sweepSometimes(buckets.length);",
    replace: "await sweepSometimes(1);",
    tests: ["tests/unit/adapters/sqlite_file_test.ts"],
  },
  {
    name: "LIM-2: a process that saw no table of buckets never sees one",
    file: "adapters/sql/executing.ts",
    find: 'if (name === "take") return !hasBuckets;',
    replace: "",
    tests: POSTGRES,
    seconds: 280,
  },
  {
    name: "LIM-3: callers lock the rows of buckets in opposite orders",
    file: RULES,
    find: ".sort((one, other) => one.key < other.key ? -1 : 1)",
    replace: "",
    tests: ["tests/unit/contract/buckets_test.ts"],
  },
  {
    name: "LIM-3: the rows of buckets in MySQL are not locked before they are read",
    file: "adapters/sql/mysql_writes.ts",
    find: "` on duplicate key update ${expires.sql} = ${expires.sql}`,",
    replace: "` on duplicate key update ${expires.sql} = 0`,",
    tests: MYSQL,
    seconds: 280,
  },
  {
    name: "LIM-4: a bucket in Deno KV is written without a look at what it was",
    file: "adapters/kv/buckets.ts",
    find: "tx.get<number>(bucketKey(key))",
    replace: "tx.peek<number>(bucketKey(key))",
    tests: KV,
    only: "denoKvAdapter(): Of many callers who take",
  },
  {
    name: "LIM-4: buckets in Deno KV are taken from one by one, and refuse for others whom one has refused",
    file: "adapters/kv/buckets.ts",
    find: "const MOST_TOGETHER = 9;",
    replace: "const MOST_TOGETHER = 1;",
    tests: ["tests/security/limits_stores_test.ts"],
    only: "on Deno KV",
  },
  {
    name: "LIM-5: a bucket in Redis gives one token less than it holds",
    file: "adapters/redis/scripts.ts",
    find: "if time > most then return time end",
    replace: "if time >= most then return time end",
    tests: REDIS,
    seconds: 280,
  },
  {
    name: "LIM-5: a bucket in Redis saves up tokens",
    file: "adapters/redis/scripts.ts",
    find: "local after = math.max(time + step, least)",
    replace: "local after = time == 0 and least or time + step",
    tests: REDIS,
    seconds: 280,
  },
  {
    name: "LIM-5: to give back in Redis by a clock that is fast takes tokens",
    file: "adapters/redis/scripts.ts",
    find: "if step < 0 and time <= least then return 0 end",
    replace: "",
    tests: REDIS,
    seconds: 280,
  },
  {
    name: "LIM-5: buckets stay in Redis for ever",
    file: "adapters/redis/scripts.ts",
    find: "'PX', string.format('%.0f', kept))",
    replace: "'PX', '99999999999')",
    tests: ["tests/unit/adapters/redis_buckets_test.ts"],
  },
  {
    name: "LIM-6: a full memory forgets the bucket that owes most",
    file: IN_MEMORY,
    find: "owed(first) < owed(least)",
    replace: "owed(first) > owed(least)",
    tests: HISTORIES,
    only: "bucketsInMemory() keeps",
  },
  {
    name: "LIM-6: a full memory compares milliseconds, so that fresh buckets with a slow rule stay",
    file: IN_MEMORY,
    find: "(time - now) / every;",
    replace: "(time - now);",
    tests: HISTORIES,
    only: "bucketsInMemory() keeps",
  },
  {
    name: "LIM-6: a bucket that owes more keeps its place in the queue",
    file: IN_MEMORY,
    find: "known.time = time;\n      return queues.get(every)?.moved(known);",
    replace: "known.time = time;\n      return;",
    tests: HISTORIES,
    only: "bucketsInMemory() keeps",
  },
  {
    name: "LIM-6: a clock that is set back frees buckets in memory",
    file: IN_MEMORY,
    find: "least.time > now - GRACE",
    replace: "least.time > now",
    tests: HISTORIES,
    only: "bucketsInMemory() removes",
  },
  {
    name: "LIM-6: memory holds as many buckets as strangers bring",
    file: IN_MEMORY,
    find: "&& entries.size < most)",
    replace: ")",
    tests: HISTORIES,
    only: "bucketsInMemory() holds",
  },
];
