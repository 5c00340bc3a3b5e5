/**
 * The endpoints of passwords. This folder is loaded when somebody asks for one.
 *
 * @module
 */
export { answerPassword, openPassword } from "./change.ts";
export { answerReset, openReset } from "./reset.ts";
export { answerSignUp, openSignUp } from "./sign_up.ts";
