/**
 * The errors of the service, in five families. The family says who must act.
 *
 * @example Usage
 * ```ts
 * import { AuthError, CredentialsSignin } from "@x/auth/errors";
 * import assert from "node:assert/strict";
 *
 * class LockedOut extends CredentialsSignin {
 *   override code = "locked_out";
 * }
 *
 * const error: AuthError = new LockedOut("Account is locked");
 * assert.equal(error.type, "CredentialsSignin");
 * ```
 *
 * @module
 */
export * from "./kernel/errors.ts";
export { isClientError } from "./kernel/auth_error.ts";
