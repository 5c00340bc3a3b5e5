/**
 * Signing in with passkeys: loaded when somebody first does.
 *
 * @module
 */
export { finishCeremony } from "./callback.ts";
export { addressOf, startCeremony } from "./options.ts";
