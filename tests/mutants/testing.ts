import type { Mutant } from "./_mutant.ts";

const KIT = ["tests/stories/testing_test.ts"];
const RUNNING = ["tests/stories/testing_fake_providers_test.ts"];
const SAME = ["tests/stories/testing_sign_in_as_test.ts"];

/** What the test kit refuses, and what it must not give away. */
export const testing: readonly Mutant[] = [
  {
    name: "KIT-1: the test kit runs in production",
    file: "testing/kit/guard.ts",
    find: 'if (names.includes("production")) return false;\n  return names.includes("test")',
    replace: 'return names.length > 0 || names.includes("test")',
    tests: KIT,
  },
  {
    name: "KIT-1: fake providers run in production if somebody vouches for it",
    file: "testing/kit/fake_providers.ts",
    find: 'assertNotProduction("withFakeProviders()");',
    replace: 'if (!options.allow) assertNotProduction("withFakeProviders()");',
    tests: RUNNING,
  },
  {
    name: "KIT-2: cookies of a test are good at the application",
    file: "testing/kit/rewire.ts",
    find: "secret: wiring.secret,",
    replace: "",
    tests: KIT,
  },
  {
    name: "KIT-2: cookies of fake providers are good at the application",
    file: "testing/kit/fake_providers.ts",
    find: "secret: ownSecret(written.secret)",
    replace: "secret: written.secret",
    tests: RUNNING,
  },
  {
    name: "KIT-3: a test is held at a site that may be real",
    file: "testing/kit/guard.ts",
    find: "(!listens && RESERVED.test(hostname))",
    replace: "!listens",
    tests: KIT,
  },
  {
    name: "KIT-3: a server under test may be anywhere",
    file: "testing/kit/app.ts",
    find: "assertNobodys(address, true);",
    replace: "",
    tests: KIT,
  },
  {
    name: "KIT-3: an application with fake providers answers on every host that it trusts",
    file: "testing/kit/fake_providers.ts",
    find: "const { trustHost: _, jwt = {}, ...rest } = config;",
    replace: "const { jwt = {}, ...rest } = config;",
    tests: RUNNING,
  },
  {
    name: "KIT-3: the page of a fake provider answers to every name",
    file: "testing/kit/fake_providers.ts",
    find: "!isLoopback(hostname) || !provider",
    replace: "!provider",
    tests: RUNNING,
  },
  {
    name: "KIT-4: somebody who is refused counts as signed in",
    file: "testing/kit/visitor.ts",
    find: "if (!refused) return this;",
    replace: "if (refused || !refused) return this;",
    tests: SAME,
  },
  {
    name: "KIT-4: a user whose provider vouches for nothing cannot be signed in as",
    file: "testing/kit/sign_in_as.ts",
    find: "await adapter.linkAccount?.(",
    replace: "void (",
    tests: SAME,
  },
  {
    name: "KIT-4: somebody who has to add a factor counts as signed in",
    file: "testing/kit/visitor.ts",
    find: "error|signin|challenge|factors|verify-request",
    replace: "error|signin|challenge|verify-request",
    tests: ["tests/stories/testing_second_factor_test.ts"],
  },
];
