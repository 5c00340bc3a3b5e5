/**
 * Google reCAPTCHA v2 as the challenge of `limits()`.
 *
 * @module
 */
import { type Challenge, type ChallengeKeys, makeChallenge } from "../contract/challenge.ts";
import { once } from "../kernel/load.ts";

export type { Challenge, ChallengeKeys };

const SERVICE = {
  name: "recaptcha",
  field: "g-recaptcha-response",
  className: "g-recaptcha",
  script: "https://www.google.com/recaptcha/api.js",
  // With the paths: other scripts of these hosts run whatever their URL says.
  origins: [
    ...["https://www.google.com/recaptcha/", "https://www.gstatic.com/recaptcha/"],
    "https://recaptcha.google.com/recaptcha/",
  ],
  verifyUrl: "https://www.google.com/recaptcha/api/siteverify",
} as const;

const acts = once(() => import("../limits/service_challenge.ts"));

/**
 * Asks reCAPTCHA v2 (the checkbox) for the challenge. A solution is good on pages of these hosts, and once.
 *
 * Keys of v3 do not work here: v3 gives every visitor a score, and has nothing to show to those who get a low one.
 *
 * @throws {InvalidConfig} when it is shown, if a key is missing.
 *
 * @example Usage
 * ```ts
 * import { recaptcha } from "@x/auth/challenges/recaptcha";
 *
 * const challenge = recaptcha({
 *   siteKey: "6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI",
 *   secretKey: "6LeIxAcTAAAAAGG-vFI1TnRWxMZNFuojJ4WifJWe",
 * });
 * ```
 *
 * @see {@link https://developers.google.com/recaptcha/docs/verify | Verifying the user's response}
 */
export function recaptcha(keys: ChallengeKeys): Challenge {
  return makeChallenge("recaptcha", async () => (await acts()).serviceActs(SERVICE, keys));
}
