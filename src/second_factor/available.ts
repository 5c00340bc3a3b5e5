/**
 * Which ways somebody has to give a second proof.
 *
 * @module
 */
import type { ProofMethod } from "../request/factor_views.ts";
import type { ChosenMethod } from "./settings.ts";

/** What decides it. */
export interface ProofFacts {
  /** What the site has chosen. */
  readonly chosen: readonly ChosenMethod[];
  /** Whether they have enrolled: they have shown that they kept their recovery codes. */
  readonly isOn: boolean;
  /** Whether they have shown that an application of theirs shows the right codes. */
  readonly hasTotp: boolean;
  /** Whether there is a recovery code that was not used. */
  readonly hasRecoveryCodes: boolean;
  /** Whether they have a passkey, and the site takes it. */
  readonly hasPasskey: boolean;
  /** Whether their address is proven to be theirs. */
  readonly isEmailProven: boolean;
  /** Whether the site can send mail. */
  readonly sendsMail: boolean;
  /** Whether the first proof was by mail: the mailbox is no second factor then. */
  readonly beganByMail: boolean;
  /** Whether they have said that they have lost everything, and have waited: then their mailbox is a way. */
  readonly isRecovering: boolean;
  /** What may prove it, as RFC 8176 names it. With `mfa`, anything may. */
  readonly missing: readonly string[];
}

/** The ways, best first. */
const BEST_FIRST: readonly ProofMethod[] = ["passkey", "totp", "email-code", "recovery-code"];

/** What each of them proves, as RFC 8176 names it. */
const PROVES: Readonly<Record<ProofMethod, readonly string[]>> = {
  passkey: ["mfa", "hwk", "swk", "user"],
  totp: ["mfa", "otp"],
  "email-code": ["mfa", "mail"],
  "recovery-code": ["mfa", "rcv"],
};

/** Lists the ways that somebody has, best first. */
export function availableMethods(facts: ProofFacts): readonly ProofMethod[] {
  const { missing } = facts;
  return BEST_FIRST.filter((method) => {
    return hasMethod(method, facts) && PROVES[method].some((proven) => missing.includes(proven));
  });
}

/** Whether somebody who adds a factor can prove one of what is missing. */
export function canAdd({ chosen, missing }: Pick<ProofFacts, "chosen" | "missing">): boolean {
  const added: readonly ProofMethod[] = [...chosen.filter((method) => method !== "email-code"), "recovery-code"];
  return added.some((method) => PROVES[method].some((proven) => missing.includes(proven)));
}

function hasMethod(method: ProofMethod, facts: ProofFacts): boolean {
  const { chosen, isOn, hasTotp, hasRecoveryCodes, hasPasskey } = facts;
  switch (method) {
    case "passkey":
      return chosen.includes(method) && hasPasskey;
    case "totp":
      // Without recovery codes, who loses the device would be locked out.
      return chosen.includes(method) && isOn && hasTotp;
    case "email-code":
      return (chosen.includes(method) || facts.isRecovering) && canMail(facts);
    case "recovery-code":
      return isOn && hasRecoveryCodes;
    default:
      return method satisfies never;
  }
}

function canMail({ sendsMail, isEmailProven, beganByMail }: ProofFacts): boolean {
  return sendsMail && isEmailProven && !beganByMail;
}

/** Whether they may say that they have lost every way that they have: there is another one after a wait. */
export function mayRecover(facts: ProofFacts): boolean {
  return facts.isOn && !facts.isRecovering && !facts.chosen.includes("email-code") && canMail(facts);
}
