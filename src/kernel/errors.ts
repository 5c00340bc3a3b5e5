/**
 * The errors of the service, in five families. The family says who must act.
 *
 * @module
 */
import { AuthError, type AuthErrorCause, type AuthErrorFamily, type AuthErrorType } from "./auth_error.ts";
import type { ChallengeView, ChallengeWidget } from "./challenge_view.ts";
import type { LogCode } from "./log_codes.ts";
import type { RefreshReason } from "./model.ts";
import type { StepUpPart } from "./requirement.ts";

export { AuthError, type AuthErrorCause, type AuthErrorFamily, type AuthErrorType, type LogCode, type StepUpPart };
export type { ChallengeView, ChallengeWidget };

/**
 * The configuration is wrong; the message names the option. If it is about one provider, that provider is left out until
 * it is fixed. Otherwise no request is served.
 */
export abstract class ConfigError extends AuthError {
  /** Its family. */ override readonly family = "config" as const;
}

/** There is no secret. Set `secret` or the environment variable `AUTH_SECRET`. */
export class MissingSecret extends ConfigError {
  /** The literal type. */ override readonly type = "MissingSecret" as const;
}

/**
 * The host of the request is not trusted. Set `AUTH_URL`; or set `AUTH_TRUST_HOST` if a server in front of the service
 * checks the host.
 */
export class UntrustedHost extends ConfigError {
  /** The literal type. */ override readonly type = "UntrustedHost" as const;
}

/** An option has a value that cannot work. The message names the option. */
export class InvalidConfig extends ConfigError {
  /** The literal type. */ override readonly type = "InvalidConfig" as const;
}

/** An OAuth provider has neither an `issuer` nor all of its endpoints. */
export class InvalidEndpoints extends ConfigError {
  /** The literal type. */ override readonly type = "InvalidEndpoints" as const;
}

/** A credentials provider has no `authorize`. */
export class MissingAuthorize extends ConfigError {
  /** The literal type. */ override readonly type = "MissingAuthorize" as const;
}

/** A provider or the session strategy `database` needs an `adapter`, and none is configured. */
export class MissingAdapter extends ConfigError {
  /** The literal type. */ override readonly type = "MissingAdapter" as const;
}

/** The adapter lacks operations that the configuration needs. The message lists them. */
export class MissingAdapterMethods extends ConfigError {
  /** The literal type. */ override readonly type = "MissingAdapterMethods" as const;
}

/** The session strategy does not fit the providers. Never thrown: it exists for compatibility with Auth.js. */
export class UnsupportedStrategy extends ConfigError {
  /** The literal type. */ override readonly type = "UnsupportedStrategy" as const;
}

/** More than one WebAuthn provider has `enableConditionalUI`. */
export class DuplicateConditionalUI extends ConfigError {
  /** The literal type. */ override readonly type = "DuplicateConditionalUI" as const;
}

/** A WebAuthn provider has `enableConditionalUI`, and none of its form fields has `webauthn` in its `autocomplete`. */
export class MissingWebAuthnAutocomplete extends ConfigError {
  /** The literal type. */ override readonly type = "MissingWebAuthnAutocomplete" as const;
}

/** A feature is used although `experimental` switches it off. */
export class ExperimentalFeatureNotEnabled extends ConfigError {
  /** The literal type. */ override readonly type = "ExperimentalFeatureNotEnabled" as const;
}

/** A sign-in did not succeed. The sign-in page says why, and the visitor can try again. */
export abstract class SignInError extends AuthError {
  /** Its family. */ override readonly family = "sign-in" as const;
  /** The page that shows it. */ override readonly kind = "signIn" as const;
}

/**
 * The credentials were refused. Throw it from `authorize`; extend it to say why in `code`.
 *
 * The code reaches the browser as `?error=CredentialsSignin&code=…`, so it must not reveal whether an account exists.
 *
 * @example Usage
 * ```ts
 * import { CredentialsSignin } from "@x/auth/errors";
 *
 * class LockedOut extends CredentialsSignin {
 *   override code = "locked_out";
 * }
 * ```
 */
export class CredentialsSignin extends SignInError {
  /** The literal type. */ override readonly type = "CredentialsSignin" as const;
  /** The reason for the browser: 1 to 64 characters of `A-Z a-z 0-9 _ -`. Anything else is sent as `credentials`. */
  code: string = "credentials";
}

/** The sign-in with a provider could not be started. Never thrown: it exists for compatibility with Auth.js. */
export class OAuthSignInError extends SignInError {
  /** The literal type. */ override readonly type = "OAuthSignInError" as const;
}

/**
 * The provider reported an error instead of a code.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1 | RFC 6749, section 4.1.2.1}
 */
export class OAuthCallbackError extends SignInError {
  /** The literal type. */ override readonly type = "OAuthCallbackError" as const;
}

/** The account, or its email address, belongs to another user. */
export class OAuthAccountNotLinked extends SignInError {
  /** The literal type. */ override readonly type = "OAuthAccountNotLinked" as const;
}

