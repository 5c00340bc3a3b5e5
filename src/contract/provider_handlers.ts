/**
 * The functions with which providers differ from the standard, and what they get.
 *
 * @module
 */
import type { Awaitable, Profile, TokenSet } from "../kernel/model.ts";

/** A function with the shape of the global `fetch`. */
export type FetchLike = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** What the handlers of a provider know about it. */
export interface ProviderFacts {
  /** Id of the provider. */
  readonly id: string;
  /** Its name. */
  readonly name: string;
  /** The client id that is registered with it. */
  readonly clientId: string;
  /** The client secret, if there is one. */
  readonly clientSecret: string | undefined;
  /** The issuer, if there is one. */
  readonly issuer: string | undefined;
  /** The redirect URI: the same in the authorization request and in the token request. */
  readonly callbackUrl: string;
  /** The configured authorization endpoint. */
  readonly authorization: EndpointFacts;
  /** The configured token endpoint. */
  readonly token: EndpointFacts;
  /** The configured userinfo endpoint. */
  readonly userinfo: EndpointFacts;
}

/** What the handlers of a provider know about one of its endpoints. */
export interface EndpointFacts {
  /** Its URL with its own parameters; absent if it is discovered. */
  readonly url: URL | undefined;
}

/** The authorization response, as a token handler gets it. Parameters are members, too, unless a method has the name. */
export type CallbackParams = URLSearchParams & {
  /** The code to exchange. */
  readonly code?: string;
  /** The value that the sign-in was started with. */
  readonly state?: string;
  /** The issuer, if it identifies itself (RFC 9207). */
  readonly iss?: string;
};

/**
 * Builds the authorization URL. It must hold all of `params`, which the protocol needs.
 *
 * Where requests are pushed or signed, that is done to the query of this URL, and the browser gets the URL with the result
 * as its query. A URL with a `request_uri` is not changed, and one with a `request` is not signed again.
 */
export type AuthorizationHandler = (
  context: { readonly provider: ProviderFacts; readonly params: URLSearchParams },
) => Awaitable<string | URL>;

/**
 * Exchanges the code for tokens, for a provider that differs from the standard. `fetch` limits time and size. `json()` of
 * its responses returns numbers beyond 2^53 as text.
 */
export type TokenHandler = (
  context: {
    readonly provider: ProviderFacts;
    /** The parameters of the callback. */
    readonly params: CallbackParams;
    /** The values that the sign-in was started with. */
    readonly checks: { readonly code_verifier?: string; readonly nonce?: string; readonly state: string };
    readonly fetch: FetchLike;
  },
) => Awaitable<TokenSet | { tokens: TokenSet }>;

/**
 * Requests the profile, for a provider that differs from the standard. `fetch` limits time and size. `json()` of its
 * responses returns numbers beyond 2^53 as text.
 */
export type UserinfoHandler<P = Profile> = (
  context: { readonly provider: ProviderFacts; readonly tokens: TokenSet; readonly fetch: FetchLike },
) => Awaitable<P>;

/**
 * Builds the URL that ends the session at the provider. `params` holds what OpenID Connect RP-Initiated Logout defines:
 * `client_id`, `post_logout_redirect_uri`, `state`, and `id_token_hint` if the id_token was kept.
 */
export type LogoutHandler = (
  context: { readonly provider: ProviderFacts; readonly params: URLSearchParams },
) => Awaitable<string | URL>;
