/**
 * What a visitor is told of each error.
 *
 * @module
 */
import type { AuthErrorType } from "../kernel/errors.ts";

/** What becomes of an error. */
export interface ErrorRoute {
  /** The page that tells the visitor. */
  readonly page: "signIn" | "error";
  /** The value of `error` in its query: the error's own name only where it reveals nothing. */
  readonly query: string;
  /** The status where the answer is data and not a page. */
  readonly status: 400 | 403 | 500 | 503;
}

const CONFIGURATION: ErrorRoute = { page: "error", query: "Configuration", status: 500 };
const REQUEST: ErrorRoute = { ...CONFIGURATION, status: 400 };

function tryAgain(query: string): ErrorRoute {
  return { page: "signIn", query, status: 400 };
}

function denied(query: string): ErrorRoute {
  return { page: "error", query, status: 403 };
}

/** The route of every error. A missing row does not compile. */
export const ERROR_ROUTES: Readonly<Record<AuthErrorType, ErrorRoute>> = {
  AuthError: CONFIGURATION,

  MissingSecret: CONFIGURATION,
  UntrustedHost: CONFIGURATION,
  InvalidConfig: CONFIGURATION,
  InvalidEndpoints: CONFIGURATION,
  MissingAuthorize: CONFIGURATION,
  MissingAdapter: CONFIGURATION,
  MissingAdapterMethods: CONFIGURATION,
  UnsupportedStrategy: CONFIGURATION,
  DuplicateConditionalUI: CONFIGURATION,
  MissingWebAuthnAutocomplete: CONFIGURATION,
  ExperimentalFeatureNotEnabled: CONFIGURATION,

  CredentialsSignin: tryAgain("CredentialsSignin"),
  OAuthCallbackError: tryAgain("OAuthCallbackError"),
  OAuthAccountNotLinked: tryAgain("OAuthAccountNotLinked"),
  EmailSignInError: tryAgain("EmailSignin"),
  AccountNotLinked: tryAgain("AccountNotLinked"),
  MissingCSRF: tryAgain("MissingCSRF"),

  AccessDenied: denied("AccessDenied"),
  Verification: denied("Verification"),
  WebAuthnVerificationError: denied("WebAuthnVerificationError"),

  BadRequest: REQUEST,
  InvalidCallbackUrl: REQUEST,
  // Mostly the back button, or a cup of coffee at the provider: what an e-mail link that was used would show.
  InvalidCheck: denied("Verification"),
  InvalidProvider: REQUEST,
  UnknownAction: REQUEST,

  AdapterError: { ...CONFIGURATION, status: 503 },
  CallbackRouteError: CONFIGURATION,
  ErrorPageLoop: CONFIGURATION,
  EventError: CONFIGURATION,
  JWTSessionError: CONFIGURATION,
  OAuthProfileParseError: CONFIGURATION,
  OAuthProviderError: CONFIGURATION,
  SessionTokenError: { ...CONFIGURATION, status: 503 },
  SignOutError: { ...CONFIGURATION, status: 503 },
  Timeout: { ...CONFIGURATION, status: 503 },
};
