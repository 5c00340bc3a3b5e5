/**
 * The door of the room: what is loaded when somebody first signs in by e-mail.
 *
 * @module
 */
export { confirmLink, openLink } from "./callback.ts";
export { startEmail } from "./start.ts";
