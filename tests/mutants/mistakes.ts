import type { Mutant } from "./_mutant.ts";

const NAMES = ["tests/stories/mistakes/names_test.ts"];
const VALUES = ["tests/stories/mistakes/values_test.ts"];
const PROVIDERS = ["tests/stories/mistakes/providers_test.ts"];
const ENVIRONMENT = ["tests/stories/mistakes/environment_test.ts"];
const FLOOD = ["tests/stories/mistakes/flood_test.ts"];
const CHECK = ["tests/stories/mistakes/check_test.ts"];

/** What is said of mistakes in a configuration. */
export const mistakes: readonly Mutant[] = [
  {
    name: "MIS-1: a callback beside the callbacks is no more than a warning",
    file: "src/config/unknown_names.ts",
    find: "accessOption(name) ?? (Object.hasOwn(CALLBACKS, name) ? `callbacks.${name}` : null)",
    replace: "accessOption(name)",
    tests: NAMES,
  },
  {
    name: "MIS-1: a misspelt `protect` protects nothing, and people are let in",
    file: "src/config/unknown_names.ts",
    find: 'return nearest(name, ["protect", "protected"]) ? "protect" : null;',
    replace: "return null;",
    tests: NAMES,
  },
  {
    name: "MIS-2: accounts are linked where the text says false",
    file: "src/config/provider_options.ts",
    find: "const danger: Kind = ruled(orNull(trueOrFalse), false);",
    replace: "const danger: Kind = ruled(anything, false);",
    tests: PROVIDERS,
  },
  {
    name: "MIS-3: sessions live for a thousand times as long",
    file: "src/config/kinds.ts",
    find: "const LONGEST = 10 * 366",
    replace: "const LONGEST = 1000 * 10 * 366",
    tests: VALUES,
  },
  {
    name: "MIS-4: what may be an address with a password is shown",
    file: "src/config/rules.ts",
    find: "return `it is ${kindOf(adapter)}: ${remedy}`;",
    replace: "return `it is ${adapter}: ${remedy}`;",
    tests: VALUES,
  },
  {
    name: "MIS-5: an object of any size costs a warning for each of its members",
    file: "src/config/unknown_names.ts",
    find: "if (this.warnings.length < MOST) {",
    replace: "if (this.warnings.length < Infinity) {",
    tests: ["tests/unit/config/unknown_names_test.ts"],
  },
  {
    name: "MIS-5: names of any length are compared",
    file: "src/config/nearest.ts",
    find: "if (name.length > LONGEST) return null;",
    replace: "",
    tests: ["tests/unit/config/nearest_test.ts"],
  },
  {
    name: "MIS-6: check() leaves out the providers that have no URL of their own",
    file: "src/service/check.ts",
    find: "...config.providerProblems]",
    replace: "...[...config.brokenProviders.values()].flatMap(({ problems }) => problems)]",
    tests: CHECK,
  },
  {
    name: "MIS-6: check() does not look at providers while something else is wrong",
    file: "src/service/inner_findings.ts",
    find: "config.providersToCheck()",
    replace: "config.providers",
    tests: CHECK,
  },
  {
    name: "MIS-6: check() does not read the storage",
    file: "src/service/inner_findings.ts",
    find: "config.storage ? storageProblems(config, config.storage) : []",
    replace: "[]",
    tests: CHECK,
  },
  {
    name: "MIS-6: check() throws what a driver quotes",
    file: "src/service/inner_findings.ts",
    find: "const cause = withoutSecrets(innermostOf(error));",
    replace: "const cause = innermostOf(error);",
    tests: ["tests/stories/mistakes/check_test.ts"],
  },
  {
    name: "H22: a response that was sent before ends the process",
    file: "src/service/wrong_request.ts",
    find: "if (outgoing) end(outgoing);",
    replace: "outgoing?.end(JSON.stringify(BODY)); outgoing?.setHeader('x', 'y');",
    tests: ["tests/unit/service/wrong_request_test.ts"],
  },
  {
    name: "MIS-20: each cookie of another secret is told",
    file: "src/session_stores/jwt_store.ts",
    find: "this.#quietUntil = runtime.now() + HOUR;",
    replace: "",
    tests: FLOOD,
  },
  {
    name: "MIS-20: each place of a dropped redirect is told",
    file: "src/request/lost_redirect.ts",
    find: "if (warning) warn?.(warning, MOST_BY_STRANGERS);",
    replace: "if (warning) warn?.(warning);",
    tests: FLOOD,
  },
  {
    name: "MIS-20: a place of any form is quoted in the log",
    file: "src/request/lost_redirect.ts",
    find: "return isHost(host) && origin.length <= 120 ? origin : null;",
    replace: "return origin;",
    tests: FLOOD,
  },
  {
    name: "MIS-20: a cookie that is no session of ours is taken for one",
    file: "src/session_stores/other_secret.ts",
    find: "/^[\\w-]{86}$/.test(kid)",
    replace: "kid",
    tests: FLOOD,
  },
  {
    name: "MIS-20: sessions of a secret in the list are told as those of another",
    file: "src/session_stores/other_secret.ts",
    find: 'if (kid === (await deriveKeys(secret, salt))["A256CBC-HS512"].kid) return false;',
    replace: "await deriveKeys(secret, salt);",
    tests: FLOOD,
  },
  {
    name: "MIS-21: spaces are a secret",
    file: "src/crypto/secrets.ts",
    find: 'return given.trim() === "" ? "empty" : null;',
    replace: 'return given === "" ? "empty" : null;',
    tests: ENVIRONMENT,
  },
  {
    name: "MIS-21: a variable of spaces is a secret",
    file: "src/config/env.ts",
    find: 'return value?.trim() === "" ? undefined : value;',
    replace: 'return value === "" ? undefined : value;',
    tests: ENVIRONMENT,
  },
  {
    name: "MIS-22: what a callback throws says nothing of the callback",
    file: "src/kernel/callback.ts",
    find: "if (cause instanceof AuthError) throw cause;",
    replace: "throw cause;",
    tests: ["tests/stories/mistakes/callbacks_test.ts"],
  },
  {
    name: "MIS-23: a path of the service in `protect` is not looked at",
    file: "src/config/read_config.ts",
    find: "return lists.flat().some((route) => route.startsWith(`${basePath}/`));",
    replace: "return lists.length < 0;",
    tests: ["tests/stories/mistakes/looks_test.ts"],
  },
];
