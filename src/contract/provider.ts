/**
 * The shape of providers, as a developer writes them.
 *
 * @module
 */
import type { Awaitable, Profile, ProviderType, Theme, TokenSet, User } from "../kernel/model.ts";
import type { ClientMetadata } from "./client_metadata.ts";
import type {
  AuthorizationHandler,
  FetchLike,
  LogoutOption,
  TokenHandler,
  UserinfoHandler,
} from "./provider_handlers.ts";
import { optionsFor } from "./options_for.ts";
import type { OutgoingMail } from "./outgoing_mail.ts";
import type { ProviderStyle } from "./provider_style.ts";
import type { VouchingOptions } from "./vouching.ts";
import type { MailWording } from "../texts/mail.ts";
import type { WebAuthnCommon } from "./webauthn_options.ts";

export type {
  AuthorizationHandler,
  CallbackParams,
  EndpointFacts,
  FetchLike,
  LogoutEndpoint,
  LogoutHandler,
  LogoutOption,
  ProviderFacts,
  TokenHandler,
  UserinfoHandler,
} from "./provider_handlers.ts";
export type { ProviderStyle } from "./provider_style.ts";

/** The option that replaces `fetch` for the requests to one provider. */
export const customFetch: unique symbol = Symbol("custom-fetch");

/**
 * What binds a response of the provider to the browser that started the sign-in (RFC 7636; RFC 6749, section 10.12;
 * OpenID Connect Core, section 3.1.2.1).
 */
export type Check = "pkce" | "state" | "nonce" | "none";

/** The members that all providers have. */
export interface CommonProvider<T extends ProviderType, Id extends string = string> {
  /** The id of the provider in URLs and accounts. It must be unique. */
  id: Id;
  /** The label of its button. */
  name: string;
  /** The kind of provider. */
  type: T;
  /** How its button looks. */
  style?: ProviderStyle | undefined;
  /** Why nobody should use it any more, and what to use: the service logs it once, as `provider-deprecated`. */
  deprecated?: string | undefined;
}

/** The options that all providers of the catalogue have. */
export interface CommonOptions<Id extends string = string> {
  /** The id of the provider in URLs and accounts. Set it to use one provider twice. */
  id?: Id | undefined;
  /** The label of its button. */
  name?: string | undefined;
  /** How its button looks. */
  style?: ProviderStyle | undefined;
}

/** A private key, with the `kid` that it is registered under at the provider, if there is one. */
export type SigningKey = CryptoKey | { readonly key: CryptoKey; readonly kid?: string };

