/**
 * Which page and status each error leads to.
 *
 * @module
 */
import type { AuthErrorType } from "../kernel/errors.ts";

/** Where an error leads. */
export interface ErrorRoute {
  /** The page that shows it. */
  readonly page: "signIn" | "error";
  /** The value of `error` in the query of the page: the name of the error only where that reveals nothing. */
  readonly query: string;
  /** The status of an answer with a JSON body. */
  readonly status: 400 | 403 | 429 | 500 | 503;
}

const CONFIGURATION: ErrorRoute = { page: "error", query: "Configuration", status: 500 };
const REQUEST: ErrorRoute = { ...CONFIGURATION, status: 400 };
const PASSING: ErrorRoute = { ...CONFIGURATION, status: 503 };

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
  OAuthSignInError: tryAgain("Configuration"),
  OAuthCallbackError: tryAgain("OAuthCallbackError"),
  OAuthAccountNotLinked: tryAgain("OAuthAccountNotLinked"),
  EmailSignInError: tryAgain("EmailSignin"),
  AccountNotLinked: tryAgain("AccountNotLinked"),
  MissingCSRF: tryAgain("MissingCSRF"),
  TooManyAttempts: { ...tryAgain("TooManyAttempts"), status: 429 },
  RefreshRequired: tryAgain("SessionRequired"),
  StepUpRequired: tryAgain("SessionRequired"),

  AccessDenied: denied("AccessDenied"),
  Verification: denied("Verification"),
  WebAuthnVerificationError: denied("WebAuthnVerificationError"),

  BadRequest: REQUEST,
  LastWayIn: REQUEST,
  InvalidCallbackUrl: REQUEST,
  // Mostly the back button, or too long a stay at the provider: the same page as for an email link that was used.
  InvalidCheck: denied("Verification"),
  InvalidProvider: REQUEST,
  UnknownAction: REQUEST,

  AdapterError: PASSING,
  CallbackRouteError: CONFIGURATION,
  ErrorPageLoop: CONFIGURATION,
  EventError: CONFIGURATION,
  JWTSessionError: CONFIGURATION,
  OAuthProfileParseError: CONFIGURATION,
  OAuthProviderError: CONFIGURATION,
  Overloaded: PASSING,
  ProviderUnavailable: PASSING,
  SessionTokenError: PASSING,
  SignOutError: PASSING,
  Timeout: PASSING,
};
