/**
 * Cloudflare Turnstile as the challenge of `limits()`.
 *
 * @module
 */
import { type Challenge, type ChallengeKeys, makeChallenge } from "../contract/challenge.ts";
import { once } from "../kernel/load.ts";

export type { Challenge, ChallengeKeys };

const SERVICE = {
  name: "turnstile",
  field: "cf-turnstile-response",
  className: "cf-turnstile",
  data: { theme: "auto", size: "flexible" },
  script: "https://challenges.cloudflare.com/turnstile/v0/api.js",
  origins: ["https://challenges.cloudflare.com"],
  verifyUrl: "https://challenges.cloudflare.com/turnstile/v0/siteverify",
  action: "sign-in",
  repeatsData: true,
} as const;

const acts = once(() => import("../limits/service_challenge.ts"));

/**
 * Asks Turnstile for the challenge. A solution is good for one subject, on pages of these hosts, and once.
 *
 * With the secret keys that Cloudflare gives out for tests, the host is `example.com`: set `hostnames`.
 *
 * @throws {InvalidConfig} when it is shown, if a key is missing.
 *
 * @example Usage
 * ```ts
 * import { turnstile } from "@x/auth/challenges/turnstile";
 *
 * const challenge = turnstile({ siteKey: "1x00000000000000000000AA", secretKey: "1x0000000000000000000000000000000AA" });
 * ```
 *
 * @see {@link https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ | Validate the token}
 */
export function turnstile(keys: ChallengeKeys): Challenge {
  return makeChallenge("turnstile", async () => (await acts()).serviceActs(SERVICE, keys));
}