/** The authorization endpoint. */
export interface AuthorizationEndpoint {
  /** Its URL; discovered when absent. */
  url?: string | URL | undefined;
  /**
   * Parameters to send, such as `scope` or `prompt`. They replace those of the same name in the URL. Without a `scope` in
   * either, it is `openid profile email`. The id_token must satisfy `max_age` and `acr_values`, too.
   *
   * The values of a list are joined with spaces where the parameter holds several values itself, such as `scope`, and
   * otherwise sent one by one, such as `resource` (RFC 8707). Objects are sent as JSON, and those of
   * `authorization_details` (RFC 9396) as one array.
   *
   * With the `response_mode` `jwt`, `query.jwt` or `form_post.jwt` the provider signs its response (JARM), and a response
   * that is not signed is refused.
   */
  params?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Whether the parameters are sent to the provider directly (PAR), so that the browser carries no more than a reference
   * to them.
   *
   * @default what `client.require_pushed_authorization_requests` or the metadata of the provider demands
   * @see {@link https://www.rfc-editor.org/rfc/rfc9126 | RFC 9126}
   */
  pushed?: boolean | undefined;
  /** What stands between scopes, for a provider that does not take spaces (RFC 6749, section 3.3). @default a space */
  scopeSeparator?: string | undefined;
  /**
   * How the code challenge is made from the verifier. `plain` sends the verifier itself, which protects little: it is for
   * a provider that knows nothing else.
   *
   * @default {"S256"}
   * @see {@link https://www.rfc-editor.org/rfc/rfc7636#section-4.2 | RFC 7636, section 4.2}
   */
  codeChallengeMethod?: "S256" | "plain" | undefined;
  /** Signs authorization requests (JAR). @default `token.clientPrivateKey` */
  requestObjectKey?: SigningKey | undefined;
  /** Builds the URL, for a provider that differs from the standard. It gets `url` and `params`, too. */
  request?: AuthorizationHandler | undefined;
}

/** The token request that {@linkcode TokenEndpoint.form} adds parameters to. */
export interface TokenRequestFacts {
  /** The client id that is registered with the provider. */
  readonly clientId: string;
  /** What the tokens are asked for with. */
  readonly grantType: "authorization_code" | "refresh_token";
  /** The authorization response; empty in a refresh. */
  readonly callback: URLSearchParams;
}

/** The token endpoint, and where it differs from the standard. */
export interface TokenEndpoint {
  /** Its URL; discovered when absent. */
  url?: string | URL | undefined;
  /** The URL that access tokens are refreshed at, for a provider that has another one for it. @default `url` */
  refreshUrl?: string | URL | undefined;
  /** Parameters to add to the query of its URL. */
  params?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Parameters to add to the form of each request, for a provider that demands more than RFC 6749 has. They replace none
   * of the protocol.
   */
  form?:
    | Readonly<Record<string, string>>
    | ((request: TokenRequestFacts) => Readonly<Record<string, string>>)
    | undefined;
  /** Replaces the request. */
  request?: TokenHandler | undefined;
  /** Repairs a response that violates RFC 6749. Return the response to use, or nothing to keep this one. */
  conform?: ((response: Response) => Awaitable<Response | undefined>) | undefined;
  /** Signs the client's assertion for `private_key_jwt` and, without `authorization.requestObjectKey`, its requests. */
  clientPrivateKey?: SigningKey | undefined;
  /**
   * The audience of the client's assertion for `private_key_jwt` and `client_secret_jwt`: the issuer, the URL of the token
   * endpoint, or any other text. Without an issuer, it is the token endpoint.
   *
   * @default {"issuer"}
   * @see {@link https://openid.net/specs/fapi-security-profile-2_0-final.html#section-5.3.3.1 | FAPI 2.0, section 5.3.3.1}
   */
  clientAssertionAudience?: "issuer" | "token_endpoint" | (string & Record<never, never>) | undefined;
}

/** The userinfo endpoint, and where it differs from the standard. */
export interface UserinfoEndpoint<P = Profile> {
  /** Its URL; discovered when absent. */
  url?: string | URL | undefined;
  /** Parameters to add to the query. */
  params?: Readonly<Record<string, unknown>> | undefined;
  /** Replaces the request. */
  request?: UserinfoHandler<P> | undefined;
}

/** What `oauth` and `oidc` providers share. `P` is the shape of the profile. */
export interface OAuthCommon<P = Profile> extends VouchingOptions {
  /** The client id. @default the environment variable `AUTH_<ID>_ID` */
  clientId?: string | undefined;
  /** The client secret. @default the environment variable `AUTH_<ID>_SECRET` */
  clientSecret?: string | undefined;
  /** The issuer, as its metadata spells it. @default the environment variable `AUTH_<ID>_ISSUER` */
  issuer?: string | undefined;
  /** URL of the metadata. @default `<issuer>/.well-known/openid-configuration` */
  wellKnown?: string | undefined;
  /** Where a sign-in starts: a URL, a URL with parameters, or a function that builds it. */
  authorization?: string | AuthorizationEndpoint | AuthorizationHandler | undefined;
  /** Where the code is exchanged. */
  token?: string | TokenEndpoint | TokenHandler | undefined;
  /** Where the profile is requested. */
  userinfo?: string | UserinfoEndpoint<P> | UserinfoHandler<P> | undefined;
  /** URL of the issuer's keys (JWKS). Discovered when absent. */
  jwks_endpoint?: string | undefined;
  /**
   * What binds a response to the browser, in addition to `state`. Only `["none"]` switches `state` off.
   *
   * @default `["pkce"]`; of OpenID Connect `["pkce", "nonce"]`
   */
  // TypeScript infers `string[]` for a list in a variable.
  checks?: readonly (Check | (string & Record<never, never>))[] | undefined;
  /**
   * Converts the profile into a user. Its `id` becomes the id of the account.
   *
   * A number beyond 2^53 in the provider's JSON arrives as text, because a `number` would be rounded. This also holds for
   * `tokens`, and for `json()` of the responses that handlers receive. `JSON.parse()` rounds such numbers; a rounded
   * number as `id` is refused.
   *
   * The email address is left out if it is malformed or could be mistaken for another one. A name is cut after 1024
   * characters. A picture of up to 65,535 characters is stored, if storage takes it; one of more than 2048 is `null` in
   * sealed sessions, and in what is shown of a session. NUL and halves of surrogate pairs are removed from texts.
   *
   * @default `sub ?? id`, name, email, picture
   */
  profile?(profile: P, tokens: TokenSet): Awaitable<User>;
  /** Chooses which tokens are stored with the account. */
  account?(tokens: TokenSet): Awaitable<TokenSet | void | undefined>;
  /**
   * The security profile that the provider demands. `"fapi2"` is the FAPI 2.0 Security Profile: authorization requests are
   * pushed (PAR), access tokens are bound to a key (DPoP) or to a certificate, the client authenticates with
   * `token.clientPrivateKey` or by mutual TLS, responses name their issuer, and only PS256, ES256 and EdDSA are accepted.
   * Anything that does not fit is an error.
   *
   * @default none
   * @see {@link https://openid.net/specs/fapi-security-profile-2_0-final.html | FAPI 2.0 Security Profile}
   */
  securityProfile?: "fapi2" | undefined;
  /** The client's metadata, as it is registered with the provider. */
  client?: ClientMetadata | undefined;
  /** URL of the service that receives the answers of this provider and forwards them here. */
  redirectProxyUrl?: string | undefined;
  /**
   * Where the profile of a provider of type `oidc` is read: in the id_token (`true`), or at the userinfo endpoint
   * (`false`).
   *
   * @default the id_token. If it has no name although the scope `profile` was requested, or no email address although
   * `email` was, the userinfo endpoint is asked, too. Claims of the id_token win.
   * @see {@link https://openid.net/specs/openid-connect-core-1_0.html#ScopeClaims | OpenID Connect Core, section 5.4}
   */
  idToken?: boolean | undefined;
  /**
   * Whether the issuer and the endpoints of this provider may have http URLs on any host, for a server on a network of
   * your own that nobody else can read or change. Anybody who can, can sign in as anybody: a warning says so. On this machine
   * (`localhost`, `127.0.0.1`) http is allowed without it.
   *
   * @default {false}
   */
  allowInsecureRequests?: boolean | undefined;
  /**
   * Seconds by which the clock of the provider may differ from that of this service: 0 to 600.
   *
   * @default {30}
   */
  clockTolerance?: number | undefined;
  /**
   * Returns the issuer that an id_token must have, for a provider with many tenants whose metadata names another issuer
   * than the configured one. The claims are not verified yet: return `undefined` for claims that do not fit.
   */
  expectedIssuer?(claims: Readonly<Record<string, unknown>>): string | undefined;
  /**
   * Whether a sign-out goes on at the provider and ends the session there, too: `true`, or where and how. The session of
   * this service ends first, even if the provider fails. Register `https://<your site>/auth/signout/<id>` there as the
   * URL to come back to.
   *
   * The id_token is kept for it, encrypted with the secret of the service.
   *
   * @default {false}
   * @see {@link https://openid.net/specs/openid-connect-rpinitiated-1_0.html | OpenID Connect RP-Initiated Logout}
   */
  logout?: LogoutOption | undefined;
  /**
   * Where a sign-out goes on with `logout: true` if the metadata has no `end_session_endpoint`: what the catalogue knows of
   * the provider. The URL may be relative to the issuer.
   */
  logoutFallback?: { readonly url: string; readonly returnParam?: string } | undefined;
  /**
   * Whether a sign-out, and a logout by the provider, make the provider revoke the tokens that are stored for the user
   * (RFC 7009): `true` for the `revocation_endpoint` of its metadata, or the URL. They are removed from storage before.
   * Tokens stay as long as another session of the user goes on that began with the provider. An answer waits a quarter of
   * `timeouts.total` for it at most; what fails goes to the log.
   *
   * @default {false}
   * @see {@link https://www.rfc-editor.org/rfc/rfc7009 | RFC 7009}
   */
  revokeTokens?: boolean | string | undefined;
  /** Options that the provider cannot be used without, by name, such as the number of an account in its URLs. */
  requiredOptions?: readonly string[] | undefined;
  /** Replaces `fetch` for the requests to this provider. */
  [customFetch]?: FetchLike | undefined;
}

/** An OAuth 2.0 provider (RFC 6749). */
export interface OAuthProvider<P = Profile, Id extends string = string>
  extends CommonProvider<"oauth", Id>, OAuthCommon<P> {
  /** The developer's options. They override the members beside them. */
  options?: OAuthOptions<P, NoInfer<Id>> | undefined;
}

/** An OpenID Connect provider. */
export interface OidcProvider<P = Profile, Id extends string = string>
  extends CommonProvider<"oidc", Id>, OAuthCommon<P> {
  /** The developer's options. They override the members beside them. */
  options?: OidcOptions<P, NoInfer<Id>> | undefined;
}

/** The options of an OAuth provider of the catalogue. */
export interface OAuthOptions<P = Profile, Id extends string = string> extends OAuthCommon<P>, CommonOptions<Id> {}

/** The options of an OpenID Connect provider of the catalogue. */
export interface OidcOptions<P = Profile, Id extends string = string> extends OAuthCommon<P>, CommonOptions<Id> {}

/** An input of a form. Its members become attributes of the `<input>` element. */
export interface CredentialField {
  /** The text of its label. @default the field's name */
  label?: string | undefined;
  /** The type of the input. @default {"text"} */
  type?: string | object | undefined;
  /** Any other attribute, such as `placeholder` or `autocomplete`: text, a number, or true. Others are left out. */
  // deno-lint-ignore no-explicit-any -- an interface of another package has no index signature, and fits no other type
  [attribute: string]: any;
}

/** Signs people in with what they type, such as a name and a password. `Field` are the names of the inputs. */
export interface CredentialsProvider<Id extends string = string, Field extends string = string>
  extends CommonProvider<"credentials", Id> {
  /** The inputs of the form, by field name. Without any, the built-in page does not show this provider. */
  credentials?: Readonly<Record<Field, CredentialField>> | undefined;
  /**
   * Checks the credentials.
   *
   * @param fields The fields of the form, including those of the service itself. Text, unless the request sent JSON.
   * @param request The request, with its body as JSON.
   * @returns The user, or `null` to refuse: a plain object with `id`, without an adapter also one with `name` or `email`
   * alone. Anything else is refused, such as `{ error }` or a `Response`. Throw `CredentialsSignin` to refuse with a code.
   */
  authorize?(fields: Readonly<Record<string, unknown>>, request: Request): Awaitable<User | null | undefined>;
  /** The developer's options. They override the members beside them. */
  options?: CredentialsOptions<NoInfer<Id>, Field> | undefined;
}

/** The options of a credentials provider. */
export type CredentialsOptions<Id extends string = string, Field extends string = string> =
  & CommonOptions<Id>
  & Pick<CredentialsProvider<Id, Field>, "credentials" | "authorize">;

/** Where the service answers for a provider. */
export interface ProviderUrls {
  /** Where a sign-in starts. */
  readonly signinUrl: string;
  /** Where it ends. */
  readonly callbackUrl: string;
}

/** The parameters of {@linkcode EmailProvider.sendVerificationRequest}. */
export interface VerificationRequest {
  /** The address to send to: exactly one mailbox, normalised. */
  readonly identifier: string;
  /** The sign-in link. The person who opens it is signed in. */
  readonly url: string;
  /** When the link expires. */
  readonly expires: Date;
  /** The token in the link, or the code to type, as {@linkcode EmailProvider.generateVerificationToken} generated it. */
  readonly token: string;
  /**
   * The provider, as it was configured, with its URLs. Functions written for Auth.js, whose types do not name the URLs,
   * fit only because they are optional here; they are always set.
   */
  readonly provider: EmailProvider & Partial<ProviderUrls>;
  /** How the built-in pages look, so that the email can look the same. */
  readonly theme: Theme;
  /**
   * The language of the visitor who asked for the email, and the texts in it. `signInMail()` of `@x/auth/mail` takes them,
   * and they are always set where the service calls.
   */
  readonly wording?: MailWording | undefined;
  /** The request that asked for the email, with its body as JSON. */
  readonly request: Request;
}

/** Signs people in with a link or a code that is sent by email. */
export interface EmailProvider<Id extends string = string> extends CommonProvider<"email", Id> {
  /** The sender, such as `"Ada <ada@example.com>"`. */
  from?: string | undefined;
  /** The email server. Its shape is up to {@linkcode EmailProvider.sendVerificationRequest}. */
  server?: unknown;
  /** The API key of the email service. @default the environment variable `AUTH_<ID>_KEY` */
  apiKey?: string | undefined;
  /**
   * Whether nothing can be sent without `apiKey`. If so, the provider is left out while the key is missing.
   *
   * @default {false}
   */
  needsApiKey?: boolean | undefined;
  /** Seconds until the link expires. @default {600} */
  maxAge?: number | undefined;
  /** Seconds that sending an email may take. `timeouts.total` limits it, too. @default `timeouts.request` */
  timeout?: number | undefined;
  /**
   * Says what is missing before an email can be sent, such as a package, in words that begin with a remedy: `install …`.
   * `null` if nothing is. It is asked before the first request is answered; then the provider is left out, and the log says
   * why.
   */
  lacks?(): Promise<string | null>;
  /** Sends the email. If it throws, the visitor returns to the sign-in page with an error. */
  sendVerificationRequest?(request: VerificationRequest): Awaitable<void>;
  /**
   * Sends an email that is not a sign-in link. A provider that has this function can stand for the option `mail` of the
   * service.
   *
   * @default that of the mail service. There is none with a `sendVerificationRequest` of your own
   * @param mail The email.
   * @param provider The provider, as it was configured, with the `timeout` that applies.
   */
  sendMail?(mail: OutgoingMail, provider: EmailProvider): Awaitable<void>;
  /**
   * Generates the token of a link, of at most 512 characters.
   *
   * A token of fewer than 16 characters is a code to type: it works only in the browser that asked for it, and five wrong
   * guesses invalidate it. The link holds more than the code and works in every browser. Guesses are counted with `once`
   * of the adapter, or else with verification tokens that are stored beside the code. If the adapter has no `once`, and
   * several callers can use the same verification token at the same time, a code is a configuration error. Limit how many
   * emails somebody can request in the `signIn` callback.
   *
   * @default 32 random bytes as hex
   */
  generateVerificationToken?(): Awaitable<string>;
  /**
   * Returns the address as it is stored, compared and sent to. Throw if it is not an address.
   *
   * @default exactly one mailbox, in lower case
   */
  normalizeIdentifier?(identifier: string): string;
  /** The secrets that tokens are hashed with. @default `secret` of the service */
  secret?: string | readonly string[] | undefined;
  /** The developer's options. They override the members beside them. */
  options?: EmailOptions<NoInfer<Id>> | undefined;
}

/** The options of an email provider. */
export type EmailOptions<Id extends string = string> =
  & CommonOptions<Id>
  & Pick<
    EmailProvider,
    | "from"
    | "server"
    | "apiKey"
    | "maxAge"
    | "timeout"
    | "sendVerificationRequest"
    | "sendMail"
    | "generateVerificationToken"
    | "normalizeIdentifier"
    | "secret"
  >;

/** Signs people in with passkeys and security keys. */
export interface WebAuthnProvider<Id extends string = string> extends CommonProvider<"webauthn", Id>, WebAuthnCommon {
  /**
   * The inputs of the form. Without any, the built-in page does not show this provider.
   *
   * @default an address in `email`
   */
  formFields?: Readonly<Record<string, CredentialField>> | undefined;
  /** The developer's options. They override the members beside them. */
  options?: WebAuthnOptions<NoInfer<Id>> | undefined;
}

/** The options of a WebAuthn provider. */
export type WebAuthnOptions<Id extends string = string> =
  & CommonOptions<Id>
  & WebAuthnCommon
  & Pick<WebAuthnProvider, "formFields">;

/** A provider, as a developer writes it. */
export type Provider<Id extends string = string> =
  // deno-lint-ignore no-explicit-any -- each provider has its own profile type, and methods check them both ways
  | OAuthProvider<any, Id>
  // deno-lint-ignore no-explicit-any -- as above: a profile type of its own, checked both ways by methods
  | OidcProvider<any, Id>
  | EmailProvider<Id>
  | CredentialsProvider<Id>
  | WebAuthnProvider<Id>;

/** The options of a provider whose kind is not known to TypeScript. */
export interface UntypedOptions<Id extends string = string> extends
  // deno-lint-ignore no-explicit-any -- as in `Provider`
  OAuthOptions<any, Id>,
  EmailOptions<Id>,
  CredentialsOptions<Id>,
  WebAuthnOptions<Id> {}

/**
 * A provider in a variable without a type annotation, so that TypeScript knows `type` as `string` only. A `type` that
 * {@linkcode Provider} does not have is a configuration error when the program runs.
 */
export interface UntypedProvider<Id extends string = string> extends UntypedOptions<Id> {
  /** The id of the provider in URLs and accounts. It must be unique. */
  id: Id;
  /** The label of its button. */
  name: string;
  /** The kind of provider. */
  type: string;
  /** The developer's options. They override the members beside them. */
  options?: UntypedOptions<NoInfer<Id>> | undefined;
}

/** An entry of `providers`: a provider, or the factory that makes one of its options. */
export type ProviderInput<Id extends string = string> =
  | Provider<Id>
  | UntypedProvider<Id>
  // deno-lint-ignore no-explicit-any -- each factory has other options, and is called without them
  | ((options: any) => Provider<Id> | UntypedProvider<Id>);

/** Creates an OAuth provider from the facts about it and the developer's options, which override them. */
export function oauthProvider<P extends Profile, Id extends string = string>(
  facts: Omit<OAuthProvider<P>, "type" | "options">,
  options: OAuthOptions<P, Id>,
): OAuthProvider<P, Id> {
  return { ...facts, ...partsOf(facts, options), type: "oauth" };
}

/** Creates an OpenID Connect provider from the facts about it and the developer's options, which override them. */
export function oidcProvider<P extends Profile, Id extends string = string>(
  facts: Omit<OidcProvider<P>, "type" | "options">,
  options: OidcOptions<P, Id>,
): OidcProvider<P, Id> {
  return { ...facts, ...partsOf(facts, options), type: "oidc" };
}

// The factories of the catalogue name their own id as the default of `Id`.
function partsOf<O extends CommonOptions<Id>, Id extends string>(facts: CommonOptions, given: O) {
  const options = optionsFor(facts.id as Id, given);
  return { id: options.id ?? facts.id as Id, options };
}
