/**
 * The door of the room: what is loaded when somebody first uses a passkey.
 *
 * @module
 */
export { finishCeremony } from "./callback.ts";
export { startCeremony } from "./options.ts";
