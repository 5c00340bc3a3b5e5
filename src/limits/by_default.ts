/**
 * The limits of a service that uses what can be guessed and says nothing about limits.
 *
 * @module
 */
import { type Feature, makeFeature } from "../contract/feature.ts";
import { once } from "../kernel/load.ts";
import type { Act } from "./acts.ts";
import { proofOfWork } from "./proof_of_work.ts";
import { GUESS_RULES, MAIL_RULES } from "./rules.ts";

const making = once(() => import("./mod.ts"));

const ONLY: ReadonlySet<Act> = new Set(["code", "password", "factor"]);

// Whoever registers makes the service compute a hash, and a reset is an email that anybody may ask for.
const WITH_PASSWORDS: ReadonlySet<Act> = new Set([...ONLY, "registration", "mail"]);

const SETTINGS = {
  rules: { guess: GUESS_RULES, mail: MAIL_RULES },
  clientAddress: undefined,
  account: undefined,
  challenge: proofOfWork(),
};

/** Limits guesses at what this package makes or checks itself: codes, second factors. */
export const limitsByDefault: Feature = makeFeature(
  "limits",
  [],
  once(async () => (await making()).makePoints({ ...SETTINGS, only: ONLY })),
  ["guess", "entered", "check"],
);

/** The same where there are passwords, with registrations and emails. */
export const limitsWithPasswords: Feature = makeFeature(
  "limits",
  [],
  once(async () => (await making()).makePoints({ ...SETTINGS, only: WITH_PASSWORDS })),
  ["guess", "mail", "entered", "check"],
);
