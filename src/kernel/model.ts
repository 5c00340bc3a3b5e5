/**
 * The records of the service: users, accounts, sessions, and the profiles of providers.
 *
 * @module
 */

/** A value, or a promise of one: what a callback may return. */
export type Awaitable<T> = T | PromiseLike<T>;

/** The kinds of providers, as the providers endpoint names them. */
export type ProviderType = "oauth" | "oidc" | "email" | "credentials" | "webauthn";

/** What every {@linkcode User} has. */
export interface DefaultUser {
  /** Id of the user; `sub` of the session token. */
  id?: string | undefined;
  /** The name to show. */
  name?: string | null | undefined;
  /** The email address, lower-cased when it came from a provider. */
  email?: string | null | undefined;
  /** URL of a picture. */
  image?: string | null | undefined;
}

/**
 * A user, as your application sees them. Your application can add members to the type, with
 * `declare module "@x/auth" { interface User { role?: string } }`.
 */
export interface User extends DefaultUser {}

/** The response of a token endpoint (RFC 6749, section 5.1), and when the access token expires. */
export interface TokenSet {
  /** The access token, for requests to the provider's API. */
  access_token?: string | undefined;
  /** Seconds until the access token expires, as the provider returned them. */
  expires_in?: number | undefined;
  /** When the access token expires, in seconds since 1970. Computed from `expires_in`. */
  expires_at?: number | undefined;
  /** The id_token of OpenID Connect: a signed JWT. */
  id_token?: string | undefined;
  /** The refresh token, with which you get a new access token. */
  refresh_token?: string | undefined;
  /** The granted scopes, separated by spaces. */
  scope?: string | undefined;
  /** How to present the access token, in lower case, such as `bearer`. */
  token_type?: Lowercase<string> | undefined;
  /** Any other member of the response. */
  [member: string]: unknown;
}

/** The connection between a user and a provider. One user can have several. */
export interface Account extends TokenSet {
  /** Id of the provider. */
  provider: string;
  /** The person's id at the provider; for credentials the id that `authorize` returned. */
  providerAccountId: string;
  /** The kind of provider. */
  type: ProviderType;
  /** Id of the user who owns this account. */
  userId?: string | undefined;
  /** Any other member that was stored with it. */
  // deno-lint-ignore no-explicit-any -- callbacks that were written for Auth.js expect JSON, and others anything
  [member: string]: any;
}

/** What every {@linkcode Session} has. */
export interface DefaultSession {
  /** Who is signed in. */
  user?: User | undefined;
  /** When the session expires unless it is used, in ISO 8601. */
  expires: string;
  /** What the `session` callback adds. */
  // deno-lint-ignore no-explicit-any -- an interface of another package has no index signature, and fits no other type
  [member: string]: any;
}

/**
 * The session, as the browser receives it. Your application can add members to the type, with
 * `declare module "@x/auth" { interface Session { user: { role: string } & DefaultSession["user"] } }`.
 */
export interface Session extends DefaultSession {}

/** What every {@linkcode JWT} has. */
export interface DefaultJWT {
  /** Id of the user. */
  sub?: string | undefined;
  /** Name of the user. */
  name?: string | null | undefined;
  /** Email address of the user. */
  email?: string | null | undefined;
  /** URL of the user's picture. */
  picture?: string | null | undefined;
  /** When the token was sealed, in seconds since 1970. */
  iat?: number | undefined;
  /** When the token expires, in seconds since 1970. */
  exp?: number | undefined;
  /** Id of the token. */
  jti?: string | undefined;
  /** What the `jwt` callback adds. */
  [claim: string]: unknown;
}

/**
 * The claims of a session token. `iat`, `exp` and `jti` are written when it is sealed. Your application can add members
 * to the type, with `declare module "@x/auth"` or `"@x/auth/jwt"`.
 */
export interface JWT extends DefaultJWT {}

/**
 * A person's profile at a provider: the claims of an id_token, or the response of the userinfo endpoint.
 *
 * @see {@link https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims | OpenID Connect Core 5.1}
 */
