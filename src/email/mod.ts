/**
 * Signing in by email: loaded at the first use.
 *
 * @module
 */
export { confirmLink, openLink } from "./callback.ts";
export { startEmail } from "./start.ts";
