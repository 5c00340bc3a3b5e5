/**
 * The ways of signing in: what a provider is, as a developer writes it and as the service uses it.
 *
 * @module
 */
import type { Awaitable, Profile, ProviderType, Theme, TokenSet, User } from "../kernel/model.ts";
import type { WebAuthnCommon } from "./webauthn_options.ts";

/** Option symbol: a `fetch` of the developer's for one provider's requests. */
export const customFetch: unique symbol = Symbol("custom-fetch");

/** A function with the shape of the global `fetch`. */
export type FetchLike = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** What binds an answer of the provider to the browser that asked (RFC 7636, RFC 6749 section 10.12, OpenID Connect Core 3.1.2.1). */
export type Check = "pkce" | "state" | "nonce" | "none";

/** The colours and logos of a provider's button. */
export interface ProviderStyle {
  /** Background colour. */
  bg?: string | undefined;
  /** Background colour in the dark scheme. @default `bg` */
  bgDark?: string | undefined;
  /** Logo: a `data:image/` URL, a path of this site, or https. */
  logo?: string | undefined;
  /** Logo in the dark scheme. @default `logo` */
  logoDark?: string | undefined;
  /** Text colour. */
  text?: string | undefined;
  /** Text colour in the dark scheme. @default `text` */
  textDark?: string | undefined;
}

/** What all providers have. */
export interface CommonProvider<T extends ProviderType> {
  /** Names the provider in URLs and accounts; unique in the list. */
  id: string;
  /** The label of its button. */
  name: string;
  /** The kind of provider. */
  type: T;
  /** How its button looks. */
  style?: ProviderStyle | undefined;
}

/** What a developer may set on any provider of the catalogue. */
export interface CommonOptions {
  /** Names the provider in URLs and accounts, when one is used twice. */
  id?: string | undefined;
  /** The label of its button. */
  name?: string | undefined;
  /** How its button looks. */
  style?: ProviderStyle | undefined;
}

/** What handlers of a provider are told about it. */
export interface ProviderFacts {
  /** Id of the provider. */
  readonly id: string;
  /** Its name. */
  readonly name: string;
  /** The client id registered with it. */
  readonly clientId: string;
  /** The client secret, if there is one. */
  readonly clientSecret: string | undefined;
  /** The issuer, if there is one. */
  readonly issuer: string | undefined;
  /** Where it sends people back to; the same string in both requests. */
  readonly callbackUrl: string;
  /** The configured authorization endpoint. */
  readonly authorization: { readonly url: string | undefined };
  /** The configured token endpoint. */
  readonly token: { readonly url: string | undefined };
  /** The configured userinfo endpoint. */
  readonly userinfo: { readonly url: string | undefined };
}

/** Builds the URL a sign-in starts at. `params` are what the protocol needs; all of them belong into the URL. */
export type AuthorizationHandler = (
  context: { readonly provider: ProviderFacts; readonly params: URLSearchParams },
) => Awaitable<string | URL>;

/**
 * Exchanges the code for tokens in the provider's own way. `fetch` has the service's limits on time and size. `json()` of
 * its answers gives numbers beyond 2^53 as text.
 */
export type TokenHandler = (
  context: {
    readonly provider: ProviderFacts;
    /** The parameters of the callback. */
    readonly params: URLSearchParams;
    /** What the flow kept: the verifier, the nonce and the state. */
    readonly checks: { readonly code_verifier?: string; readonly nonce?: string; readonly state: string };
    readonly fetch: FetchLike;
  },
) => Awaitable<TokenSet | { tokens: TokenSet }>;

/**
 * Asks for the profile in the provider's own way. `fetch` has the service's limits on time and size. `json()` of its
 * answers gives numbers beyond 2^53 as text.
 */
export type UserinfoHandler<P = Profile> = (
  context: { readonly provider: ProviderFacts; readonly tokens: TokenSet; readonly fetch: FetchLike },
) => Awaitable<P>;