export interface Profile {
  /** Account id, in providers without OpenID Connect: text or a number. */
  // deno-lint-ignore no-explicit-any -- callbacks that were written for Auth.js expect text, although some send numbers
  id?: any;
  /** Account id, in OpenID Connect. */
  sub?: string | null | undefined;
  /** Full name. */
  name?: string | null | undefined;
  /** First name. */
  given_name?: string | null | undefined;
  /** Last name. */
  family_name?: string | null | undefined;
  /** Middle name. */
  middle_name?: string | null | undefined;
  /** Nickname. */
  nickname?: string | null | undefined;
  /** The name that the person wants to go by. It may change, and need not be unique. */
  preferred_username?: string | null | undefined;
  /** URL of the profile page. */
  profile?: string | null | undefined;
  /** URL of a picture. Some providers return an object instead. */
  picture?: unknown;
  /** URL of the person's website. */
  website?: string | null | undefined;
  /** Preferred email address. */
  email?: string | null | undefined;
  /** Whether the provider has verified the address. */
  email_verified?: boolean | null | undefined;
  /** Gender. */
  gender?: string | null | undefined;
  /** Date of birth, `YYYY-MM-DD`. */
  birthdate?: string | null | undefined;
  /** Time zone, such as `Europe/Paris`. */
  zoneinfo?: string | null | undefined;
  /** Language tag. */
  locale?: string | null | undefined;
  /** Telephone number. */
  phone_number?: string | null | undefined;
  /** When the profile last changed. */
  updated_at?: string | number | Date | null | undefined;
  /** Postal address. */
  address?: PostalAddress | null | undefined;
  /** Any other claim. */
  [claim: string]: unknown;
}

/** A postal address of a {@linkcode Profile}. */
export interface PostalAddress {
  /** Country name. */
  country?: string | null | undefined;
  /** The whole address, ready to print. */
  formatted?: string | null | undefined;
  /** City. */
  locality?: string | null | undefined;
  /** Postal code. */
  postal_code?: string | null | undefined;
  /** State or province. */
  region?: string | null | undefined;
  /** Street and house number. */
  street_address?: string | null | undefined;
}

/** A provider, as `GET /auth/providers` lists it. */
export interface PublicProvider {
  /** Id of the provider; part of its URLs. */
  id: string;
  /** Name to show. */
  name: string;
  /** The kind of provider. */
  type: ProviderType;
  /** URL that starts a sign-in. */
  signinUrl: string;
  /** URL that the provider redirects back to. */
  callbackUrl: string;
}

/** How the built-in pages look. */
export interface Theme {
  /** Colour of the primary button of pages and emails, and of the tint of icons, as a CSS colour. */
  brandColor?: string | undefined;
  /** Colour of the text on buttons, as a CSS colour. */
  buttonText?: string | undefined;
  /** Light, dark, or what the visitor's system prefers. @default {"auto"} */
  colorScheme?: "auto" | "dark" | "light" | undefined;
  /** URL of a logo: https, a path of this site, or `data:image/`. */
  logo?: string | undefined;
  /** The name of your site, for titles, links and emails: "Sign in to Acme". @default the host */
  name?: string | undefined;
  /**
   * How the buttons of providers look: all alike, with the mark of the provider in its colours (`neutral`), or filled
   * with the colour of the provider (`brand`). Those whose look their brand fixes, such as Google's, keep it.
   *
   * @default {"neutral"}
   */
  buttons?: "neutral" | "brand" | undefined;
  /**
   * The language of pages and emails, as BCP 47 writes it: `de`, `pt-BR`. The parameter `lang` of a page goes first.
   *
   * @default what the browser asks for with `Accept-Language`, otherwise `en`
   * @see {@link https://www.rfc-editor.org/rfc/rfc5646 | RFC 5646: tags for languages}
   */
  language?: string | undefined;
  /** Links on the sign-in page to pages of yours. Each is a path of this site, or an http(s) URL. */
  links?: ThemeLinks | undefined;
}

/** Pages of yours that the sign-in page links to. */
export interface ThemeLinks {
  /** Where somebody without an account creates one: "Create an account". */
  signUp?: string | undefined;
  /** Where somebody who cannot sign in finds help. Pages with an error link to it, too: "Trouble signing in?" */
  help?: string | undefined;
  /** The terms of service. */
  terms?: string | undefined;
  /** The privacy policy. */
  privacy?: string | undefined;
}

/**
 * Why the person has to sign in again.
 *
 * - `signed-out`: nobody is signed in.
 * - `not-linked`: the user has no account at the provider, or not the one that was asked for.
 * - `no-refresh-token`: the access token has expired, and the provider gave no refresh token.
 * - `refused`: the provider does not accept the refresh token any more.
 * - `unreadable`: the stored tokens were sealed with a secret that is not in `secret` any more, or were tampered with.
 * - `stale`: with `account.freshSignIn`, the sign-in is too old to add an account or a passkey. Not about a token.
 */
