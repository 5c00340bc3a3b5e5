import type { Mutant } from "./_mutant.ts";

const WHO = ["tests/security/passwords_test.ts"];
const RACES = ["tests/security/passwords_races_test.ts"];
const RULES = ["tests/unit/sign_in/linking_test.ts"];
const MISTAKES = ["tests/stories/mistakes/passwords_test.ts"];

/** What a sign-in with a password must never do. */
export const passwordSignIn: readonly Mutant[] = [
  {
    name: "PWS-1: a wrong password signs in",
    file: "src/credentials/password.ts",
    find: 'if (!user || !password || verdict === "no" || !countsFor(password, user)) return null;',
    replace: "if (!user || !password || !countsFor(password, user)) return null;",
    tests: WHO,
  },
  {
    name: "PWS-1: whatever a library answers is right",
    file: "src/passwords/work.ts",
    find: 'return { verdict: verdict === "yes" || verdict === "weak" ? verdict : "no", error: null };',
    replace: 'return { verdict: verdict === "weak" ? verdict : "yes", error: null };',
    tests: WHO,
  },
  {
    name: "PWS-2: a password counts for an address that is not proven",
    file: "src/sign_in/stored_password.ts",
    find: "return mayHavePassword(user) && isChosenFor(password, user);",
    replace: "return isChosenFor(password, user);",
    tests: WHO,
  },
  {
    name: "PWS-2: a password counts for any address of its user",
    file: "src/sign_in/stored_password.ts",
    find: "return email === user.email || version === null;",
    replace: "return email !== null || version === null;",
    tests: WHO,
  },
  {
    name: "PWS-2: passwords are imported for addresses that are not proven",
    file: "src/service/password_actions.ts",
    find: 'if (!mayHavePassword(user)) return "unproven";',
    replace: "",
    tests: WHO,
  },
  {
    name: "PWS-3: a password that was planted in a table of the application stays",
    file: "src/sign_in/evicted_password.ts",
    find: "if (evict) await removePassword(config, evict.userId);",
    replace: "",
    tests: RACES,
  },
  {
    name: "PWS-4: an old password signs in that was changed while it was compared",
    file: "src/sign_in/password_facts.ts",
    find: "found.revision === revision &&",
    replace: "",
    tests: WHO,
  },
  {
    name: "PWS-4: an old password signs in that was changed before the session was written",
    file: "src/sign_in/plan.ts",
    find: '...(attempt.method === "password" && expectedPassword(facts, userId)),',
    replace: "",
    tests: RACES,
  },
  {
    name: "PWS-4: an old password signs in that was changed while the session was written apart from it",
    file: "src/sign_in/password_facts.ts",
    find: "return (await findPassword(config, account.providerAccountId))?.revision === revision;",
    replace: "return (await findPassword(config, account.providerAccountId))?.revision !== undefined || !revision;",
    tests: RACES,
  },
  {
    name: "PWS-4: a password that is gone signs in",
    file: "src/sign_in/linking.ts",
    find: 'return byAccount && password ? { act: "enter", user: byAccount } : { act: "refuse" };',
    replace: 'return byAccount ? { act: "enter", user: byAccount } : { act: "refuse" };',
    tests: RULES,
  },
  {
    name: "PWS-5: a better hash is another password",
    file: "src/passwords/stored.ts",
    find: "return toRecord({ ...stored, hash });",
    replace: "return toRecord({ ...stored, hash, revision: hash });",
    tests: ["tests/unit/passwords/stored_test.ts"],
  },
  {
    name: "PWS-5: a better hash of an old password replaces a new one in a table of the application",
    file: "src/sign_in/stored_password.ts",
    find:
      'if (await read() !== former) return false; await callStore("set", () => store.set(userId, hash, former ?? undefined));',
    replace: 'await callStore("set", () => store.set(userId, hash));',
    tests: WHO,
  },
  {
    name: "PWS-6: no hash is computed for unknown people",
    file: "src/passwords/work.ts",
    find: "if (stored === null) { await pretend(); return WRONG; }",
    replace: "if (stored === null) return WRONG;",
    tests: RACES,
  },
  {
    name: "PWS-6: a hash of other software costs less than one of ours",
    file: "src/passwords/work.ts",
    find: "if (compared.error || settings.legacy.some((format) => format.matches(stored))) await pretend();",
    replace: "if (compared.error) await pretend();",
    tests: WHO,
  },
  {
    name: "PWS-6: what is no hash costs nothing",
    file: "src/passwords/work.ts",
    find: "if (compared.error || settings.legacy.some((format) => format.matches(stored))) await pretend();",
    replace: "if (settings.legacy.some((format) => format.matches(stored))) await pretend();",
    tests: WHO,
  },
  {
    name: "PWS-6: a password is looked up only for known people",
    file: "src/credentials/password.ts",
    find: "const password = await findPassword(config, user?.id ?? randomUuid(config.runtime));",
    replace: "const password = user && await findPassword(config, user.id);",
    tests: RACES,
  },
  {
    name: "PWS-7: guesses at passwords are not limited by default",
    file: "src/service/setup.ts",
    find: "const hasPasswords = passwordProviderOf(config) !== null;",
    replace: "const hasPasswords = false;",
    tests: WHO,
  },
  {
    name: "PWS-8: `callbacks.signIn` does not get what was typed besides the password",
    file: "src/sign_in/complete.ts",
    find: "return { user, account, credentials: { email: user.email } };",
    replace: "return { user, account };",
    tests: WHO,
  },
  {
    name: "PWS-9: short passwords are enough where a second proof is asked of some",
    file: "src/second_factor.ts",
    find: 'return require === "always" ? askingEverybody(feature) : feature;',
    replace: "return askingEverybody(feature);",
    tests: WHO,
  },
  {
    name: "PWS-10: a provider of passwords is used without a place for them",
    file: "src/config/providers.ts",
    find: "if (isPasswordProvider(provider)) return passwordProblems(provider, storage);",
    replace: "if (isPasswordProvider(provider)) return [];",
    tests: MISTAKES,
  },
];