/** The email with the sign-in link could not be sent, or the address is not exactly one mailbox. */
export class EmailSignInError extends SignInError {
  /** The literal type. */ override readonly type = "EmailSignInError" as const;
}

/** The passkey cannot be linked to the user. Never thrown: it exists for compatibility with Auth.js. */
export class AccountNotLinked extends SignInError {
  /** The literal type. */ override readonly type = "AccountNotLinked" as const;
}

/** A form was sent without its CSRF token, or by another site. */
export class MissingCSRF extends SignInError {
  /** The literal type. */ override readonly type = "MissingCSRF" as const;
}

/**
 * Somebody has tried too often: codes, passwords or emails. It is the same whether or not there is such a user, and it is
 * not logged for each attempt. The answer has status 429.
 */
export class TooManyAttempts extends SignInError {
  /** The literal type. */ override readonly type = "TooManyAttempts" as const;
  /** Seconds after which another attempt is judged: at least 1. */
  retryAfter = 1;
  /** Ways that are open at once: `challenge`, `email`, `passkey`. */
  ways: readonly string[] = [];
  /**
   * What solves it at once, for a page of your own: it shows `widget`, or calls `solveChallenge()` of `@x/auth/client`, and
   * sends the form again with the solution. `null` if nothing helps but time, or another way.
   */
  challenge: ChallengeView | null = null;
}

/**
 * No access token is available until the person signs in with the provider again; or the reason is `stale`: the sign-in is
 * too old for what they want to add, see `account.freshSignIn`.
 *
 * @example Usage
 * ```ts
 * import { createAuth, RefreshRequired } from "@x/auth";
 * import { google } from "@x/auth/providers/google";
 *
 * const { accessToken, signIn } = createAuth({ providers: [google()] });
 *
 * async function events(request: Request): Promise<Response> {
 *   try {
 *     const token = await accessToken(request, "google");
 *     return await token.fetch("https://www.googleapis.com/calendar/v3/calendars/primary/events");
 *   } catch (error) {
 *     if (error instanceof RefreshRequired) return await signIn(request, "google");
 *     throw error;
 *   }
 * }
 * ```
 */
export class RefreshRequired extends SignInError {
  /** The literal type. */ override readonly type = "RefreshRequired" as const;
  /** Why. */
  reason: RefreshReason = "refused";
}

/**
 * The session of a request does not do: nobody is signed in, or `auth.require` asks for more. It is not logged.
 *
 * @example Usage
 * ```ts
 * import { createAuth, StepUpRequired } from "@x/auth";
 *
 * const auth = createAuth({ providers: [] });
 *
 * async function deleteEverything(request: Request): Promise<Response> {
 *   try {
 *     const session = await auth.require(request, { level: 2, maxAge: "10m" });
 *     return new Response(`Done, ${session.user?.name}`);
 *   } catch (error) {
 *     if (error instanceof StepUpRequired) return error.response();
 *     throw error;
 *   }
 * }
 * ```
 */
export class StepUpRequired extends SignInError {
  /** The literal type. */ override readonly type = "StepUpRequired" as const;
  /**
   * Where a browser has to go: an absolute URL of the page that asks for a second factor, or of the sign-in page. It leads
   * back from there. Empty if the service did not make the error.
   */
  // A getter: the page that people wanted is part of it, and consoles print what an error has as its own.
  get url(): string {
    return this.#url;
  }
  /** What is missing. */
  readonly missing: readonly StepUpPart[];
  readonly #url: string;
  readonly #answer: (() => Response) | undefined;

  /**
   * Creates the error.
   *
   * @param message What cannot be done, and why.
   * @param options `cause` and `logCode` as in {@linkcode AuthError}, and what the members of the error are to be.
   */
  constructor(message?: ConstructorParameters<typeof AuthError>[0], options: StepUpOptions = {}) {
    super(message, options);
    this.#url = options.url ?? "";
    this.missing = options.missing ?? [];
    this.#answer = options.response;
  }

