/**
 * The options of WebAuthn ceremonies, in the words of the specification.
 *
 * @see {@link https://www.w3.org/TR/webauthn-3/ | Web Authentication Level 3}
 *
 * @module
 */
import type { Awaitable, User } from "../kernel/model.ts";

/** Whether the authenticator verifies its user, such as by a PIN or a fingerprint. */
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

/** What a browser is asked when somebody signs in. */
export interface AuthenticationOptions {
  /** Milliseconds that the person has. @default `timeout` of the provider */
  timeout?: number | undefined;
  /** Whether the authenticator verifies the person. @default {"preferred"}; the preset `passkey` has `required` */
  userVerification?: UserVerification | undefined;
  /** Extensions to ask for. */
  extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** Which authenticators may make a passkey. */
export interface AuthenticatorSelection {
  /** Built into the device, or carried along. @default either */
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

/** What a browser is asked when somebody makes a passkey. */
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

/** What an answer of the browser is held to. */
export interface VerificationOptions {
  /** Whether the authenticator must have verified the person. @default what the browser was asked */
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

/** What {@linkcode GetUserInfo} may ask. */
export interface UserInfoContext {
  /** The provider. */
  readonly provider: { readonly id: string; readonly name: string };
  /** Storage, as far as it tells who has an address. */
  readonly adapter: { getUserByEmail(email: string): Promise<User | null> };
}

/**
 * Says for whom a passkey is to be made, from what was typed; `null` if it does not say.
 *
 * Whether the person `exists` is not told to the browser: it decides nothing before the passkey is made.
 */
export type GetUserInfo = (
  context: UserInfoContext,
  request: UserInfoRequest,
) => Awaitable<{ readonly user: User; readonly exists?: boolean | undefined } | null>;

/** What WebAuthn providers have besides what all providers have. */
export interface WebAuthnCommon {
  /** The site that passkeys are for. */
  relayingParty?: RelyingParty | undefined;
  /** Milliseconds that a person has for a ceremony. @default {300000} */
  timeout?: number | undefined;
  /**
   * Who may make a passkey. `open`: whoever is signed in, and strangers, who become users of the address they type without
   * proving it. `signed-in`: only whoever is signed in.
   * @default {"open"}
   */
  registration?: "open" | "signed-in" | undefined;
  /**
   * Whether a browser gets the list of the keys of the address that is typed (`allowCredentials`). Keys that their
   * authenticators do not store can sign in only by such a list. Set it for services whose users registered such keys,
   * for example with Auth.js, and then also to register more of them.
   *
   * This gives away, to whoever types an address, whether it has a user with keys, how many, and their ids. Without it
   * no answer depends on whether an address is known.
   *
   * @default {false}
   * @see {@link https://www.w3.org/TR/webauthn-3/#sctn-username-enumeration | WebAuthn Level 3, username enumeration}
   */
  allowCredentialsByEmail?: boolean | undefined;
  /** The most passkeys that one user may have. @default {100} */
  maxCredentials?: number | undefined;
  /** Whether the browser offers passkeys where the person types the address. @default {true} */
  enableConditionalUI?: boolean | undefined;
  /** The version of a browser library that custom pages load. The built-in page has its own script and ignores it. */
  simpleWebAuthnBrowserVersion?: string | false | undefined;
  /** What a browser is asked when somebody signs in. */
  authenticationOptions?: AuthenticationOptions | undefined;
  /** What a browser is asked when somebody makes a passkey. */
  registrationOptions?: RegistrationOptions | undefined;
  /** What an answer is held to when somebody signs in. */
  verifyAuthenticationOptions?: VerificationOptions | undefined;
  /** What an answer is held to when somebody makes a passkey. */
  verifyRegistrationOptions?: VerificationOptions | undefined;
  /** Says for whom a passkey is to be made. @default whoever has the address in `email` */
  getUserInfo?: GetUserInfo | undefined;
}
