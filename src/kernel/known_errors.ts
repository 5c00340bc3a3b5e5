/**
 * Which errors belong to the service. Callbacks may also throw the errors of `@auth/core`, of `next-auth` or of another
 * copy of this package. These are recognised by their `type`.
 *
 * @module
 */
import * as own from "./errors.ts";
import type { AuthError, AuthErrorType } from "./errors.ts";

type MakeError = new (message: string, options: { readonly cause: unknown }) => AuthError;

// A missing row does not compile.
const BY_TYPE: Readonly<Record<AuthErrorType, MakeError>> = {
  AuthError: own.AuthError,
  MissingSecret: own.MissingSecret,
  UntrustedHost: own.UntrustedHost,
  InvalidConfig: own.InvalidConfig,
  InvalidEndpoints: own.InvalidEndpoints,
  MissingAuthorize: own.MissingAuthorize,
  MissingAdapter: own.MissingAdapter,
  MissingAdapterMethods: own.MissingAdapterMethods,
  UnsupportedStrategy: own.UnsupportedStrategy,
  DuplicateConditionalUI: own.DuplicateConditionalUI,
  MissingWebAuthnAutocomplete: own.MissingWebAuthnAutocomplete,
  ExperimentalFeatureNotEnabled: own.ExperimentalFeatureNotEnabled,
  CredentialsSignin: own.CredentialsSignin,
  OAuthSignInError: own.OAuthSignInError,
  OAuthCallbackError: own.OAuthCallbackError,
  OAuthAccountNotLinked: own.OAuthAccountNotLinked,
  EmailSignInError: own.EmailSignInError,
  AccountNotLinked: own.AccountNotLinked,
  MissingCSRF: own.MissingCSRF,
  TooManyAttempts: own.TooManyAttempts,
  RefreshRequired: own.RefreshRequired,
  StepUpRequired: own.StepUpRequired,
  AccessDenied: own.AccessDenied,
  Verification: own.Verification,
  WebAuthnVerificationError: own.WebAuthnVerificationError,
  BadRequest: own.BadRequest,
  InvalidCallbackUrl: own.InvalidCallbackUrl,
  InvalidCheck: own.InvalidCheck,
  InvalidProvider: own.InvalidProvider,
  UnknownAction: own.UnknownAction,
  LastWayIn: own.LastWayIn,
  AdapterError: own.AdapterError,
  CallbackRouteError: own.CallbackRouteError,
  ErrorPageLoop: own.ErrorPageLoop,
  EventError: own.EventError,
  JWTSessionError: own.JWTSessionError,
  OAuthProfileParseError: own.OAuthProfileParseError,
  OAuthProviderError: own.OAuthProviderError,
  Overloaded: own.Overloaded,
  ProviderUnavailable: own.ProviderUnavailable,
  SessionTokenError: own.SessionTokenError,
  SignOutError: own.SignOutError,
  Timeout: own.Timeout,
};

/**
 * Recognises an error of the service.
 *
 * @param thrown What a callback threw.
 * @returns The error itself if this package made it. For an error of another package with the same `type`, an error of
 * ours with its message and its `code`, and with it as the cause. `null` for anything else.
 */
export function asKnownError(thrown: unknown): AuthError | null {
  if (thrown instanceof own.AuthError) return thrown;
  try {
    if (!(thrown instanceof Error)) return null;
    const { type, kind, code, message } = thrown as Error & Readonly<Record<"type" | "kind" | "code", unknown>>;
    if (typeof type !== "string") return null;
    const Known = Object.hasOwn(BY_TYPE, type) ? BY_TYPE[type as AuthErrorType] : null;
    // Every error of Auth.js has a kind. Applications extend these classes and choose other types.
    if (!Known && kind !== "error" && kind !== "signIn") return null;
    const error = new (Known ?? own.AuthError)(message, { cause: thrown });
    if (error instanceof own.CredentialsSignin && typeof code === "string") error.code = code;
    return error;
  } catch {
    return null; // a getter of it throws
  }
}
