import type { Mutant } from "./_mutant.ts";

const NEXT_AUTH = ["tests/stories/migrate_next_auth_v4_test.ts"];
const BETTER_AUTH = ["tests/stories/migrate_better_auth_test.ts"];

/** Sessions that another library began: who may go on, and what ends them. */
export const migration: readonly Mutant[] = [
  {
    name: "MIG-1: a session of another library keeps its cookie",
    file: "src/stores/former_store.ts",
    find: "foundByFormer.has(active)) return refreshed;\n    cookies.clearFormer();",
    replace: "foundByFormer.has(active)) return refreshed;",
    tests: NEXT_AUTH,
  },
  {
    name: "MIG-2: a sign-in leaves the cookie of another library, which wins at the next request",
    file: "src/stores/former_store.ts",
    find: "own.write(cookies, prepared);\n      cookies.clearFormer();",
    replace: "own.write(cookies, prepared);",
    tests: NEXT_AUTH,
  },
  {
    name: "MIG-3: a sign-out leaves the cookie of another library, which signs in again",
    file: "src/stores/former_store.ts",
    find: "const token = tokenIn(cookies);\n    cookies.clearFormer();",
    replace: "const token = tokenIn(cookies);",
    tests: NEXT_AUTH,
  },
  {
    name: "MIG-4: a sign-out ends only one of two sessions",
    file: "src/stores/former_store.ts",
    find: "[own.end(withToken(cookies, token)), endOwn()]",
    replace: "[endOwn(), endOwn()]",
    tests: NEXT_AUTH,
  },
  {
    name: "MIG-5: a sign-in leaves the row of another library's session",
    file: "src/stores/former_store.ts",
    find: "own.previousToken(token ? withToken(cookies, token) : cookies)",
    replace: "own.previousToken(cookies)",
    tests: BETTER_AUTH,
  },
  {
    name: "MIG-6: a token of another library opens after its end, or without one",
    file: "src/crypto/seal.ts",
    find: "return claims.exp !== undefined && isInTime(claims, now / 1000) ? claims : null;",
    replace: "return claims;",
    tests: NEXT_AUTH,
  },
  {
    name: "MIG-7: over https a cookie is read that a neighbour could set without https",
    file: "src/http/cookie_specs.ts",
    find: "name: secure ? `__Secure-${name}` : name,",
    replace: "name,",
    tests: NEXT_AUTH,
  },
  {
    name: "MIG-8: a token of Better Auth opens without its signature",
    file: "src/better_auth/signed_token.ts",
    find: "if (await crypto.subtle.verify(ALGORITHM.name, key, bytes, utf8(token))) return token;",
    replace: "if (bytes.length === 32 && key) return token;",
    tests: BETTER_AUTH,
  },
  {
    name: "MIG-9: the default secret of Better Auth is a secret",
    file: "src/better_auth/signed_token.ts",
    find: "if (!secrets.includes(DEFAULT_SECRET)) return secrets;",
    replace: "if (secrets.length > 0) return secrets;",
    tests: BETTER_AUTH,
  },
  {
    name: "MIG-10: a session opens that was revoked at Better Auth after it went on here",
    file: "src/better_auth/adapter.ts",
    find: '  const [row] = await tables.find("session", { token });\n  const session = row && sessionOf(row, now());',
    replace: "  const known = await own.getSessionAndUser(sessionToken);\n  if (known) return known;\n" +
      '  const [row] = await tables.find("session", { token });\n  const session = row && sessionOf(row, now());',
    tests: BETTER_AUTH,
  },
  {
    name: "MIG-11: a session of Better Auth that has expired opens",
    file: "src/better_auth/adapter.ts",
    find: "!expires || expires.getTime() <= now ||",
    replace: "!expires || now < 0 ||",
    tests: BETTER_AUTH,
  },
  {
    name: "MIG-12: an administrator who impersonates somebody at Better Auth becomes them for good",
    file: "src/better_auth/adapter.ts",
    find: " || (impersonatedBy ?? null) !== null) return null;",
    replace: " || impersonatedBy === 0) return null;",
    tests: BETTER_AUTH,
  },
  {
    name: "MIG-13: signing out leaves the session at Better Auth, so a copy of its cookie opens again",
    file: "src/better_auth/adapter.ts",
    find: "async deleteSession(sessionToken) {\n      await endFormerSession(sessionToken);",
    replace: "async deleteSession(sessionToken) {",
    tests: BETTER_AUTH,
  },
  {
    name: "MIG-14: whoever held an address unverified keeps their sessions at Better Auth",
    file: "src/better_auth/adapter.ts",
    find: "if (plan.evict) await endFormerSessions(plan.evict.userId);",
    replace: "",
    tests: BETTER_AUTH,
  },
  {
    name: "MIG-15: what was unlinked here is copied from Better Auth again",
    file: "src/better_auth/copy.ts",
    find: "if (user.migration !== COPYING) return user;",
    replace: "if (user.migration === undefined) return user;",
    tests: BETTER_AUTH,
  },
  {
    name: "MIG-16: a user who was deleted here comes back from Better Auth",
    file: "src/better_auth/adapter.ts",
    find: 'await tables.remove("user", { id });',
    replace: "",
    tests: BETTER_AUTH,
  },
  {
    name:
      "MIG-17: a user who was banned at Better Auth, or has a second factor there, signs in with the password alone",
    file: "src/migrate/better_auth.ts",
    find: "return !row || isBanned || isTrue(row.twoFactorEnabled) || ",
    replace: "return !row || isBanned !== isBanned || ",
    tests: BETTER_AUTH,
  },
  {
    name: "MIG-25: a password of Better Auth opens a user whose address was proven since, with sealed sessions",
    file: "src/migrate/better_auth.ts",
    find: "|| isProvenHereOnly(row, user) ? null : user;",
    replace: "? null : user;",
    tests: BETTER_AUTH,
  },
  {
    name: "MIG-26: an account of an unverified user of Better Auth survives the proof of the address",
    file: "src/better_auth/records.ts",
    find: "...(emailVerified === null && { email_verified: false }),",
    replace: "",
    tests: BETTER_AUTH,
  },
  {
    name: "MIG-27: a session that begins at Better Auth after the proof opens the user here",
    file: "src/better_auth/adapter.ts",
    find: 'if (former && isProvenHereOnly(former, user)) await tables.remove("session", { token });',
    replace: "if (former && !former) return false;",
    tests: BETTER_AUTH,
  },
  {
    name: "MIG-18: a session that was not to be remembered is remembered",
    file: "src/migrate/better_auth.ts",
    find: "cookie(`${prefix}.dont_remember`) === undefined ?",
    replace: "prefix !== undefined ?",
    tests: BETTER_AUTH,
  },
  {
    name:
      "MIG-19: a session that ended while it was copied stays here, and opens once Better Auth is not asked any more",
    file: "src/better_auth/adapter.ts",
    find: "if (!remains) await own.deleteSession(session.sessionToken);",
    replace: "",
    tests: BETTER_AUTH,
    only: "a sign-out wins",
  },
  {
    name: "MIG-20: a passkey opens a user whose address was verified while it was copied",
    file: "src/better_auth/copy.ts",
    find: "await own.commit({ expect, ...plan });",
    replace: "await own.commit({ ...plan, ...(expect && {}) });",
    tests: BETTER_AUTH,
    only: "a passkey that another process",
  },
];
