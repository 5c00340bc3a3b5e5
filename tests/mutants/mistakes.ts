import type { Mutant } from "./_mutant.ts";

const NAMES = ["tests/stories/mistakes/names_test.ts"];
const VALUES = ["tests/stories/mistakes/values_test.ts"];
const PROVIDERS = ["tests/stories/mistakes/providers_test.ts"];
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
    file: "src/service/check.ts",
    find: "config.providersToCheck()",
    replace: "config.providers",
    tests: CHECK,
  },
  {
    name: "MIS-6: check() does not read the storage",
    file: "src/service/check.ts",
    find: "config.storage ? storageProblem(config, config.storage) : null",
    replace: "null",
    tests: CHECK,
  },
  {
    name: "MIS-6: check() throws what a driver quotes",
    file: "src/service/check.ts",
    find: "cause: withoutSecrets(innermostOf(error)),",
    replace: "cause: innermostOf(error),",
    tests: ["tests/stories/mistakes/check_test.ts"],
  },
  {
    name: "H22: a response that was sent before ends the process",
    file: "src/service/wrong_request.ts",
    find: "if (outgoing) end(outgoing);",
    replace: "outgoing?.end(JSON.stringify(BODY)); outgoing?.setHeader('x', 'y');",
    tests: ["tests/unit/service/wrong_request_test.ts"],
  },
];
