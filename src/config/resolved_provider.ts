/**
 * The ways of signing in as the service uses them: nothing is left to be defaulted.
 *
 * @module
 */
import type { Awaitable, Profile, TokenSet, User } from "../kernel/model.ts";
import type {
  AuthorizationHandler,
  ClientMetadata,
  CredentialField,
  FetchLike,
  ProviderStyle,
  ProviderUrls,
  TokenEndpoint,
  TokenHandler,
  UserinfoHandler,
  VerificationRequest,
} from "../contract/provider.ts";
import type { GetUserInfo, UserVerification } from "../contract/webauthn_options.ts";

/** An endpoint after resolution. */
export interface ResolvedEndpoint<Handler> {
  /** Its URL; discovered when absent. */
  readonly url: string | undefined;
  /** Its own parameters, as text. */
  readonly params: Readonly<Record<string, string>>;
  /** Replaces the request. */
  readonly handler: Handler | undefined;
}

/** An OAuth or OpenID Connect provider after resolution: nothing is left to be defaulted. */
export interface ResolvedOAuthProvider {
  readonly id: string;
  readonly name: string;
  readonly type: "oauth" | "oidc";
  readonly style: ProviderStyle;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly issuer: string | undefined;
  /** URL of the metadata; absent when nothing of it is needed. */
  readonly wellKnown: string | undefined;
  readonly authorization: ResolvedEndpoint<AuthorizationHandler>;
  readonly token: ResolvedEndpoint<TokenHandler> & Pick<TokenEndpoint, "conform" | "clientPrivateKey">;
  readonly userinfo: ResolvedEndpoint<UserinfoHandler>;
  readonly jwksUri: string | undefined;
  readonly checks: { readonly pkce: boolean; readonly state: boolean; readonly nonce: boolean };
  /** Whether the provider answers by a form that it posts (response_mode=form_post). */
  readonly formPost: boolean;
  readonly client: ClientMetadata;
  /** `<redirect proxy>/callback/<id>`, when answers come through a proxy. */
  readonly redirectProxyUrl: string | undefined;
  /** Where the profile comes from. */
  readonly profileFrom: "id_token" | "userinfo";
  readonly profile: (profile: Profile, tokens: TokenSet) => Awaitable<User>;
  readonly account: (tokens: TokenSet) => Awaitable<TokenSet | void | undefined>;
  readonly allowDangerousEmailAccountLinking: boolean;
  /** Whether no id_token has the configured issuer, which stands for many tenants, even if the metadata has it. */
  readonly hasSharedIssuer: boolean;
  readonly expectedIssuer: ((claims: Readonly<Record<string, unknown>>) => string | undefined) | undefined;
  /** The developer's own fetch. */
  readonly fetch: FetchLike | undefined;
}

/** A credentials provider after resolution. */
export interface ResolvedCredentialsProvider {
  readonly id: string;
  readonly name: string;
  readonly type: "credentials";
  readonly style: ProviderStyle;
  readonly credentials: Readonly<Record<string, CredentialField>>;
  readonly authorize: (
    fields: Readonly<Record<string, unknown>>,
    request: Request,
  ) => Awaitable<User | null | undefined>;
}

/** An email provider after resolution. */
export interface ResolvedEmailProvider {
  readonly id: string;
  readonly name: string;
  readonly type: "email";
  readonly style: ProviderStyle;
  /** Seconds a link can be used. */
  readonly maxAge: number;
  /** Secrets that tokens are hashed with, newest first. */
  readonly secrets: readonly string[];
  readonly sendVerificationRequest: (
    request: Omit<VerificationRequest, "provider">,
    urls: ProviderUrls,
  ) => Awaitable<void>;
  readonly generateVerificationToken: (() => Awaitable<string>) | null;
  readonly normalizeIdentifier: ((identifier: string) => string) | null;
}

/** What both ceremonies of WebAuthn need. */
export interface ResolvedCeremony {
  /** Milliseconds that the person has. */
  readonly timeout: number;
  readonly extensions: Readonly<Record<string, unknown>> | undefined;
  /** Whether the authenticator must have verified the person. */
  readonly requireUserVerification: boolean;
}

/** Which authenticators may make a passkey. */
export interface ResolvedSelection {
  readonly authenticatorAttachment?: "platform" | "cross-platform";
  readonly residentKey: "required" | "preferred" | "discouraged";
  readonly userVerification: UserVerification;
}

/** A WebAuthn provider after resolution. */
export interface ResolvedWebAuthnProvider {
  readonly id: string;
  readonly name: string;
  readonly type: "webauthn";
  readonly style: ProviderStyle;
  /** Milliseconds that a person has for a ceremony. */
  readonly timeout: number;
  readonly enableConditionalUI: boolean;
  /** The inputs of the form, by field name. Without any, the built-in page does not show this provider. */
  readonly formFields: Readonly<Record<string, CredentialField>>;
  /** The site that passkeys are for; what is empty is that of the request. */
  readonly relyingParty: {
    readonly ids: readonly string[];
    readonly name: string | undefined;
    readonly origins: readonly string[];
  };
  readonly authentication: ResolvedCeremony & { readonly userVerification: UserVerification };
  readonly registration: ResolvedCeremony & {
    readonly attestationType: "none" | "direct" | "enterprise";
    readonly supportedAlgorithmIDs: readonly number[];
    readonly authenticatorSelection: ResolvedSelection;
  };
  readonly getUserInfo: GetUserInfo | null;
  /** Whether strangers may make passkeys, and so become users. */
  readonly registersStrangers: boolean;
  /** Whether the browser gets the list of the credentials of the address that is typed. */
  readonly listsByEmail: boolean;
  /** The most credentials of one user. */
  readonly maxCredentials: number;
}

/** Any provider after resolution. */
export type ResolvedProvider =
  | ResolvedOAuthProvider
  | ResolvedEmailProvider
  | ResolvedCredentialsProvider
  | ResolvedWebAuthnProvider;
