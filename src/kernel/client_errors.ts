/**
 * Which errors a visitor may be told of.
 *
 * @module
 */
import { AuthError, type AuthErrorType } from "./auth_error.ts";

/** The errors that a browser may be told of: a page of yours may show what they mean. */
const CLIENT_ERRORS: ReadonlySet<string> = new Set(
  [
    "CredentialsSignin",
    "OAuthAccountNotLinked",
    "OAuthCallbackError",
    "AccessDenied",
    "Verification",
    "MissingCSRF",
    "AccountNotLinked",
    "WebAuthnVerificationError",
  ] satisfies AuthErrorType[],
);

/**
 * Whether the visitor may be told of an error by its `type`. The others reach the browser as `Configuration`.
 *
 * @example Usage
 * ```ts
 * import { AccessDenied, isClientError, MissingSecret } from "@x/auth/errors";
 * import assert from "node:assert/strict";
 *
 * assert.equal(isClientError(new AccessDenied()), true);
 * assert.equal(isClientError(new MissingSecret()), false);
 * ```
 *
 * @param error Anything.
 */
export function isClientError(error: unknown): error is AuthError {
  return error instanceof AuthError && CLIENT_ERRORS.has(error.type);
}
