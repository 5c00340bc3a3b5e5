/**
 * Signing in with passkeys: loaded when somebody first does.
 *
 * @module
 */
export { finishCeremony } from "./callback.ts";
export { startCeremony } from "./options.ts";
