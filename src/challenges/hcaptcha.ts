/**
 * hCaptcha as the challenge of `limits()`.
 *
 * @module
 */
import { type Challenge, type ChallengeKeys, makeChallenge } from "../contract/challenge.ts";
import { once } from "../kernel/load.ts";

export type { Challenge, ChallengeKeys };

const SERVICE = {
  name: "hcaptcha",
  field: "h-captcha-response",
  className: "h-captcha",
  // Without it, the solution comes in a second field, too.
  script: "https://js.hcaptcha.com/1/api.js?recaptchacompat=off",
  origins: ["https://hcaptcha.com", "https://*.hcaptcha.com"],
  verifyUrl: "https://api.hcaptcha.com/siteverify",
  sendsSiteKey: true,
} as const;

const acts = once(() => import("../limits/service_challenge.ts"));

/**
 * Asks hCaptcha for the challenge. A solution is good on pages of these hosts, and once.
 *
 * @throws {InvalidConfig} when it is shown, if a key is missing.
 *
 * @example Usage
 * ```ts
 * import { hcaptcha } from "@x/auth/challenges/hcaptcha";
 *
 * const challenge = hcaptcha({
 *   siteKey: "10000000-ffff-ffff-ffff-000000000001",
 *   secretKey: "0x0000000000000000000000000000000000000000",
 * });
 * ```
 *
 * @see {@link https://docs.hcaptcha.com/#verify-the-user-response-server-side | Verify the user response}
 */
export function hcaptcha(keys: ChallengeKeys): Challenge {
  return makeChallenge("hcaptcha", async () => (await acts()).serviceActs(SERVICE, keys));
}
