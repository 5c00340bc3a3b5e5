import type { Mutant } from "./_mutant.ts";

const PHC = ["tests/unit/hashing/phc_test.ts"];
const SECRET = ["tests/unit/hashing/secret_test.ts"];
const QUEUE = ["tests/unit/hashing/queue_test.ts"];
const LEGACY = ["tests/unit/passwords/legacy_test.ts"];
const JUDGE = ["tests/unit/passwords/judge_test.ts"];
const HIBP = ["tests/unit/passwords/have_i_been_pwned_test.ts"];

/** What hashes of passwords must never do. */
export const passwords: readonly Mutant[] = [
  {
    name: "PWD-1: a hash is computed whatever it costs",
    file: "src/hashing/phc.ts",
    find: "if (!isAffordable(own)) {",
    replace: "if (own === null) {",
    tests: PHC,
  },
  {
    name: "PWD-1: rounds of Django are computed whatever they cost",
    file: "src/passwords/django.ts",
    find: 'if (Number(rounds) > MOST_ROUNDS) throw tooCostly("PBKDF2");',
    replace: "",
    tests: LEGACY,
  },
  {
    name: "PWD-1: bcrypt is computed whatever it costs",
    file: "src/passwords/bcrypt.ts",
    find: 'if (Number(cost) > MOST_COST) throw tooCostly("bcrypt");',
    replace: "",
    tests: LEGACY,
  },
  {
    name: "PWD-2: every secret is right",
    file: "src/hashing/secret.ts",
    find: 'if (!algorithms.isSame(own, key)) return "no";',
    replace: "",
    tests: SECRET,
  },
  {
    name: "PWD-3: a hash of Argon2id is wrong where the runtime does not have it",
    file: "src/hashing/secret.ts",
    find: "if (argon2id) return await argon2id(secret, salt, cost, length);",
    replace: "return new Uint8Array(await argon2id?.(secret, salt, cost, length) ?? length);",
    tests: SECRET,
  },
  {
    name: "PWD-4: a hash that costs too little is kept",
    file: "src/hashing/secret.ts",
    find: 'return isShort || isWeaker(cost, bestOf(algorithms)) ? "weak" : "yes";',
    replace: 'return isShort ? "weak" : "yes";',
    tests: SECRET,
  },
  {
    name: "PWD-5: any number of hashes may wait",
    file: "src/hashing/queue.ts",
    find: "if (waiting.length >= MOST_WAITING) {",
    replace: "if (waiting.length < 0) {",
    tests: QUEUE,
  },
  {
    name: "PWD-5: a hash is computed that nobody waits for any more",
    file: "src/hashing/queue.ts",
    find: "if (now() - since > LONGEST_WAIT)",
    replace: "if (now() < since)",
    tests: QUEUE,
  },
  {
    name: "PWD-5: a hash that fails keeps its place",
    file: "src/hashing/queue.ts",
    find: "} finally {\n      leavePlace();\n    }",
    replace: "} finally {\n      void leavePlace;\n    }",
    tests: QUEUE,
  },
  {
    name: "PWD-6: a password is compared only as it was typed",
    file: "src/passwords/legacy.ts",
    find: 'return composed !== text && await format.verify(composed, stored) ? "weak" : "no";',
    replace: 'return "no";',
    tests: LEGACY,
  },
  {
    name: "PWD-7: a page of a network is a list without the password",
    file: "src/passwords/have_i_been_pwned.ts",
    find: 'if (found === undefined) throw new TypeError("its answer is not a list of digests");',
    replace: "if (found === undefined) continue;",
    tests: HIBP,
  },
  {
    name: "PWD-7: an answer of any length is read",
    file: "src/passwords/have_i_been_pwned.ts",
    find: "readBytes(response.body, MOST_BYTES, signal)",
    replace: "readBytes(response.body, Infinity, signal)",
    tests: HIBP,
  },
  {
    name: "PWD-8: the log has the beginning of a digest",
    file: "src/passwords/have_i_been_pwned.ts",
    find: '.replaceAll(prefix, "…")',
    replace: "",
    tests: HIBP,
  },
  {
    name: "PWD-8: the log has what a check of leaked passwords throws",
    file: "src/passwords/judge.ts",
    find: "`it threw ${thrown.name}`",
    replace: "`it threw ${thrown}`",
    tests: JUDGE,
  },
  {
    name: "PWD-9: any answer of a check of leaked passwords counts",
    file: "src/passwords/judge.ts",
    find: "if (answer && KINDS.has(answer.kind)) return answer;",
    replace: "if (answer) return answer;",
    tests: JUDGE,
  },
  {
    name: "PWD-9: a check of leaked passwords may hang",
    file: "src/passwords/judge.ts",
    find: 'await withDeadline(runtime, seconds, "`breached`", run);',
    replace: "await run();",
    tests: JUDGE,
  },
  {
    name: "PWD-9: a check of leaked passwords takes the whole time of an answer",
    file: "src/passwords/judge.ts",
    find: "Math.min(timeouts.request, timeouts.total * PATIENCE)",
    replace: "timeouts.request",
    tests: JUDGE,
  },
];