/** An endpoint with query parameters of its own. */
export interface AuthorizationEndpoint {
  /** Its URL; discovered when absent. */
  url?: string | URL | undefined;
  /** Parameters to send, such as `scope` or `prompt`. `max_age` and `acr_values` are also demanded of the id_token. */
  params?: Readonly<Record<string, unknown>> | undefined;
}

/** The token endpoint with its quirks. */
export interface TokenEndpoint {
  /** Its URL; discovered when absent. */
  url?: string | URL | undefined;
  /** Parameters to add to the request's body. */
  params?: Readonly<Record<string, unknown>> | undefined;
  /** Replaces the request. */
  request?: TokenHandler | undefined;
  /** Repairs an answer that is not what RFC 6749 says; returns the answer to use, or nothing to keep it. */
  conform?: ((response: Response) => Awaitable<Response | undefined>) | undefined;
  /** Signs the client's assertion for `private_key_jwt`. */
  clientPrivateKey?: CryptoKey | { readonly key: CryptoKey; readonly kid?: string } | undefined;
}

/** The userinfo endpoint with its quirks. */
export interface UserinfoEndpoint<P = Profile> {
  /** Its URL; discovered when absent. */
  url?: string | URL | undefined;
  /** Parameters to add to the query. */
  params?: Readonly<Record<string, unknown>> | undefined;
  /** Replaces the request. */
  request?: UserinfoHandler<P> | undefined;
}

/** How this client presents itself, in the terms of RFC 7591; overrides what is derived. */
export interface ClientMetadata {
  /** How the client authenticates at the token endpoint. @default {"client_secret_basic"} */
  token_endpoint_auth_method?:
    | "client_secret_basic"
    | "client_secret_post"
    | "client_secret_jwt"
    | "private_key_jwt"
    | "none"
    | undefined;
  /** The algorithm id_tokens are signed with. @default what the metadata lists, else RS256 */
  id_token_signed_response_alg?: string | undefined;
  /** The algorithm signed answers of the userinfo endpoint are signed with. */
  userinfo_signed_response_alg?: string | undefined;
  /** Seconds: the greatest age of the authentication at the provider. */
  default_max_age?: number | undefined;
  /** Whether `auth_time` must be in the id_token. */
  require_auth_time?: boolean | undefined;
  /** Any other member. */
  [member: string]: unknown;
}

/** What `oauth` and `oidc` providers share. `P` is the shape of the profile. */
export interface OAuthCommon<P extends Profile> {
  /** The client id the provider gave. Read from `AUTH_<ID>_ID` when absent. */
  clientId?: string | undefined;
  /** The client secret the provider gave. Read from `AUTH_<ID>_SECRET` when absent. */
  clientSecret?: string | undefined;
  /** The issuer, as its metadata spells it. Read from `AUTH_<ID>_ISSUER` when absent. */
  issuer?: string | undefined;
  /** URL of the metadata. @default `<issuer>/.well-known/openid-configuration` */
  wellKnown?: string | undefined;
  /** Where a sign-in starts: a URL, a URL with parameters, or a function that builds it. */
  authorization?: string | AuthorizationEndpoint | AuthorizationHandler | undefined;
  /** Where the code is exchanged. */
  token?: string | TokenEndpoint | TokenHandler | undefined;
  /** Where the profile is asked for. */
  userinfo?: string | UserinfoEndpoint<P> | UserinfoHandler<P> | undefined;
  /** Where the issuer's keys are, when its endpoints are given. */
  jwks_endpoint?: string | undefined;
  /** What binds the answer to the browser, beside `state`, which only `["none"]` does without. @default {["pkce"]} */
  checks?: readonly Check[] | undefined;
  /**
   * Makes a user of the profile; its `id` becomes the account's id.
   *
   * A number of the provider's JSON that is beyond 2^53 comes as the text it was sent as, because a `number` would be
   * rounded: also in `tokens`, and from `json()` of the answers that handlers get from their `fetch`. Whoever parses the
   * text of an answer with `JSON.parse()` has rounded numbers; one of them as `id` is refused.
   *
   * An address that no mail program would take, or that could be taken for another one, is left out, and so is a
   * picture of more than 2048 characters; a name ends after 1024. Halves of characters and NUL do not stay in texts.
   *
   * @default `sub ?? id`, name, e-mail, picture
   */
  profile?(profile: P, tokens: TokenSet): Awaitable<User>;
  /** Chooses what of the tokens is kept with the account. */
  account?(tokens: TokenSet): Awaitable<TokenSet | void | undefined>;
  /** Links a new account to the user who has its e-mail address. @default {false} */
  allowDangerousEmailAccountLinking?: boolean | undefined;
  /** Overrides of the client's metadata. */
  client?: ClientMetadata | undefined;
  /** URL of the service that receives this provider's answers and forwards them here. */
  redirectProxyUrl?: string | undefined;
  /** Whether the profile is read from the id_token (`oidc`); `false` asks the userinfo endpoint. @default {true} */
  idToken?: boolean | undefined;
  /**
   * The issuer an id_token must name, where one metadata document serves many tenants: where the issuer it names is
   * not the configured one. Called with the claims before they are trusted: return nothing for claims that do not fit.
   */
  expectedIssuer?(claims: Readonly<Record<string, unknown>>): string | undefined;
  /** A `fetch` of the developer's for this provider's requests. */
  [customFetch]?: FetchLike | undefined;
}

