/**
 * The options of WebAuthn ceremonies, in the words of the specification.
 *
 * @see {@link https://www.w3.org/TR/webauthn-3/ | Web Authentication Level 3}
 *
 * @module
 */
import type { Awaitable, User } from "../kernel/model.ts";

/** Whether the authenticator verifies its user, for example by a PIN or a fingerprint. */
export type UserVerification = "required" | "preferred" | "discouraged";

/** The site that passkeys are for. Where there are several, any of them is accepted. */
export interface RelyingParty {
  /** Its domain, or one above it. A passkey works for this domain and those below. @default the host of the request */
  id?: string | readonly string[] | undefined;
  /** The name a browser may show. @default the host of the request */
  name?: string | readonly string[] | undefined;
  /** Where its pages are. @default the origin of the request */
  origin?: string | readonly string[] | undefined;
}

/** Options for the browser when somebody signs in. */
export interface AuthenticationOptions {
  /** Milliseconds that the person has. @default `timeout` of the provider */
  timeout?: number | undefined;
  /** Whether the authenticator verifies the person. @default {"preferred"}; the preset `passkey` has `required` */
  userVerification?: UserVerification | undefined;
  /** Extensions to ask for. */
  extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** Which authenticators may create a passkey. */
export interface AuthenticatorSelection {
  /** `platform` is built into the device, `cross-platform` is separate, such as a security key. @default either */
  authenticatorAttachment?: "platform" | "cross-platform" | undefined;
  /**
   * Whether the authenticator must store the key and offer it without a list (a discoverable credential). Always
   * `"required"` unless `allowCredentialsByEmail` is set, because otherwise other keys can never sign in.
   *
   * @default {"required"}; with `allowCredentialsByEmail` `"preferred"`, which the preset `passkey` keeps at `"required"`
   */
  residentKey?: "required" | "preferred" | "discouraged" | undefined;
  /** Whether the authenticator verifies the person. @default {"preferred"}; the preset `passkey` has `required` */
  userVerification?: UserVerification | undefined;
}

/** Options for the browser when somebody creates a passkey. */
export interface RegistrationOptions {
  /** Milliseconds that the person has. @default `timeout` of the provider */
  timeout?: number | undefined;
  /**
   * Whether the authenticator attests what it is. The attestation is verified but not stored. You choose the trusted
   * manufacturers with `setRootCertificates()` of `@x/auth/attestation`. Without it, the formats of Apple and Google
   * must lead to their own roots, and for `packed`, `tpm` and `fido-u2f` every manufacturer is trusted.
   * @default {"none"}
   */
  attestationType?: "none" | "direct" | "enterprise" | undefined;
  /** Which authenticators may be used. */
  authenticatorSelection?: AuthenticatorSelection | undefined;
  /** Extensions to ask for. */
  extensions?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Algorithms of the key, as COSE numbers them: -7, -35, -36 (ECDSA), -8 (EdDSA), -257, -258, -259 (RSASSA-PKCS1-v1_5),
   * -37, -38, -39 (RSASSA-PSS). @default {[-8, -7, -257]}
   */
  supportedAlgorithmIDs?: readonly number[] | undefined;
}

/** How the response of a browser is verified. */
export interface VerificationOptions {
  /** Whether the authenticator must have verified its user. @default what the options for the browser ask for */
  requireUserVerification?: boolean | undefined;
}

/** The request for options, as {@linkcode GetUserInfo} is given it. */
export interface UserInfoRequest {
  /** The method. */
  readonly method: string;
  /** The URL. */
  readonly url: URL;
  /** The headers. */
  readonly headers: Headers;
  /** The fields of the form, as the query has them. */
  readonly query: Readonly<Record<string, string>>;
}

/** What {@linkcode GetUserInfo} can look up. */
export interface UserInfoContext {
  /** The provider. */
  readonly provider: { readonly id: string; readonly name: string };
  /** Finds the user who has an address. */
  readonly adapter: { getUserByEmail(email: string): Promise<User | null> };
}

/**
 * Returns the user for whom a passkey is created, from the fields of the form; `null` if they name none.
 *
 * The browser does not learn whether the user `exists`.
 */
export type GetUserInfo = (
  context: UserInfoContext,
  request: UserInfoRequest,
) => Awaitable<{ readonly user: User; readonly exists?: boolean | undefined } | null>;

/** The members that only WebAuthn providers have. */
export interface WebAuthnCommon {
  /** The site that passkeys are for. */
  relayingParty?: RelyingParty | undefined;
  /**
   * Other origins of yours whose pages use the same passkeys, such as `https://example.de` beside `https://example.com`: at
   * most 20, with at most five names before the public suffix (`example`, `shop` …), as browsers look no further. Browsers ask
   * `/.well-known/webauthn` at `relayingParty.id`, which has to be set; the handler answers it, and so do middlewares.
   *
   * @default {[]}
   * @see {@link https://www.w3.org/TR/webauthn-3/#sctn-related-origins | WebAuthn Level 3, related origins}
   */
  relatedOrigins?: readonly string[] | undefined;
  /**
   * Whether a browser may make a passkey by itself for somebody who has just signed in with a password that it keeps, or with an
   * email. Nobody is asked, so nobody need be present; an email says that a passkey was added. It counts as two factors only
   * in a sign-in in which its owner was verified, as every passkey does. The account page, and `upgradeToPasskey()` of the
   * browser client, try it.
   *
   * @default {false}
   * @see {@link https://www.w3.org/TR/webauthn-3/#sctn-createCredential | WebAuthn Level 3, conditional mediation}
   */
  upgrade?: boolean | undefined;
  /** Milliseconds that a person has for a ceremony. @default {300000} */
  timeout?: number | undefined;
  /**
   * Who may create a passkey. `signed-in`: users who are signed in. `open`: strangers too, who become users with the
   * address that they type, unverified.
   * @default {"open"}
   */
  registration?: "open" | "signed-in" | undefined;
  /**
   * Whether strangers prove their address by email before they create a passkey. Every registration of somebody who is
   * not signed in is then answered by the page that says to look for an email, for addresses that have a user and for
   * those that have none. In the browser that asked, the link in the email goes on with the registration; the owner of
   * an address that has a user is signed in by it. Needs a provider of type `email`; with several, the first sends it.
   *
   * Without it, a stranger who registers with an address learns whether it has a user: only a new address becomes one.
   *
   * @default {false}
   * @see {@link https://www.w3.org/TR/webauthn-3/#sctn-username-enumeration | WebAuthn Level 3, username enumeration}
   */
  confirm?: boolean | undefined;
  /**
   * Whether a browser gets the list of the keys of the address that is typed (`allowCredentials`). Keys that their
   * authenticators do not store can sign in only by such a list. Set it for services whose users registered such keys,
   * for example with Auth.js, and then also to register more of them.
   *
   * This tells everybody who types an address whether it has a user with keys, how many, and their ids. Without it
   * no answer to a request for options depends on whether an address is known. What a registration tells at its end is
   * said at `confirm`.
   *
   * @default {false}
   * @see {@link https://www.w3.org/TR/webauthn-3/#sctn-username-enumeration | WebAuthn Level 3, username enumeration}
   */
  allowCredentialsByEmail?: boolean | undefined;
  /** The most passkeys of one user. @default {100} */
  maxCredentials?: number | undefined;
  /** Whether the browser offers passkeys in the field for the address. @default {true} */
  enableConditionalUI?: boolean | undefined;
  /** The version of a browser library that custom pages load. The built-in page has its own script and ignores it. */
  simpleWebAuthnBrowserVersion?: string | false | undefined;
  /** Options for the browser when somebody signs in. */
  authenticationOptions?: AuthenticationOptions | undefined;
  /** Options for the browser when somebody creates a passkey. */
  registrationOptions?: RegistrationOptions | undefined;
  /** How the response is verified when somebody signs in. */
  verifyAuthenticationOptions?: VerificationOptions | undefined;
  /** How the response is verified when somebody creates a passkey. */
  verifyRegistrationOptions?: VerificationOptions | undefined;
  /** Returns the user for whom a passkey is created. @default a user with the address in `email` */
  getUserInfo?: GetUserInfo | undefined;
}
