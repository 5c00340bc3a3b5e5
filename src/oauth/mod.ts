/**
 * The door of the room: what is loaded when somebody first signs in with a provider.
 *
 * @module
 */
export { finishOAuth, relayFormPost } from "./callback.ts";
export { startOAuth } from "./start.ts";
