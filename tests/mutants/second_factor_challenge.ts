import type { Mutant } from "./_mutant.ts";

const CHALLENGE = ["tests/security/second_factor_challenge_test.ts"];
const TRUST = ["tests/security/second_factor_trust_test.ts"];
const RACES = ["tests/security/second_factor_races_test.ts"];
const LOST = ["tests/security/second_factor_lost_test.ts"];
const AVAILABLE = ["tests/unit/second_factor/available_test.ts"];

/** What makes a second proof one. */
export const secondFactorChallenge: readonly Mutant[] = [
  {
    name: "SFC-1: a code of an application works again within its time",
    file: "src/second_factor/totp_proof.ts",
    find: "const used = { ...factor, lastStep: step, usedAt",
    replace: "const used = { ...factor, usedAt",
    tests: CHALLENGE,
  },
  {
    name: "SFC-1: several get in with one code of an application at the same time",
    file: "src/second_factor/totp_proof.ts",
    find: "if (await factorRecords(config).putRecord(recordOf(used)) !== null) return true;",
    replace: "await factorRecords(config).putRecord(recordOf(used)); return true;",
    tests: RACES,
  },
  {
    name: "SFC-1: a code counts of an application that its owner has not shown to work",
    file: "src/second_factor/prover.ts",
    find: 'hasTotp: factors.some(({ type, isConfirmed }) => type === "totp" && isConfirmed)',
    replace: 'hasTotp: factors.some(({ type }) => type === "totp")',
    tests: CHALLENGE,
  },
  {
    name: "SFC-2: a recovery code works again",
    file: "src/second_factor/recovery.ts",
    find: "const used = { ...set, hashes, usedAt",
    replace: "const used = { ...set, usedAt",
    tests: CHALLENGE,
  },
  {
    name: "SFC-2: the time of an answer tells which recovery codes were used",
    file: "src/second_factor/recovery.ts",
    find: "const compared = hash ?? Object.values(set?.hashes ?? {})[0];",
    replace: "const compared = hash;",
    tests: CHALLENGE,
  },
  {
    name: "SFC-2: a recovery code is right under the number of one that was used",
    file: "src/second_factor/recovery.ts",
    find: 'if (!hash || verdict === "no") return false;',
    replace: 'if (verdict === "no") return false;',
    tests: CHALLENGE,
  },
  {
    name: "SFC-2: several get in with one recovery code at the same time",
    file: "src/second_factor/recovery.ts",
    find: "if (await factorRecords(config).putRecord(recordOf(used)) !== null) return true;",
    replace: "await factorRecords(config).putRecord(recordOf(used)); return true;",
    tests: RACES,
  },
  {
    name: "SFC-3: a code is compared before the limits are asked",
    file: "src/second_factor/judged_guess.ts",
    find: `const end = await takeGuess(ctx, userId);
  if (!end) return null;
  const answer = await compare();`,
    replace: `const answer = await compare();
  const end = await takeGuess(ctx, userId);
  if (!end) return null;`,
    tests: CHALLENGE,
  },
  {
    name: "SFC-3: nothing limits second proofs where the limits are not listed",
    file: "src/service/setup.ts",
    find: 'sendsCodes || features.some(({ id }) => id === "second-factor")',
    replace: "sendsCodes",
    tests: CHALLENGE,
  },
  {
    name: "SFC-3: whoever knows the password uses up the guesses of the owner",
    file: "src/limits/acts.ts",
    find:
      'return isKnown(subject) ? ofAccounts(subject, "device", rule, subject.device) : ofAccounts(subject, "account", rule);',
    replace: 'return ofAccounts(subject, "account", rule);',
    tests: CHALLENGE,
  },
  {
    name: "SFC-3: a browser in which a session was raised shares its guesses with whoever knows the password",
    file: "src/sign_in/step_up.ts",
    find: 'if (config.actsAt.has("entered")) {',
    replace: "if (config === null) {",
    tests: CHALLENGE,
  },
  {
    name: "SFC-3: each browser of somebody who only knows the password has guesses of its own",
    file: "src/limits/points.ts",
    find: 'const users = methods?.includes("mfa") && typeof user.id',
    replace: "const users = typeof user.id",
    tests: CHALLENGE,
  },
  {
    name: "SFC-4: a code that was sent works twice",
    file: "src/second_factor/email_code.ts",
    find: "if (!await records.removeRecord({ ...key, version: record.version }))",
    replace: "if (record.version < 0)",
    tests: CHALLENGE,
  },
  {
    name: "SFC-4: a code that was sent works in every browser",
    file: "src/second_factor/email_code.ts",
    find: 'const requested = await findRequested(ctx, { purpose: "second-factor", subject: binding }); const address',
    replace:
      'const claims = await config.sealer.open(cookies.read("email") ?? "", cookies.nameOf("email")); const requested = claims as unknown as { suffix?: string; exp: number } | null; const address',
    tests: CHALLENGE,
  },
  {
    name: "SFC-4: guesses at a code that was sent are not counted",
    file: "src/second_factor/email_code.ts",
    find: "const guess = await countGuess(requireStorage(ctx), suffix, exp);",
    replace: "const guess = 1;",
    tests: CHALLENGE,
  },
  {
    name: "SFC-4: the mailbox is asked for twice",
    file: "src/second_factor/available.ts",
    find: "return sendsMail && isEmailProven && !beganByMail;",
    replace: "return sendsMail && isEmailProven;",
    tests: AVAILABLE,
  },
  {
    name: "SFC-5: a key that is synchronised will do for one of one device",
    file: "src/second_factor/passkey.ts",
    find: "passkeyMethods({ deviceType, userVerified: true }).some((method) => missing.includes(method))",
    replace: 'passkeyMethods({ deviceType, userVerified: true }).includes("mfa")',
    tests: CHALLENGE,
  },
  {
    name: "SFC-5: to touch a key is a second factor",
    file: "src/second_factor/passkey.ts",
    find: 'authentication: { ...authentication, userVerification: "required", requireUserVerification: true },',
    replace: 'authentication: { ...authentication, userVerification: "required", requireUserVerification: false },',
    tests: CHALLENGE,
  },
  {
    name: "SFC-5: the passkey of anybody is a second factor",
    file: "src/second_factor/passkey.ts",
    find: `const own = await storage.listAuthenticatorsByUserId(userId);
  const stored = own.find((each) => toDescriptor(each).id === assertion.id);`,
    replace: `const wanted = assertion.id.replaceAll("-", "+").replaceAll("_", "/").padEnd(44, "=");
  const stored = await storage.getAuthenticator(wanted);
  if (stored) return stored;`,
    tests: CHALLENGE,
  },
  {
    name: "SFC-5: a challenge to sign in proves a second factor, and the reverse",
    file: "src/webauthn/challenge.ts",
    find: "if (ceremony.purpose !== expected.purpose) {",
    replace: 'if (ceremony.provider === "") {',
    tests: CHALLENGE,
  },
  {
    name: "SFC-6: a trusted browser is trusted for everybody",
    file: "src/second_factor/trusted.ts",
    find: " || record.userId !== userId) return null;",
    replace: ") return null;",
    tests: TRUST,
  },
  {
    name: "SFC-6: a copy of what makes a browser trusted works for all its days",
    file: "src/second_factor/trusted.ts",
    find: "const isNewest = sameText(String(key), await sha256Base64Url(claims.key));",
    replace: "const isNewest = key !== undefined;",
    tests: TRUST,
  },
  {
    name: "SFC-6: a browser stays trusted when the factors of its user change",
    file: "src/second_factor/trusted.ts",
    find: "if (isNewest && stamp === await stampOf(config, userId)) return record;",
    replace: "if (isNewest && stamp !== undefined) return record;",
    tests: TRUST,
  },
  {
    name: "SFC-6: a copy that was found out leaves the browser trusted",
    file: "src/second_factor/trusted.ts",
    find: `return record;
  await records.removeRecord({ kind: DEVICE, id: record.id });`,
    replace: "return record;",
    tests: TRUST,
  },
  {
    name: "SFC-6: a browser is trusted whose person has lost something",
    file: "src/second_factor/challenge_answer.ts",
    find: 'if (method === "recovery-code") return null;',
    replace: "",
    tests: TRUST,
  },
  {
    name: "SFC-6: a browser is trusted where everybody is asked",
    file: "src/second_factor/challenge_answer.ts",
    find: 'return require === "always" ? null : trustDays;',
    replace: 'return require === "always" ? trustDays : trustDays;',
    tests: TRUST,
  },
  {
    name: "SFC-7: somebody who has lost every factor need not wait",
    file: "src/second_factor/lost.ts",
    find: 'return now >= record.expires.getTime() - OPEN_FOR ? "open" : "asked";',
    replace: 'return "open";',
    tests: LOST,
  },
  {
    name: "SFC-7: a second proof does not stop who wants to get in without one",
    file: "src/second_factor/challenge.ts",
    find: "await endLoss(ctx, userId, settings);",
    replace: "",
    tests: LOST,
  },
  {
    name: "SFC-7: somebody waits without a word to the owner",
    file: "src/second_factor/lost.ts",
    find: "await factorRecords(config).removeRecord(key);\n    await mailing.failed();",
    replace: "await mailing.failed();",
    tests: LOST,
  },
];