/** An OAuth 2.0 provider (RFC 6749). */
export interface OAuthProvider<P extends Profile = Profile> extends CommonProvider<"oauth">, OAuthCommon<P> {
  /** What the developer set; wins over the members beside it. */
  options?: OAuthOptions<P> | undefined;
}

/** An OpenID Connect provider. */
export interface OidcProvider<P extends Profile = Profile> extends CommonProvider<"oidc">, OAuthCommon<P> {
  /** What the developer set; wins over the members beside it. */
  options?: OidcOptions<P> | undefined;
}

/** What a developer may set on an OAuth provider of the catalogue. */
export interface OAuthOptions<P extends Profile = Profile> extends OAuthCommon<P>, CommonOptions {}

/** What a developer may set on an OpenID Connect provider of the catalogue. */
export interface OidcOptions<P extends Profile = Profile> extends OAuthCommon<P>, CommonOptions {}

/** An input of the credentials form; members become attributes of the input. */
export interface CredentialField {
  /** The text of its label. @default the field's name */
  label?: string | undefined;
  /** The type of the input. @default {"text"} */
  type?: string | undefined;
  /** Any other attribute, such as `placeholder` or `autocomplete`. */
  [attribute: string]: string | number | boolean | undefined;
}

/** Signs people in by what they type. */
export interface CredentialsProvider extends CommonProvider<"credentials"> {
  /** The inputs of the form, by field name. Without any, the built-in page does not show this provider. */
  credentials?: Readonly<Record<string, CredentialField>> | undefined;
  /**
   * Checks what was typed.
   *
   * @param fields What was sent, without the service's own fields being removed. Text unless the request was JSON.
   * @param request The request, its body as JSON.
   * @returns The user, or `null` to refuse. Throw {@linkcode CredentialsSignin} to refuse with a code.
   */
  authorize?(fields: Readonly<Record<string, unknown>>, request: Request): Awaitable<User | null | undefined>;
  /** What the developer set; wins over the members beside it. */
  options?: CredentialsOptions | undefined;
}

/** What a developer may set on a credentials provider. */
export type CredentialsOptions = CommonOptions & Pick<CredentialsProvider, "credentials" | "authorize">;

/** What {@linkcode EmailProvider.sendVerificationRequest} is given. */
export interface VerificationRequest {
  /** The address to send to: exactly one, normalised. */
  readonly identifier: string;
  /** The link that signs in. Whoever opens it is signed in. */
  readonly url: string;
  /** When the link ends. */
  readonly expires: Date;
  /** What {@linkcode EmailProvider.generateVerificationToken} made: the token in the link, or a code to be typed. */
  readonly token: string;
  /** The provider, as it was configured. */
  readonly provider: EmailProvider;
  /** How the built-in pages look; mails may look the same. */
  readonly theme: Theme;
  /** The request that asked for the mail, its body as JSON. */
  readonly request: Request;
}