  /**
   * Makes the answer to the request. For a page it is a redirect to `url`, and so it is for a form of somebody who is signed
   * in: what was sent is not sent again. For anything else it is 401; if somebody is signed in, with the challenge of RFC
   * 9470, and JSON with `message`, `error`, `missing` and `url`.
   *
   * @see {@link https://www.rfc-editor.org/rfc/rfc9470#section-3 | RFC 9470, section 3: the challenge}
   */
  response(): Response {
    if (this.#answer) return this.#answer();
    const headers = new Headers({ "content-type": "application/json", "cache-control": "private, no-store" });
    return new Response('{"message":"Sign in first"}', { status: 401, headers });
  }
}

/** What a {@linkcode StepUpRequired} is made of. */
export interface StepUpOptions extends NonNullable<ConstructorParameters<typeof AuthError>[1]> {
  /** Where a browser has to go. */
  readonly url?: string;
  /** What is missing. */
  readonly missing?: readonly StepUpPart[];
  /** Makes the answer. */
  readonly response?: () => Response;
}

/** The visitor may not sign in. The error page says so. */
export abstract class DeniedError extends AuthError {
  /** Its family. */ override readonly family = "denied" as const;
}

/**
 * The `signIn` callback refused, or the visitor declined at the provider, or authenticated there longer ago or in another
 * way than `max_age` and `acr_values` demand.
 */
export class AccessDenied extends DeniedError {
  /** The literal type. */ override readonly type = "AccessDenied" as const;
}

/** A link or code sent by email was used before, has expired, or was never issued. */
export class Verification extends DeniedError {
  /** The literal type. */ override readonly type = "Verification" as const;
}

/** The browser's answer to a WebAuthn ceremony could not be verified. */
export class WebAuthnVerificationError extends DeniedError {
  /** The literal type. */ override readonly type = "WebAuthnVerificationError" as const;
  /** The reason for the browser: `unknown_passkey` if the service does not know the passkey, otherwise not set. */
  code?: string;
}

/** The request is not valid here: it is malformed, stale, or asks for something that does not exist. */
export abstract class RequestError extends AuthError {
  /** Its family. */ override readonly family = "request" as const;
}

/** The request is malformed: its body, its parameters, or their number. */
export class BadRequest extends RequestError {
  /** The literal type. */ override readonly type = "BadRequest" as const;
}

/** A `callbackUrl` is not usable. Never thrown: it exists for compatibility with Auth.js. */
export class InvalidCallbackUrl extends RequestError {
  /** The literal type. */ override readonly type = "InvalidCallbackUrl" as const;
}

/** State, PKCE or nonce did not match: the sign-in was not started in this browser, has expired, or was completed before. */
export class InvalidCheck extends RequestError {
  /** The literal type. */ override readonly type = "InvalidCheck" as const;
}

/** The provider does not exist, or does not support what was asked of it. */
export class InvalidProvider extends RequestError {
  /** The literal type. */ override readonly type = "InvalidProvider" as const;
}

/** What is to be removed is the only way in that works: without it, its owner could not sign in any more. */
export class LastWayIn extends RequestError {
  /** The literal type. */ override readonly type = "LastWayIn" as const;
}

/** The action does not exist. Never thrown: it exists for compatibility with Auth.js. */
export class UnknownAction extends RequestError {
  /** The literal type. */ override readonly type = "UnknownAction" as const;
}

/** Something that the service depends on failed. The log says what. */
export abstract class FaultError extends AuthError {
  /** Its family. */ override readonly family = "fault" as const;
}

/** The adapter failed, or returned an unusable record. */
export class AdapterError extends FaultError {
  /** The literal type. */ override readonly type = "AdapterError" as const;
}

/** Something failed while a sign-in was completed, such as a callback of yours. */
export class CallbackRouteError extends FaultError {
  /** The literal type. */ override readonly type = "CallbackRouteError" as const;
}

/** The error page in `pages.error` itself leads to an error, such as by requiring a session. */
export class ErrorPageLoop extends FaultError {
  /** The literal type. */ override readonly type = "ErrorPageLoop" as const;
}

/** An event handler failed or took too long. It is only logged. */
export class EventError extends FaultError {
  /** The literal type. */ override readonly type = "EventError" as const;
}

/** A session token could not be read, or a callback failed while it was read. It is only logged. */
export class JWTSessionError extends FaultError {
  /** The literal type. */ override readonly type = "JWTSessionError" as const;
}

/** The `profile` callback of a provider failed, or returned no usable `id`. */
export class OAuthProfileParseError extends FaultError {
  /** The literal type. */ override readonly type = "OAuthProfileParseError" as const;
}

/** A provider could not be reached, or did not answer as OAuth or OpenID Connect demands. */
export class OAuthProviderError extends FaultError {
  /** The literal type. */ override readonly type = "OAuthProviderError" as const;
}

/**
 * Too many passwords and recovery codes wait for being hashed: 100 wait already, or one has waited for four seconds. The answer
 * has status 503 and `Retry-After`. Try again later.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-15.6.4 | RFC 9110, section 15.6.4: 503 Service Unavailable}
 */
export class Overloaded extends FaultError {
  /** The literal type. */ override readonly type = "Overloaded" as const;
  /** Seconds after which another attempt is worth it: at least 1. @default {5} */
  retryAfter = 5;
}

/** A provider cannot be reached or is overloaded, so an access token could not be refreshed. Try again later. */
export class ProviderUnavailable extends FaultError {
  /** The literal type. */ override readonly type = "ProviderUnavailable" as const;
}

/** The stored session could not be read. */
export class SessionTokenError extends FaultError {
  /** The literal type. */ override readonly type = "SessionTokenError" as const;
}

/** The session could not be removed from storage, so it may still be valid. */
export class SignOutError extends FaultError {
  /** The literal type. */ override readonly type = "SignOutError" as const;
}

/** Something took longer than `timeouts` allow. */
export class Timeout extends FaultError {
  /** The literal type. */ override readonly type = "Timeout" as const;
}
