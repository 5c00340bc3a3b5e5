/**
 * The errors of the service, in five families by who must act.
 *
 * @module
 */

/** What `cause` of an {@linkcode AuthError} holds: the error underneath, and what else is known. */
export interface AuthErrorCause {
  /** The error that led to this one. */
  err?: unknown;
  /** Any other evidence. It is logged with secrets removed. */
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
  | "OAuthCallbackError"
  | "OAuthAccountNotLinked"
  | "EmailSignInError"
  | "AccountNotLinked"
  | "MissingCSRF"
  | "AccessDenied"
  | "Verification"
  | "WebAuthnVerificationError"
  | "BadRequest"
  | "InvalidCallbackUrl"
  | "InvalidCheck"
  | "InvalidProvider"
  | "UnknownAction"
  | "AdapterError"
  | "CallbackRouteError"
  | "ErrorPageLoop"
  | "EventError"
  | "JWTSessionError"
  | "OAuthProfileParseError"
  | "OAuthProviderError"
  | "SessionTokenError"
  | "SignOutError"
  | "Timeout";

/** The families of errors, by who must act. */
export type AuthErrorFamily = "other" | "config" | "sign-in" | "denied" | "request" | "fault";

/**
 * The base of every error of the service.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1 | RFC 6749, section 4.1.2.1} for errors a provider reports
 */
export class AuthError extends Error {
  /** Names the case; also what the log prints. */
  readonly type: AuthErrorType = "AuthError";
  /** Who must act. */
  readonly family: AuthErrorFamily = "other";
  /** The error underneath, and other evidence. */
  override readonly cause?: AuthErrorCause;

