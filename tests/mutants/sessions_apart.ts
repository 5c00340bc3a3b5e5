import type { Mutant } from "./_mutant.ts";

const APART = ["tests/unit/adapters/sessions_test.ts"];
const REDIS = ["tests/unit/adapters/redis_sessions_test.ts"];
const CHECK = ["tests/stories/mistakes/check_test.ts"];

/** Sessions that are kept apart from users, as in Redis. */
export const sessionsApart: readonly Mutant[] = [
  {
    name: "APA-1: a session goes on in an epoch that has ended",
    file: "adapters/sessions/live.ts",
    find: "return epochs.includes(name);",
    replace: 'return epochs.length > 0 && name !== "";',
    tests: APART,
  },
  {
    name: "APA-1: the end of all sessions leaves the epoch",
    file: "adapters/sessions/epochs.ts",
    find: "end: async (userId) => void await removeRecord(keyOf(userId)),",
    replace: "end: () => Promise.resolve(),",
    tests: APART,
  },
  {
    name: "APA-1: a plan that evicts leaves the epoch",
    file: "adapters/sessions/plan.ts",
    find: "const others = evict ? epochs.ending(rest, evict.userId) : rest;",
    replace: "const others = rest;",
    tests: APART,
  },
  {
    name: "APA-1: without records, the security stamp does not count",
    file: "adapters/sessions/epochs.ts",
    find: "JSON.stringify([securityStamp ?? null, end])",
    replace: "JSON.stringify([securityStamp === 0, end])",
    tests: APART,
  },
  {
    name: "APA-1: without records, the end of all sessions does not count",
    file: "adapters/sessions/epochs.ts",
    find: "return end && endedAtOf(end);",
    replace: "return end && 0 * endedAtOf(end);",
    tests: APART,
  },
  {
    name: "APA-1: a session that has ended is renewed",
    file: "adapters/sessions.ts",
    find: "return kept && epoch && isOf(kept, epoch) ? kept.session : null;",
    replace: "return kept ? kept.session : null;",
    tests: APART,
  },
  {
    name: "APA-1: the end of other sessions is not in the database",
    file: "adapters/sessions.ts",
    find: "await epochs.advance(userId, live.epoch, next);",
    replace: "",
    tests: APART,
  },
  {
    name: "APA-2: a session that a plan removes is found until it is removed",
    file: "adapters/sessions/plan.ts",
    find: "if (replaced) await sessions.setAside(replaced, by);",
    replace: "",
    tests: APART,
  },
  {
    name: "APA-2: a plan stores its session before everything else",
    file: "adapters/sessions/plan.ts",
    find: 'const result = await adapter.commit?.(others) ?? "conflict";',
    replace: "if (createSession && epoch) await sessions.add({ session: createSession, epochs: [epoch.name] });\n" +
      '  const result = await adapter.commit?.(others) ?? "conflict";',
    tests: APART,
  },
  {
    name: "APA-2: a plan does not see whether its session has ended",
    file: "adapters/sessions/plan.ts",
    find: "if (live?.session.userId !== session.userId) return null;",
    replace: "if (!live) return plan;",
    tests: APART,
  },
  {
    name: "APA-3: a session is found without its place among those of its id at a provider",
    file: "adapters/redis.ts",
    find: 'sid === null ? "1" : redis.send(',
    replace: 'sid !== "" ? "1" : redis.send(',
    tests: REDIS,
  },
  {
    name: "APA-3: a renewal in Redis creates a session that was removed",
    file: "adapters/redis/scripts.ts",
    find: "if not stored then return false end\nlocal expires, epochs",
    replace: "if not stored then stored = '1\\\\n[]\\\\n[{},[]]' end\nlocal expires, epochs",
    tests: REDIS,
  },
  {
    name: "APA-3: a session that was set aside is found in Redis",
    file: "adapters/redis/layout.ts",
    find: "if (aside.length > 0) return null;",
    replace: "",
    tests: REDIS,
  },
  {
    name: "APA-4: an error shows what was sent to Redis",
    file: "adapters/redis/client.ts",
    find: "const [said] = /^[^:,'\"`\\[{(]{1,120}/.exec(text) ?? [];",
    replace: "const [said] = [text];",
    tests: REDIS,
  },
  {
    name: "APA-4: a server that does not answer is waited for",
    file: "adapters/redis/client.ts",
    find: 'return await withDeadline(systemRuntime, timeout, "Redis", () => sendTo(key, args));',
    replace: "return await sendTo(key, args);",
    tests: REDIS,
    only: "redisSessions() waits",
  },
  {
    name: "APA-4: an answer that nobody can read counts as no session",
    file: "adapters/redis/client.ts",
    find: "// It must not count as no session.\n  throw unknownAnswer();",
    replace: "return null;",
    tests: REDIS,
  },
  {
    name: "APA-5: a policy that evicts is not a problem",
    file: "adapters/redis.ts",
    find: 'if (policy === undefined || policy === "noeviction") return [];',
    replace: 'if (policy !== "") return [];',
    tests: REDIS,
  },
  {
    name: "APA-5: check() does not ask the storage",
    file: "src/service/inner_findings.ts",
    find: "const found = await ask?.() ?? [];",
    replace: "const found: string[] = ask ? [] : [];",
    tests: CHECK,
  },
];
