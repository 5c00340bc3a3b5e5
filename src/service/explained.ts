/**
 * Adds to a problem of the configuration what the environment shows about it. It is loaded when one is logged.
 *
 * @module
 */
import { otherNames } from "../config/other_names.ts";
import { type ConfigError, MissingSecret, UntrustedHost } from "../kernel/errors.ts";
import type { Runtime } from "../kernel/runtime.ts";
import type { Mount } from "./configured.ts";

/** Explains a problem. */
export async function explained(
  problem: ConfigError,
  { env }: Runtime,
  mount: Mount | undefined,
): Promise<ConfigError> {
  if (problem instanceof MissingSecret && mount?.envHint) {
    return new MissingSecret(`${problem.message}; ${await mount.envHint()}`);
  }
  if (problem instanceof UntrustedHost) {
    return new UntrustedHost(problem.message + otherNames(env, "AUTH_TRUST_HOST", "AUTH_URL"));
  }
  return problem;
}