  /**
   * Makes the error of a message, of the error underneath, or of both.
   *
   * @param message What cannot be done and why; or the error underneath; or evidence.
   * @param options `cause` as in {@linkcode Error}: an error, or evidence with the error as `err`.
   */
  constructor(message?: string | Error | AuthErrorCause, options?: { cause?: unknown }) {
    super(textOf(message));
    const cause = causeOf(typeof message === "string" ? options?.cause : message ?? options?.cause);
    if (cause) this.cause = cause;
    this.name = new.target.name;
  }
}

function textOf(message: string | Error | AuthErrorCause | undefined): string | undefined {
  if (typeof message === "string" || message === undefined) return message;
  if (message instanceof Error) return message.message;
  return message.err instanceof Error ? message.err.message : undefined;
}

function causeOf(cause: unknown): AuthErrorCause | undefined {
  if (cause === undefined) return undefined;
  try {
    return cause instanceof Error || typeof cause !== "object" || cause === null ? { err: cause } : { ...cause };
  } catch {
    return { err: cause }; // whatever was thrown cannot even be read: a getter that throws, a revoked proxy
  }
}

/** The configuration is wrong: whoever deploys the service must act. No request is served. */
export abstract class ConfigError extends AuthError {
  /** Who must act. */
  override readonly family = "config" as const;
}

/** No secret is configured: set `secret` or the environment variable `AUTH_SECRET`. */
export class MissingSecret extends ConfigError {
  /** Names the case. */
  override readonly type = "MissingSecret" as const;
}

/** The request's host is not trusted: set `AUTH_URL`, or `AUTH_TRUST_HOST` behind a server that checks it. */
export class UntrustedHost extends ConfigError {
  /** Names the case. */
  override readonly type = "UntrustedHost" as const;
}

/** An option has a value that cannot work; the message names it. */
export class InvalidConfig extends ConfigError {
  /** Names the case. */
  override readonly type = "InvalidConfig" as const;
}

/** An OAuth provider has neither an issuer nor all of its endpoints. */
export class InvalidEndpoints extends ConfigError {
  /** Names the case. */
  override readonly type = "InvalidEndpoints" as const;
}

/** A credentials provider has no `authorize`. */
export class MissingAuthorize extends ConfigError {
  /** Names the case. */
  override readonly type = "MissingAuthorize" as const;
}

/** A provider or the `database` strategy needs storage and there is none. */
export class MissingAdapter extends ConfigError {
  /** Names the case. */
  override readonly type = "MissingAdapter" as const;
}

/** The adapter lacks operations that the configuration needs. */
export class MissingAdapterMethods extends ConfigError {
  /** Names the case. */
  override readonly type = "MissingAdapterMethods" as const;
}

/** The session strategy does not fit the providers. */
export class UnsupportedStrategy extends ConfigError {
  /** Names the case. */
  override readonly type = "UnsupportedStrategy" as const;
}

/** More than one WebAuthn provider asks for conditional UI. */
export class DuplicateConditionalUI extends ConfigError {
  /** Names the case. */
  override readonly type = "DuplicateConditionalUI" as const;
}

/** Conditional UI is on and no form field has `webauthn` in its `autocomplete`. */
export class MissingWebAuthnAutocomplete extends ConfigError {
  /** Names the case. */
  override readonly type = "MissingWebAuthnAutocomplete" as const;
}

/** A feature was switched off explicitly and is used all the same. */
export class ExperimentalFeatureNotEnabled extends ConfigError {
  /** Names the case. */
  override readonly type = "ExperimentalFeatureNotEnabled" as const;
}

/** A sign-in did not succeed and the person can try again: the sign-in page tells why. */
export abstract class SignInError extends AuthError {
  /** Who must act. */
  override readonly family = "sign-in" as const;
}

/**
 * The credentials were refused. Throw it from `authorize` to say why with a `code`.
 *
 * The code reaches the browser as `?error=CredentialsSignin&code=…`: it must not reveal whether an account exists.
 */
export class CredentialsSignin extends SignInError {
  /** Names the case. */
  override readonly type = "CredentialsSignin" as const;
  /** The reason for the browser: 1 to 64 of `A-Z a-z 0-9 _ -`; anything else is sent as `credentials`. */
  code: string = "credentials";
}

/** The identity provider reported an error instead of a code. */
export class OAuthCallbackError extends SignInError {
  /** Names the case. */
  override readonly type = "OAuthCallbackError" as const;
}

/** The account's e-mail address belongs to a user who signs in another way. */
export class OAuthAccountNotLinked extends SignInError {
  /** Names the case. */
  override readonly type = "OAuthAccountNotLinked" as const;
}

/** The mail with the sign-in link could not be sent. */
export class EmailSignInError extends SignInError {
  /** Names the case. */
  override readonly type = "EmailSignInError" as const;
}

/** The passkey cannot be connected with the user it names. */
export class AccountNotLinked extends SignInError {
  /** Names the case. */
  override readonly type = "AccountNotLinked" as const;
}

/** A form came without its CSRF token, or from another site. */
export class MissingCSRF extends SignInError {
  /** Names the case. */
  override readonly type = "MissingCSRF" as const;
}

/** The person may not get in: the error page says so. */
export abstract class DeniedError extends AuthError {
  /** Who must act. */
  override readonly family = "denied" as const;
}

/** The `signIn` callback said no, or the person declined at the provider. */
export class AccessDenied extends DeniedError {
  /** Names the case. */
  override readonly type = "AccessDenied" as const;
}

/** An e-mail link was used before, has expired, or was never issued. */
export class Verification extends DeniedError {
  /** Names the case. */
  override readonly type = "Verification" as const;
}

/** A passkey ceremony did not verify. */
export class WebAuthnVerificationError extends DeniedError {
  /** Names the case. */
  override readonly type = "WebAuthnVerificationError" as const;
}

/** The request cannot be served as it is: whoever sent it must act. */
export abstract class RequestError extends AuthError {
  /** Who must act. */
  override readonly family = "request" as const;
}

/** The request is malformed: its body, its parameters or their number. */
export class BadRequest extends RequestError {
  /** Names the case. */
  override readonly type = "BadRequest" as const;
}

/** A target URL is not usable. */
export class InvalidCallbackUrl extends RequestError {
  /** Names the case. */
  override readonly type = "InvalidCallbackUrl" as const;
}

/** State, PKCE or nonce did not match: the flow was not started here, has expired or was finished before. */
export class InvalidCheck extends RequestError {
  /** Names the case. */
  override readonly type = "InvalidCheck" as const;
}

/** The provider does not do what was asked of it. */
export class InvalidProvider extends RequestError {
  /** Names the case. */
  override readonly type = "InvalidProvider" as const;
}

/** The action does not exist. */
export class UnknownAction extends RequestError {
  /** Names the case. */
  override readonly type = "UnknownAction" as const;
}

/** Something that the service depends on failed: the log tells what. */
export abstract class FaultError extends AuthError {
  /** Who must act. */
  override readonly family = "fault" as const;
}

/** The storage failed. */
export class AdapterError extends FaultError {
  /** Names the case. */
  override readonly type = "AdapterError" as const;
}

/** Something failed while a sign-in was completed. */
export class CallbackRouteError extends FaultError {
  /** Names the case. */
  override readonly type = "CallbackRouteError" as const;
}

/** The custom error page itself needs a session. */
export class ErrorPageLoop extends FaultError {
  /** Names the case. */
  override readonly type = "ErrorPageLoop" as const;
}

/** An event handler failed. Logged, never raised. */
export class EventError extends FaultError {
  /** Names the case. */
  override readonly type = "EventError" as const;
}

/** The session token could not be read, or a callback failed over it. Logged, never raised. */
export class JWTSessionError extends FaultError {
  /** Names the case. */
  override readonly type = "JWTSessionError" as const;
}

/** The `profile` callback of a provider failed, or gave no usable id. */
export class OAuthProfileParseError extends FaultError {
  /** Names the case. */
  override readonly type = "OAuthProfileParseError" as const;
}

/** An identity provider did not answer as its protocol demands. */
export class OAuthProviderError extends FaultError {
  /** Names the case. */
  override readonly type = "OAuthProviderError" as const;
}

/** The stored session could not be read. */
export class SessionTokenError extends FaultError {
  /** Names the case. */
  override readonly type = "SessionTokenError" as const;
}

/** The session could not be ended in storage. */
export class SignOutError extends FaultError {
  /** Names the case. */
  override readonly type = "SignOutError" as const;
}

/** Something took longer than `timeouts` allow. */
export class Timeout extends FaultError {
  /** Names the case. */
  override readonly type = "Timeout" as const;
}