/** Signs people in by a link that is sent to their mailbox. */
export interface EmailProvider extends CommonProvider<"email"> {
  /** The sender, such as `"Ada <ada@example.com>"`. */
  from?: string | undefined;
  /** Where mails are handed over; its shape is up to {@linkcode EmailProvider.sendVerificationRequest}. */
  server?: unknown;
  /** A key of the mail service. Read from `AUTH_<ID>_KEY` when absent. */
  apiKey?: string | undefined;
  /** Seconds a link can be used. @default {600} */
  maxAge?: number | undefined;
  /** Sends the mail. What it throws sends the visitor back to the sign-in page. */
  sendVerificationRequest?(request: VerificationRequest): Awaitable<void>;
  /**
   * Makes the token of a link, of at most 512 characters.
   *
   * One of fewer than 16 characters is a code, to be typed: it works in the browser that asked for it and nowhere else,
   * and five guesses end it. The link is made longer and works everywhere. Guesses are counted by `once` of the adapter;
   * without that a code is a configuration error. How many mails somebody may ask for is up to the `signIn` callback.
   *
   * @default 32 random bytes as hex
   */
  generateVerificationToken?(): Awaitable<string>;
  /** Makes the address that is stored, compared and sent to; throws what is no address. @default lower case, one mailbox */
  normalizeIdentifier?(identifier: string): string;
  /** Secrets that tokens are hashed with. @default `secret` of the service */
  secret?: string | readonly string[] | undefined;
  /** What the developer set; wins over the members beside it. */
  options?: EmailOptions | undefined;
}

/** What a developer may set on an e-mail provider. */
export type EmailOptions =
  & CommonOptions
  & Pick<
    EmailProvider,
    | "from"
    | "server"
    | "apiKey"
    | "maxAge"
    | "sendVerificationRequest"
    | "generateVerificationToken"
    | "normalizeIdentifier"
    | "secret"
  >;

/** Signs people in with passkeys and security keys. */
export interface WebAuthnProvider extends CommonProvider<"webauthn">, WebAuthnCommon {
  /** The inputs of the form. @default an address in `email`; the built-in page shows no provider that has none */
  formFields?: Readonly<Record<string, CredentialField>> | undefined;
  /** What the developer set; wins over the members beside it. */
  options?: WebAuthnOptions | undefined;
}

/** What a developer may set on a WebAuthn provider. */
export type WebAuthnOptions = CommonOptions & WebAuthnCommon & Pick<WebAuthnProvider, "formFields">;

/** A provider, as a developer writes it. */
export type Provider =
  // deno-lint-ignore no-explicit-any -- each provider has its own profile type, and methods check them both ways
  | OAuthProvider<any>
  // deno-lint-ignore no-explicit-any -- as above: a profile type of its own, checked both ways by methods
  | OidcProvider<any>
  | EmailProvider
  | CredentialsProvider
  | WebAuthnProvider;

/** An entry of `providers`: a provider, or the factory that makes one. */
export type ProviderInput = Provider | (() => Provider);

/** Makes a provider of the catalogue: facts that this project knows, and the developer's options over them. */
export function oauthProvider<P extends Profile>(
  facts: Omit<OAuthProvider<P>, "type" | "options">,
  options: OAuthOptions<P>,
): OAuthProvider<P> {
  return { ...facts, type: "oauth", options };
}

/** Makes an OpenID Connect provider of the catalogue. */
export function oidcProvider<P extends Profile>(
  facts: Omit<OidcProvider<P>, "type" | "options">,
  options: OidcOptions<P>,
): OidcProvider<P> {
  return { ...facts, type: "oidc", options };
}
