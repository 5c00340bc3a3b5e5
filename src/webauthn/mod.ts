/**
 * Signing in with passkeys: loaded at the first use.
 *
 * @module
 */
export { finishCeremony } from "./callback.ts";
export { addressOf, startCeremony } from "./options.ts";