export type RefreshReason = "signed-out" | "not-linked" | "no-refresh-token" | "refused" | "unreadable" | "stale";

/** A user in storage. "Extra fields" here and below are those that Auth.js does not have, which an adapter may not store. */
export interface AdapterUser extends User {
  /** Id of the user. */
  id: string;
  /** The normalized email address; unique where there is one. */
  email: string;
  /** When the user verified the address by a sign-in link; `null` if they have not. */
  emailVerified: Date | null;
  /**
   * The address that a provider confirmed when the user was created, or when an account was linked by this address. Only in
   * storage with extra fields.
   */
  vouchedEmail?: string | null | undefined;
  /**
   * Changes whenever unverified ways to sign in are revoked. Encrypted sessions hold a copy; one with an older copy cannot
   * add accounts or passkeys. Only in storage with extra fields.
   */
  securityStamp?: string | null | undefined;
  /**
   * When all sessions of the user were ended. Older encrypted sessions without a row end too. Only in storage with extra
   * fields.
   */
  sessionsEndedAt?: Date | null | undefined;
}

/** The kinds of accounts in storage, for the column `type` of a schema. */
export type AdapterAccountType = Exclude<ProviderType, "credentials">;

/** An account in storage. */
export interface AdapterAccount extends Account {
  /** Id of the user who owns it. */
  userId: string;
  /** Whether the provider has verified `email`. Only in storage with extra fields. */
  email_verified?: boolean | null | undefined;
  /** The address that the provider returned. */
  email?: string | null | undefined;
}

/** The key of an account. */
export interface AccountKey {
  /** Id of the provider. */
  provider: string;
  /** The person's id at the provider. */
  providerAccountId: string;
}

/**
 * A session in storage. The members after `expires` are extra fields, too: where an adapter does not store them, they are
 * not there.
 */
export interface AdapterSession {
  /** The random value in the browser's cookie. Of an encrypted session: `sealed:` and its id, which no cookie may hold. */
  sessionToken: string;
  /** Id of the user who is signed in. */
  userId: string;
  /** When the session expires. */
  expires: Date;
  /** When the user signed in, in seconds since 1970. Only in storage with extra fields. */
  auth_time?: number | undefined;
  /** How the user signed in: values of RFC 8176, separated by spaces, such as `hwk mfa user`. */
  auth_methods?: string | undefined;
  /** Id of the provider of the sign-in. */
  provider?: string | undefined;
  /** The id of the session at that provider: `sid` of its id_token, of at most 256 characters. */
  providerSid?: string | undefined;
  /** The id_token, encrypted, if a sign-out goes on at the provider. */
  logoutHint?: string | undefined;
  /** Whether the session was ended. Only the row of a legacy session is kept after its end, for copies of its cookie. */
  ended?: boolean | undefined;
}

/** The id of a session at a provider. */
export interface ProviderSid {
  /** Id of the provider. */
  provider: string;
  /** `sid` of the id_token. */
  sid: string;
}

/** The token of a sign-in link, in storage. */
export interface VerificationToken {
  /** The address that the link was sent to. */
  identifier: string;
  /** The hash of the token. */
  token: string;
  /** When the link expires. */
  expires: Date;
}

/**
 * A WebAuthn credential.
 *
 * @see {@link https://www.w3.org/TR/webauthn-3/#credential-record | WebAuthn Level 3, credential record}
 */
export interface Authenticator {
  /** Id of the credential, as padded base64. */
  credentialID: string;
  /** The public key in COSE form, as padded base64. */
  credentialPublicKey: string;
  /** The signature counter: how often it was used, as the authenticator counts. */
  counter: number;
  /** `singleDevice` or `multiDevice`. */
  credentialDeviceType: string;
  /** Whether it is backed up. */
  credentialBackedUp: boolean;
  /** How the browser can reach the authenticator, separated by commas, such as `internal,hybrid`. */
  transports?: string | null | undefined;
  /** Id of the account that it signs in to. */
  providerAccountId: string;
  /** Id of the user who owns it. */
  userId?: string | undefined;
  /** The user handle of WebAuthn. Only in storage with extra fields. */
  userHandle?: string | undefined;
}

/** A WebAuthn credential in storage. */
export interface AdapterAuthenticator extends Authenticator {
  /** Id of the user who owns it. */
  userId: string;
}
