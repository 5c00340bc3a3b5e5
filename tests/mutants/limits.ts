import type { Mutant } from "./_mutant.ts";

const LIMITS = ["tests/security/limits_test.ts"];
const SIMULATED = ["tests/security/limits_simulated_test.ts"];
const ADDRESS = ["tests/unit/limits/client_address_test.ts"];
const ROUTES = ["tests/security/limits_routes_test.ts"];

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
    find: "const tokens = (this.#owed.get(bucket.key)?.tokens ?? 0) + 1;",
    replace: "const tokens = bucket.burst;",
    tests: LIMITS,
  },
  {
    name: "ATT-2: a success gives nothing back",
    file: "src/limits/points.ts",
    find: "if (isRight) state.ledger.giveBack(judged.taken);",
    replace: "if (isRight) state.ledger.giveBack([]);",
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
    find: "[...device.accounts, ...device.users].some((known) => names.includes(known)) ? device.id : null",
    replace: "device.id",
    tests: LIMITS,
  },
  {
    name: "ATT-5: a known browser pays for its neighbours",
    file: "src/limits/acts.ts",
    find:
      'return standing("device", rules.device, [act, account, device]);\n  const network = ofNetworks(subject, rules.network);',
    replace:
      'return [...standing("device", rules.device, [act, account, device]), ...ofNetworks(subject, rules.network)];\n' +
      "  const network = ofNetworks(subject, rules.network);",
    tests: [...LIMITS, ...SIMULATED],
  },
  {
    name: "ATT-6: what one bucket refuses costs the others",
    file: "src/limits/judge.ts",
    find: 'if (verdict.act !== "pass") state.ledger.giveBack(taken);',
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
    replace: '? { act: "refuse", byAccount: true }',
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
    find: 'if (isSolved) return [...ofAccount(subject, "solved", rules.solved), ...network];',
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
];
