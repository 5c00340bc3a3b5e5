/**
 * Programs that a host runs, in place of a developer or a test.
 *
 * @module
 */

/** Variables of hosts that run deployed programs. */
const DEPLOYED: readonly string[] = ["DENO_DEPLOYMENT_ID", "VERCEL", "CF_PAGES", "K_SERVICE", "FLY_APP_NAME"];

/** Finds the variable that says that this program was deployed, if there is one. */
export function deployedBy(env: (name: string) => string | undefined): string | undefined {
  return DEPLOYED.find((name) => env(name));
}
