import type { Mutant } from "./_mutant.ts";

const WATCH = ["tests/promises/watch_tests_test.ts"];

const GATE = ["tests/compatibility/snapshot_test.ts", "tests/compatibility/exports_test.ts"];

/** What runs the tests, and what compares promises. */
export const harness: readonly Mutant[] = [
  {
    name: "RUN-1: a test that hangs may go on while it prints something",
    file: "scripts/watch_tests.ts",
    find: "    if (!now || now === last) return;\n    last = now;\n",
    replace: "    last = now || last;\n",
    tests: WATCH,
  },
  {
    name: "RUN-1: the time of a test that has ended runs on",
    file: "scripts/watch_tests.ts",
    find: "    if (!now || now === last) return;\n    last = now;\n    cancel();\n",
    replace: "    if (!now || now === last) return;\n    last = now;\n",
    tests: WATCH,
  },
  {
    name: "RUN-2: an override allows every change of its snapshot",
    file: "tests/compatibility/_snapshot.ts",
    find: "removed.includes(change.before)",
    replace: "removed.length > 0",
    tests: GATE,
  },
  {
    name: "RUN-2: a promise may go if it is the last of its snapshot",
    file: "tests/compatibility/_snapshot.ts",
    find: "if (!gone.delete(line)) continue;",
    replace: "if (after.length === 0 || !gone.delete(line)) continue;",
    tests: GATE,
  },
  {
    name: "RUN-2: a new option may be needed",
    file: "tests/compatibility/exports/_judge.ts",
    find: "if (!isNeeded || !had(line.owner) || had(line.key)) return MINOR;",
    replace: "if (!isNeeded || had(line.owner) || had(line.key)) return MINOR;",
    tests: GATE,
  },
  {
    name: "RUN-2: what programs read may become anything that takes what it was",
    file: "tests/compatibility/exports/_judge.ts",
    find: '(role === "give" || fits(after, before, "library"))',
    replace: '(role !== "both" || fits(after, before, "library"))',
    tests: GATE,
  },
];
