/**
 * The base of all errors of the service, and which of them the browser may learn.
 *
 * @module
 */
import type { LogCode } from "./log_codes.ts";

/** The `cause` of an {@linkcode AuthError}: the underlying error, and any other evidence. */
export interface AuthErrorCause {
  /** The underlying error: what was thrown, which is an error unless your code throws something else. */
  err?: Error;
  /** Any other evidence. Secrets are removed before it is logged. */
  [evidence: string]: unknown;
}

/** The literal `type` of every error. */
export type AuthErrorType =
  | "AuthError"
  | "MissingSecret"
  | "UntrustedHost"
  | "InvalidConfig"
  | "InvalidEndpoints"
  | "MissingAuthorize"
  | "MissingAdapter"
  | "MissingAdapterMethods"
  | "UnsupportedStrategy"
  | "DuplicateConditionalUI"
  | "MissingWebAuthnAutocomplete"
  | "ExperimentalFeatureNotEnabled"
  | "CredentialsSignin"
  | "OAuthSignInError"
  | "OAuthCallbackError"
  | "OAuthAccountNotLinked"
  | "EmailSignInError"
  | "AccountNotLinked"
  | "MissingCSRF"
  | "TooManyAttempts"
  | "RefreshRequired"
  | "StepUpRequired"
  | "AccessDenied"
  | "Verification"
  | "WebAuthnVerificationError"
  | "BadRequest"
  | "InvalidCallbackUrl"
  | "InvalidCheck"
  | "InvalidProvider"
  | "UnknownAction"
  | "LastWayIn"
  | "AdapterError"
  | "CallbackRouteError"
  | "ErrorPageLoop"
  | "EventError"
  | "JWTSessionError"
  | "OAuthProfileParseError"
  | "OAuthProviderError"
  | "Overloaded"
  | "ProviderUnavailable"
  | "SessionTokenError"
  | "SignOutError"
  | "Timeout";

/**
 * The families of errors.
 *
 * - `config`: fix the configuration.
 * - `sign-in`: the visitor can try again.
 * - `denied`: the visitor may not sign in.
 * - `request`: the request is not valid here.
 * - `fault`: something that the service depends on failed.
 */
export type AuthErrorFamily = "other" | "config" | "sign-in" | "denied" | "request" | "fault";

/** The base class of all errors of the service. */
export class AuthError extends Error {
  /** The literal type, which the log prints. Class names do not survive minifying. */
  readonly type: AuthErrorType = "AuthError";
  /** Its family. */
  readonly family: AuthErrorFamily = "other";
  /** The page that shows it, where an error of Auth.js has it: `signIn` is the sign-in page, `error` the error page. */
  readonly kind: "signIn" | "error" = "error";
  /** The underlying error, and other evidence. */
  override readonly cause?: AuthErrorCause;
  /** What happened, more exactly than `type` says. Each code has an entry in `docs/errors.md`. */
  readonly logCode?: LogCode;
  /** The individual problems, if the error stands for several. */
  readonly problems?: readonly AuthError[];

  /**
   * Creates the error from a message, from the underlying error, or from both.
   *
   * @param message What cannot be done, and why. Or the underlying error, or other evidence.
   * @param options `cause` as in {@linkcode Error}: an error, or evidence that holds the error as `err`. `logCode` says what
   * happened, more exactly than the type. `problems` are the individual problems, if the error stands for several.
   */
  constructor(
    message?: string | Error | Readonly<Record<string, unknown>>,
    options?: {
      readonly cause?: unknown;
      readonly logCode?: LogCode | undefined;
      readonly problems?: readonly AuthError[] | undefined;
    },
  ) {
    super(textOf(message));
    const cause = causeOf(typeof message === "string" ? options?.cause : message ?? options?.cause);
    if (cause) this.cause = cause;
    if (options?.logCode) this.logCode = options.logCode;
    if (options?.problems) this.problems = Object.freeze([...options.problems]);
    this.name = new.target.name;
  }
}

/** The errors whose type the browser may learn, so that a custom page can explain them. */
const CLIENT_ERRORS: ReadonlySet<string> = new Set(
  [
    "CredentialsSignin",
    "OAuthAccountNotLinked",
    "OAuthCallbackError",
    "AccessDenied",
    "Verification",
    "MissingCSRF",
    "AccountNotLinked",
    "TooManyAttempts",
    "WebAuthnVerificationError",
  ] satisfies AuthErrorType[],
);

/**
 * Whether the browser may learn the `type` of an error. Other errors reach the browser as `Configuration`.
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
  // Of another copy of the package, too: an application may have two.
  return error instanceof Error && "family" in error && CLIENT_ERRORS.has((error as AuthError).type);
}

function textOf(message: string | Error | AuthErrorCause | undefined): string | undefined {
  if (typeof message === "string" || message === undefined) return message;
  if (message instanceof Error) return message.message;
  return message.err instanceof Error ? message.err.message : undefined;
}

function causeOf(cause: unknown): AuthErrorCause | undefined {
  if (cause === undefined) return undefined;
  // Nearly all that is thrown is an error.
  const alone = { err: cause as Error };
  try {
    return cause instanceof Error || typeof cause !== "object" || cause === null ? alone : { ...cause };
  } catch {
    return alone; // it cannot be read: a getter throws, or a proxy is revoked
  }
}
