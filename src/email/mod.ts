/**
 * Signing in by email: loaded when somebody first does.
 *
 * @module
 */
export { confirmLink, openLink } from "./callback.ts";
export { startEmail } from "./start.ts";
