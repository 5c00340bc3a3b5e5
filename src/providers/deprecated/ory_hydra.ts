/**
 * Sign in with Ory Hydra, under the name of the file that Auth.js has for it.
 *
 * @deprecated Import `@x/auth/providers/hydra`. It is the same provider, with the same id.
 *
 * @module
 */
export { default, hydra as oryHydra, type HydraProfile as OryHydraProfile } from "../hydra.ts";
export type { OidcProvider } from "../../contract/provider.ts";
