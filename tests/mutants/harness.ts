import type { Mutant } from "./_mutant.ts";

const WATCH = ["tests/promises/watch_tests_test.ts"];

/** What runs the tests. */
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
];
