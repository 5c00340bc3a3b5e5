import type { Mutant } from "./_mutant.ts";

const LIMITS = ["tests/security/limits_test.ts"];
const HOSTILE = ["tests/security/limits_hostile_test.ts"];
const SIMULATED = ["tests/security/limits_simulated_test.ts"];
const ADDRESS = ["tests/unit/limits/client_address_test.ts"];
const ROUTES = ["tests/security/limits_routes_test.ts"];
const REGISTRATION = ["tests/security/limits_registration_test.ts"];
const PAGES = ["tests/security/limits_client_test.ts"];

/** What limits stop, and whom they must not keep out. */
export const limits: readonly Mutant[] = [
  {
    name: "ATT-1: clients whose address is unknown share a network",
    file: "src/limits/points.ts",
    find: "networks: address === null ? [] : networksOf(address),",
    replace: 'networks: networksOf(address ?? "0.0.0.0"),',
    tests: LIMITS,
  },
  {
    name: "ATT-2: a success gives back all that was taken from an account",
    file: "src/limits/ledger.ts",
    find: "tokens: Math.min(tokens + 1, bucket.burst), since",
    replace: "tokens: bucket.burst, since",
    tests: LIMITS,
  },
  {
    name: "ATT-2: a success gives nothing back",
    file: "src/limits/points.ts",
    find: "if (isRight) state.ledger.giveBack(judged.taken, ctx.config.runtime.now());",
    replace: "if (isRight) state.ledger.giveBack([], 0);",
    tests: LIMITS,
  },
  {
    name: "ATT-3: credentials are compared before a token is taken",
    file: "src/credentials/sign_in.ts",
    find: "const compared = await mayGuess(ctx, {",
    replace: "await authorize(ctx, provider, input.fields);\n  const compared = await mayGuess(ctx, {",
    tests: LIMITS,
  },
  {
    name: "ATT-4: hops are counted from the left, where strangers write",
    file: "src/limits/client_address.ts",
    find: 'text.split(",").at(-hops)',
    replace: 'text.split(",").at(hops - 1)',
    tests: ADDRESS,
  },
  {
    name: "ATT-4: of two addresses in a header that holds one, the last is taken",
    file: "src/limits/client_address.ts",
    find: "if (!LISTS.has(name)) return readAddress(text);",
    replace: 'if (!LISTS.has(name)) return readAddress(text.split(",").at(-1) ?? "");',
    tests: ADDRESS,
  },
  {
    name: "ATT-5: the cookie of a browser is good for any account",
    file: "src/limits/device.ts",
    find: "names.every((hashes) => hashes.some((hash) => known.includes(hash))) ? device?.id ?? null : null",
    replace: "device?.id ?? null",
    tests: LIMITS,
  },
  {
    name: "ATT-5: a known browser pays for its neighbours",
    file: "src/limits/acts.ts",
    find:
      'return ofAccounts(subject, "device", rules.device, subject.device);\n  const network = ofNetworks(subject, "network", rules.network);',
    replace:
      'return [...ofAccounts(subject, "device", rules.device, subject.device), ...ofNetworks(subject, "network", rules.network)];\n' +
      '  const network = ofNetworks(subject, "network", rules.network);',
    tests: [...LIMITS, ...SIMULATED],
  },
  {
    name: "ATT-6: what one bucket refuses costs the others",
    file: "src/limits/judge.ts",
    find: 'if (verdict.act !== "pass") state.ledger.giveBack(taken, now.getTime());',
    replace: "",
    tests: LIMITS,
  },
  {
    name: "ATT-7: an account has 288 guesses a day",
    file: "src/limits/rules.ts",
    find: "if (perDay === undefined) return [first];",
    replace: "if (perDay !== 0) return [first];",
    tests: [...LIMITS, ...SIMULATED],
  },
  {
    name: "ATT-8: who has asked for too many emails sees it",
    file: "src/limits/acts.ts",
    find: '? { act: "pretend" }',
    replace: '? { act: "refuse", isSolvable: true }',
    tests: LIMITS,
  },
  {
    name: "ATT-8: a browser that asks again loses the link that it has",
    file: "src/email/start.ts",
    find: "const earlier = await findRequested(ctx, about);",
    replace: 'const earlier = await findRequested(ctx, { ...about, purpose: "reset" });',
    tests: LIMITS,
  },
  {
    name: "ATT-9: codes are compared while storage is down",
    file: "src/limits/acts.ts",
    find: 'code: { buckets: ["device", "account", "network", "pair", "solved"], whenDown: "closed" }',
    replace: 'code: { buckets: ["device", "account", "network", "pair", "solved"], whenDown: "memory" }',
    tests: LIMITS,
  },
  {
    name: "ATT-10: an email is sent and nobody has judged it",
    file: "src/email/start.ts",
    find: "const mailing = await mayMail(ctx, { provider: provider.id, address: identifier, fields });",
    replace: 'const mailing = { act: "send" as "send" | "pretend", failed: async () => {} };',
    tests: [...LIMITS, ...ROUTES],
  },
  {
    name: "ATT-11: a solution of a challenge is good without a limit",
    file: "src/limits/acts.ts",
    find: 'if (isSolved) return [...ofAccounts(subject, "solved", rules.solved), ...network];',
    replace: "if (isSolved) return network;",
    tests: LIMITS,
  },
  {
    name: "ATT-12: a logout token costs before it is verified",
    file: "src/limits/acts.ts",
    find: 'whenDown: "memory", paidAfter: true }',
    replace: 'whenDown: "memory" }',
    tests: ["tests/security/limits_logout_test.ts"],
  },
  {
    name: "ATT-13: the first guess at a code counts for the account",
    file: "src/limits/judge.ts",
    find: "const nobodys = { ...subject, accounts: [], device: null };",
    replace: "const nobodys = subject;",
    tests: LIMITS,
  },
  {
    name: "ATT-13: every guess at a code is its first",
    file: "src/limits/judge.ts",
    find: "const standing = [...first, ...await hashed(ctx.config, standingBefore(nobodys, settings.rules))];",
    replace: "const standing = await hashed(ctx.config, standingBefore(nobodys, settings.rules));",
    tests: LIMITS,
  },
  {
    name: "ATT-14: of several names only the first counts",
    file: "src/limits/account.ts",
    find: "if (sure.length > 0) return textsOf(fields, sure);",
    replace: "if (sure.length > 0) return textsOf(fields, sure.slice(0, 1));",
    tests: HOSTILE,
  },
  {
    name: "ATT-14: a name in a list is none",
    file: "src/limits/account.ts",
    find: "if (Array.isArray(value)) return value.flatMap(textsIn);",
    replace: "",
    tests: HOSTILE,
  },
  {
    name: "ATT-14: spellings that only people tell apart are other accounts",
    file: "src/limits/keys.ts",
    find: '.normalize("NFKD").replace(LEFT_OUT, "").trim()',
    replace: '.normalize("NFKC").trim()',
    tests: HOSTILE,
  },
  {
    name: "ATT-15: whoever signs in makes the browser known for all names that they typed",
    file: "src/limits/points.ts",
    find: "const own = typed.length === 1 ? typed[0] : null;",
    replace: "const own = typed.at(-1);",
    tests: HOSTILE,
  },
  {
    name: "ATT-15: a browser that is known for one of several names is known for all",
    file: "src/limits/device.ts",
    find: "return names.every((hashes) => hashes.some(",
    replace: "return names.some((hashes) => hashes.some(",
    tests: HOSTILE,
  },
  {
    name: "ATT-19: tokens that were given back never end",
    file: "src/limits/ledger.ts",
    find: "if (!owed || now - owed.since >= owed.bucket.every) return false;",
    replace: "if (!owed) return false;",
    tests: HOSTILE,
  },
  {
    name: "ATT-16: passwords wait for storage that never answers",
    file: "src/limits/judge.ts",
    find: 'whenDown === "closed" ? asking() : withinReason(ctx, asking)',
    replace: "asking()",
    tests: ["tests/security/limits_stores_test.ts"],
  },
  {
    name: "ATT-17: who solves a challenge registers without a limit",
    file: "src/limits/acts.ts",
    find: '? ofNetworks(subject, "solved", OTHER_RULES.solvedRegistration)',
    replace: "? []",
    tests: REGISTRATION,
  },
  {
    name: "ATT-17: no challenge leads past the limit of a network",
    file: "src/limits/acts.ts",
    find: '  registration: ["network"],\n',
    replace: "",
    tests: REGISTRATION,
  },
  {
    name: "ATT-17: what a crowd was refused makes the challenge dearer",
    file: "src/limits/points.ts",
    find: 'bucket.name === "network" ? 1 : times',
    replace: "times",
    tests: REGISTRATION,
  },
  {
    name: "ATT-17: `getUserInfo` gets the solution of a challenge",
    file: "src/webauthn/options.ts",
    find: "query: withoutChallenge(Object.fromEntries(query))",
    replace: "query: Object.fromEntries(query)",
    tests: REGISTRATION,
  },
  {
    name: "ATT-18: the error that `signIn()` throws has no challenge",
    file: "src/request/limited.ts",
    find: "  error.challenge = limited.challenge ?? null;\n",
    replace: "",
    tests: PAGES,
  },
  {
    name: "ATT-18: no script learns what to solve for another email",
    file: "src/views/pages.ts",
    find: "...(again && { challenge: again.view })",
    replace: "",
    tests: PAGES,
  },
  {
    name: "ATT-18: handlers of events are not told of limits",
    file: "src/request/events.ts",
    find: '  limited: "limited",\n',
    replace: "",
    tests: PAGES,
  },
];
