/**
 * The records of the service: users, accounts, sessions and what identity providers tell about a person.
 *
 * @module
 */

/** A value, or a promise of one: what a callback may return. */
export type Awaitable<T> = T | PromiseLike<T>;

/** The kinds of providers, as the providers endpoint names them. */
export type ProviderType = "oauth" | "oidc" | "email" | "credentials" | "webauthn";

/** A person, as the application sees one. */
export interface User {
  /** Identifies the person; the subject of the session token. */
  id?: string | undefined;
  /** The name to show. */
  name?: string | null | undefined;
  /** The email address, lower-cased when it came from a provider. */
  email?: string | null | undefined;
  /** URL of a picture. */
  image?: string | null | undefined;
}

/** What a token endpoint answered, and when the access token ends (RFC 6749, section 5.1). */
export interface TokenSet {
  /** Opens the provider's resources. */
  access_token?: string | undefined;
  /** Seconds the access token lives, as the provider said. */
  expires_in?: number | undefined;
  /** When the access token ends, in seconds since 1970. Computed from `expires_in`. */
  expires_at?: number | undefined;
  /** The signed identity of OpenID Connect, still encoded. */
  id_token?: string | undefined;
  /** Fetches the next access token. */
  refresh_token?: string | undefined;
  /** The scopes that were granted, as the provider wrote them. */
  scope?: string | undefined;
  /** How the access token is presented, in lower case. */
  token_type?: Lowercase<string> | undefined;
  /** Any other member of the answer. */
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

/** The session, as the browser sees it. */
export interface Session {
  /** Who is signed in. */
  user?: User | undefined;
  /** When the session expires unless it is used, in ISO 8601. */
  expires: string;
  /** Whatever the `session` callback adds. */
  // deno-lint-ignore no-explicit-any -- an interface of another package has no index signature, and fits no other type
  [member: string]: any;
}

/** The claims of a session token. `iat`, `exp` and `jti` are written when it is sealed. */
export interface JWT {
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
  /** When it ends, in seconds since 1970. */
  exp?: number | undefined;
  /** Names this very token. */
  jti?: string | undefined;
  /** Whatever the `jwt` callback adds. */
  [claim: string]: unknown;
}

/**
 * What a provider says about a person: the claims of an id_token, or the response of the userinfo endpoint.
 *
 * @see {@link https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims | OpenID Connect Core 5.1}
 */
export interface Profile {
  /** Account id of providers outside OpenID Connect: text or a number. */
  // deno-lint-ignore no-explicit-any -- callbacks that were written for Auth.js expect text, although some send numbers
  id?: any;
  /** Account id of OpenID Connect. */
  sub?: string | null | undefined;
  /** Full name. */
  name?: string | null | undefined;
  /** First name. */
  given_name?: string | null | undefined;
  /** Last name. */
  family_name?: string | null | undefined;
  /** Middle name. */
  middle_name?: string | null | undefined;
  /** Casual name. */
  nickname?: string | null | undefined;
  /** The name the person wants to be called by; not an identifier. */
  preferred_username?: string | null | undefined;
  /** URL of the profile page. */
  profile?: string | null | undefined;
  /** URL of a picture, mostly. */
  picture?: unknown;
  /** URL of the person's site. */
  website?: string | null | undefined;
  /** Preferred email address. */
  email?: string | null | undefined;
  /** Whether the provider verified that the address belongs to the person. */
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

/** A provider, as the providers endpoint lists it. */
export interface PublicProvider {
  /** Id of the provider; part of its URLs. */
  id: string;
  /** Name to show. */
  name: string;
  /** The kind of provider. */
  type: ProviderType;
  /** Where a sign-in starts. */
  signinUrl: string;
  /** Where the provider sends people back to. */
  callbackUrl: string;
}

/** How the built-in pages look. */
export interface Theme {
  /** Colour of buttons and links, as a CSS colour. */
  brandColor?: string | undefined;
  /** Colour of the text on buttons, as a CSS colour. */
  buttonText?: string | undefined;
  /** Light, dark, or as the visitor's system says. @default {"auto"} */
  colorScheme?: "auto" | "dark" | "light" | undefined;
  /** URL of a logo: https, a path of this site, or `data:image/`. */
  logo?: string | undefined;
}

/** A user in storage. */
export interface AdapterUser extends User {
  /** Identifies the user. */
  id: string;
  /** The email address, normalised; unique where there is one. */
  email: string;
  /** When the address was verified; `null` before. */
  emailVerified: Date | null;
  /**
   * The address that a provider had verified when the user was created by it, or was taken over by the owner of the
   * address. Only if storage keeps members that the contract does not name.
   */
  vouchedEmail?: string | null | undefined;
  /**
   * Changes whenever a way to sign in as the user is revoked. Encrypted sessions hold a copy, and an older one cannot add
   * accounts or passkeys. Only if storage keeps members that the contract does not name.
   */
  securityStamp?: string | null | undefined;
}

/** An account in storage. */
export interface AdapterAccount extends Account {
  /** Id of the user who owns it. */
  userId: string;
  /** Whether the provider had verified `email`. Only if storage keeps members that the contract does not name. */
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

/** A session in storage. */
export interface AdapterSession {
  /** The random value in the browser's cookie. */
  sessionToken: string;
  /** Id of the user whose session it is. */
  userId: string;
  /** When it ends. */
  expires: Date;
  /** When the person signed in, in seconds since 1970. Only if storage keeps members that the contract does not name. */
  auth_time?: number | undefined;
}

/** A token that was sent by email, in storage. */
export interface VerificationToken {
  /** The address it was sent to. */
  identifier: string;
  /** Its hash. */
  token: string;
  /** When it ends. */
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
  /** How often it was used, as the authenticator counts. */
  counter: number;
  /** `singleDevice` or `multiDevice`. */
  credentialDeviceType: string;
  /** Whether it is backed up. */
  credentialBackedUp: boolean;
  /** How the browser may reach it, separated by commas. */
  transports?: string | null | undefined;
  /** Id of the account it opens. */
  providerAccountId: string;
  /** Id of the user who owns it. */
  userId?: string | undefined;
  /** The user handle of WebAuthn. Only if storage keeps members that the contract does not name. */
  userHandle?: string | undefined;
}

/** A WebAuthn credential in storage. */
export interface AdapterAuthenticator extends Authenticator {
  /** Id of the user who owns it. */
  userId: string;
}
