/**
 * Sign-in with OAuth 2.0 and OpenID Connect, loaded when it is first used.
 *
 * @module
 */
export { finishOAuth, relayFormPost } from "./callback.ts";
export { startOAuth } from "./start.ts";
