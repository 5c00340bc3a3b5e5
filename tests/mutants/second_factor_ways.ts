import type { Mutant } from "./_mutant.ts";

const PROPERTY = ["tests/security/second_factor_property_test.ts"];
const ATTACKS = ["tests/security/second_factor_attacks_test.ts"];
const STORED = {
  file: "src/sign_in/with_storage.ts",
  find: 'actsAt.has("mint") && !planned.keepsSession',
} as const;

/** Every way in, each of which has led past a second factor somewhere. */
export const secondFactorWays: readonly Mutant[] = [
  ...(["oauth", "email", "webauthn", "credentials"] as const).map((method): Mutant => ({
    ...STORED,
    name: `WAY-1: ${method} leads past the second factor`,
    replace: `attempt.method !== "${method}" && actsAt.has("mint") && !planned.keepsSession`,
    tests: PROPERTY,
  })),
  {
    ...STORED,
    name: "WAY-1: OpenID Connect leads past the second factor",
    replace: 'attempt.account.type !== "oidc" && actsAt.has("mint") && !planned.keepsSession',
    tests: PROPERTY,
  },
  {
    ...STORED,
    name: "WAY-1: an account that links by its address leads past the second factor",
    replace: 'decision.act !== "link" && actsAt.has("mint") && !planned.keepsSession',
    tests: PROPERTY,
  },
  {
    ...STORED,
    name: "WAY-1: a code by email leads past the second factor",
    replace: 'attempt.account.provider !== "mailed" && actsAt.has("mint") && !planned.keepsSession',
    tests: PROPERTY,
  },
  {
    name: "WAY-1: a password whose user only a cookie knows leads past the second factor",
    file: "src/sign_in/complete.ts",
    find: 'if (ctx.config.actsAt.has("mint")) {',
    replace: 'if (attempt.method !== "credentials" && ctx.config.actsAt.has("mint")) {',
    tests: PROPERTY,
  },
  {
    name: "WAY-1: an account is added before the second proof",
    file: "src/sign_in/current.ts",
    find: 'isStale: judgement !== "allowed",\n    isTooLow: judgement === "too-low",',
    replace: 'isStale: judgement === "stale",',
    tests: PROPERTY,
  },
  ...(["database", "jwt"] as const).map((strategy): Mutant => ({
    name: `WAY-2: sessions that began elsewhere lead past the second factor: strategy ${strategy}`,
    file: "src/sign_in/judged_sessions.ts",
    find: "if (authentication.provider !== undefined) return true;",
    replace: `if (authentication.provider !== undefined || active.strategy === "${strategy}") return true;`,
    tests: PROPERTY,
  })),
  {
    name: "WAY-3: a passkey that verifies nobody is two factors",
    file: "src/sign_in/methods.ts",
    find: 'const factors = userVerified ? ["mfa", "user"] as const : ["user"] as const;',
    replace: 'const factors = ["mfa", "user"] as const;',
    tests: PROPERTY,
  },
  {
    name: "WAY-3: recovery codes alone are no reason to ask",
    file: "src/second_factor/factors.ts",
    find: "return countedCodes(factors) !== null;",
    replace: 'return factors.some(({ type, isConfirmed }) => type === "totp" && isConfirmed);',
    tests: PROPERTY,
  },
  {
    name: "WAY-3: who has enrolled is asked only where the application says so",
    file: "src/second_factor/judge.ts",
    find: "if (!isDemanded && enrolled === null) return",
    replace: "if (!isDemanded) return",
    tests: PROPERTY,
  },
  {
    name: "WAY-3: a function is not asked",
    file: "src/second_factor/judge.ts",
    find: "return await require(user, auth);",
    replace: "return false;",
    tests: PROPERTY,
  },
  {
    name: "WAY-4: a sign-in that waits goes on after all sessions of its user have ended",
    file: "src/session/user_sessions.ts",
    find: "await endWaiting(config, userId, keeps);",
    replace: "",
    tests: ATTACKS,
  },
  {
    name: "WAY-4: a sign-in that waits goes on after its user has ended all others",
    file: "src/session/user_sessions.ts",
    find: "await endWaiting(config, id);",
    replace: "",
    tests: ATTACKS,
  },
  {
    name: "WAY-5: somebody who has entered with a passkey still counts as one who has lost everything",
    file: "src/second_factor/mod.ts",
    find: "await stopLoss(ctx, entered, settings);",
    replace: "",
    tests: ATTACKS,
  },
  {
    name: "WAY-5: what was lost before opens what is added now",
    file: "src/second_factor/codes.ts",
    find: "await endLoss(ctx, owner.user.id, settings);",
    replace: "",
    tests: ATTACKS,
  },
  {
    name: "WAY-6: what waits in a browser for one person stays when another enters there",
    file: "src/sign_in/complete.ts",
    find: 'const hasEntered = result.act === "enter" && (result.authentication !== null || options.resumed);',
    replace: 'const hasEntered = result.act === "enter" && options.resumed;',
    tests: ATTACKS,
  },
  {
    name: "WAY-6: what waits in a browser stays after a sign-out",
    file: "src/session/sign_out.ts",
    find: 'if (ctx.cookies.read("pending")) ctx.cookies.clear("pending");',
    replace: "",
    tests: ATTACKS,
  },
  {
    name: "WAY-7: whoever is signed in makes as many recovery codes as the processors can hash",
    file: "src/second_factor/codes.ts",
    find: "if (refused) return refused;",
    replace: "",
    tests: ATTACKS,
  },
  {
    name: "WAY-8: who adds an account in a browser that is trusted signs in again and again",
    file: "src/sign_in/current.ts",
    find: 'isTooLow: judgement === "too-low"',
    replace: "isTooLow: false",
    tests: ATTACKS,
  },
  {
    name: "WAY-9: the secret of an application is stored in clear",
    file: "src/second_factor/apps.ts",
    find: "name: null,\n    sealed:",
    replace: "name: secret,\n    sealed:",
    tests: ATTACKS,
  },
  {
    name: "WAY-9: recovery codes are stored in clear",
    file: "src/second_factor/recovery.ts",
    find: "hashes[number] = await hashSecret(secret, runtime);",
    replace: "hashes[number] = await hashSecret(secret, runtime) + secret;",
    tests: ATTACKS,
  },
];
