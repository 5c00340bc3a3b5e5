import type { Mutant } from "./_mutant.ts";

const DECISION = ["tests/unit/service/require_test.ts"];
const ATTACKS = ["tests/security/step_up_test.ts"];
const PROTECT = ["tests/unit/http/protect_test.ts"];
const CHALLENGE = ["tests/security/second_factor_challenge_test.ts"];
const HOST = ["tests/unit/bindings/host_test.ts"];

/** What is asked of a sign-in. */
export const stepUp: readonly Mutant[] = [
  {
    name: "STEP-1: the level is not looked at",
    file: "src/session_stores/authentication.ts",
    find: 'if (auth.level < level) missing.push("level");',
    replace: "",
    tests: DECISION,
  },
  {
    name: "STEP-1: the age is not looked at",
    file: "src/session_stores/authentication.ts",
    find: 'if (maxAge !== null && !isFresh(auth, now, maxAge)) missing.push("age");',
    replace: "",
    tests: DECISION,
  },
  {
    name: "STEP-1: one of the methods will do",
    file: "src/session_stores/authentication.ts",
    find: "methodsMissingIn(auth, methods).length > 0",
    replace: "methodsMissingIn(auth, methods).length > methods.length - 1 && methods.length > 0",
    tests: DECISION,
  },
  {
    name: "STEP-1: protect asks for a session only",
    file: "src/service/access.ts",
    find: "if (missing.length > 0) return answerStepUp(",
    replace: "if (missing.length > 3) return answerStepUp(",
    tests: DECISION,
  },
  {
    name: "STEP-1: authorized lets pass in place of the level",
    file: "src/service/access.ts",
    find: "if (session && requirement) {",
    replace: "if (session && requirement && !authorized) {",
    tests: ATTACKS,
  },
  {
    name: "STEP-2: the weakest level of several rules counts",
    file: "src/kernel/requirement.ts",
    find: "all.some(({ level }) => level === 2)",
    replace: "all.every(({ level }) => level === 2)",
    tests: PROTECT,
  },
  {
    name: "STEP-2: the longest age of several rules counts",
    file: "src/kernel/requirement.ts",
    find: "Math.min(...ages)",
    replace: "Math.max(...ages)",
    tests: PROTECT,
  },
  {
    name: "STEP-2: the first rule that fits counts",
    file: "src/http/protect.ts",
    find: "strictestOf(fitting.map(",
    replace: "strictestOf(fitting.slice(0, 1).map(",
    tests: PROTECT,
  },
  {
    name: "STEP-2: a path that cannot be read asks for nothing",
    file: "src/http/protect.ts",
    find: "rules.filter((rule) => spellings === null ||",
    replace: "rules.filter((rule) => spellings !== null &&",
    tests: PROTECT,
  },
  {
    name: "STEP-2: the path as it is spelled is the only one that asks",
    file: "src/http/protect.ts",
    find: "spellings.some((spelling) => fitsRule(spelling, rule))",
    replace: "fitsRule(pathname, rule)",
    tests: PROTECT,
  },
  {
    name: "STEP-2: only the URL asks, whatever path the framework goes by",
    file: "src/service/access.ts",
    find: "strictestOf(paths.flatMap(",
    replace: "strictestOf(paths.slice(0, 1).flatMap(",
    tests: ATTACKS,
  },
  {
    name: "STEP-3: a session in a cache passes",
    file: "src/session/read.ts",
    find: "options.patch === undefined && !options.judge",
    replace: "options.patch === undefined",
    tests: ATTACKS,
  },
  {
    name: "STEP-3: every path asks storage where one of them asks for a level",
    file: "src/service/access.ts",
    find: "return asksMore(asked) ? asked : null;",
    replace: "return asksMore(asked) ? asked : asked;",
    tests: ATTACKS,
  },
  {
    name: "STEP-4: a form is sent again to the page that asks for more",
    file: "src/service/require.ts",
    find: "return redirectTo(url, 303);",
    replace: "return redirectTo(url);",
    tests: DECISION,
  },
  {
    name: "STEP-4: the way back is a page of another site",
    file: "src/service/require.ts",
    find: "page?.origin === origin ? page.href : null",
    replace: "page?.origin !== undefined && origin ? page.href : null",
    tests: DECISION,
  },
  {
    name: "STEP-4: a program is not told what is missing",
    file: "src/service/require.ts",
    find: "headers: [challengeOf(stepUp)]",
    replace: "headers: [challengeOf(stepUp)].slice(1)",
    tests: DECISION,
  },
  {
    name: "STEP-4: nobody is led to the second factor",
    file: "src/service/require.ts",
    find: 'id === "second-factor"',
    replace: 'id === "factors"',
    tests: DECISION,
  },
  {
    name: "STEP-4: the page of the second factor is not told which method is missing",
    file: "src/service/require.ts",
    find: "methods: methods || null",
    replace: "methods: null",
    tests: CHALLENGE,
  },
  {
    name: "STEP-5: a misspelt option of require asks for nothing",
    file: "src/service/require.ts",
    find: "const unknown = Object.keys(options).find((name) => !NAMES.includes(name));",
    replace: "const unknown = Object.keys(options).find((name) => NAMES === null && name);",
    tests: DECISION,
  },
  {
    name: "STEP-5: a misspelt member of a rule asks for nothing",
    file: "src/http/protect.ts",
    find: "unknownMember(member) ?? ruleProblem(member)",
    replace: "(unknownMember(member), ruleProblem(member))",
    tests: PROTECT,
  },
  {
    name: "STEP-5: an age of nothing is any age",
    file: "src/kernel/requirement.ts",
    find: "Number.isSafeInteger(given) && given > 0",
    replace: "Number.isSafeInteger(given)",
    tests: ["tests/unit/kernel/requirement_test.ts"],
  },
  {
    name: "STEP-6: who has just signed out passes",
    file: "bindings/host/host.ts",
    find: "(ended.has(visit) ? refuseSignedOut : requireFor)",
    replace: "(ended === null ? refuseSignedOut : requireFor)",
    tests: HOST,
  },
  {
    name: "STEP-6: a middleware lets errors of require go on",
    file: "bindings/host/around.ts",
    find: "await orStepUp(() => next(reading))",
    replace: "await (orStepUp, next(reading))",
    tests: ["tests/unit/bindings/fresh_test.ts"],
  },
  {
    name: "STEP-6: the log of a refusal says which page was wanted",
    file: "src/kernel/errors.ts",
    find: 'this.#url = options.url ?? "";',
    replace: 'this.#url = options.url ?? "";\n    Object.assign(this, { page: this.#url });',
    tests: DECISION,
  },
];
