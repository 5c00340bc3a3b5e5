import type { Mutant } from "./_mutant.ts";

const ACTS = ["tests/unit/sign_in/dangerous_test.ts"];
const STORIES = ["tests/security/dangerous_acts_test.ts"];

/** Acts that change who can get in. */
export const dangerous: readonly Mutant[] = [
  {
    name: "ACT-1: the time of the token counts as the time of the sign-in",
    file: "src/sign_in/dangerous.ts",
    find: "return isFresh(signIn, runtime.now(), FRESH)",
    replace:
      "return isFresh(signIn.time === undefined ? { time: runtime.now() / 1000 } : signIn, runtime.now(), FRESH)",
    tests: STORIES,
  },
  {
    name: "ACT-1: with `freshSignIn`, an unknown time is fresh for a passkey",
    file: "src/sign_in/dangerous.ts",
    find: 'const demand: Demand = freshSignIn ? "fresh" : ACTS[act][moment];',
    replace: 'const demand: Demand = freshSignIn ? "fresh where known" : ACTS[act][moment];',
    tests: ACTS,
  },
  {
    name: "ACT-1: with `freshSignIn`, an account is added at any time",
    file: "src/sign_in/dangerous.ts",
    find: 'const demand: Demand = freshSignIn ? "fresh" : ACTS[act][moment];',
    replace: "const demand: Demand = ACTS[act][moment];",
    tests: STORIES,
  },
  {
    name: "ACT-2: what began in time is not judged again when it is written",
    file: "src/sign_in/current.ts",
    find: 'isStale: judgement === "stale"',
    replace: "isStale: false",
    tests: STORIES,
  },
  {
    name: "ACT-2: an old session adds a passkey whose ceremony began in time",
    file: "src/sign_in/linking.ts",
    find: 'return isStale ? { act: "refuse", isStale } : { act: "linkToCurrent", user };',
    replace: 'return { act: "linkToCurrent", user };',
    tests: STORIES,
  },
  {
    name: "ACT-3: a session that is older than the proof of the address adds something",
    file: "src/sign_in/dangerous.ts",
    find: 'if (!mayAddAccount(active, user)) return "not-theirs";',
    replace: "",
    tests: ACTS,
  },
];
