/**
 * Providers as the service uses them: with every default written in.
 *
 * @module
 */
import type { Awaitable, Profile, TokenSet, User } from "../kernel/model.ts";
import type {
  AuthorizationEndpoint,
  AuthorizationHandler,
  CredentialField,
  FetchLike,
  LogoutOption,
  OAuthCommon,
  ProviderStyle,
  ProviderUrls,
  TokenEndpoint,
  TokenHandler,
  UserinfoHandler,
  VerificationRequest,
} from "../contract/provider.ts";
import type { ClientMetadata } from "../contract/client_metadata.ts";
import type { PasswordSettings } from "../passwords/settings.ts";
import type { OutgoingMail } from "../contract/outgoing_mail.ts";
import type { GetUserInfo, UserVerification } from "../contract/webauthn_options.ts";

/** The value of a parameter, or its values. */
export type ParamValue = string | readonly string[];

/** A resolved endpoint of a provider. */
export interface ResolvedEndpoint<Handler> {
  /** Its URL; `undefined` if it comes from the issuer's metadata. */
  readonly url: string | undefined;
  /** The parameters that the developer adds to the request. */
  readonly params: Readonly<Record<string, ParamValue>>;
  /** The function that the developer put in place of the request. */
  readonly handler: Handler | undefined;
}

/** Where a token endpoint differs from the standard, and how the client authenticates there. */
export type TokenQuirks = Pick<
  TokenEndpoint,
  "conform" | "form" | "refreshUrl" | "clientPrivateKey" | "clientAssertionAudience"
>;

/** How authorization requests are sent. */
export type RequestQuirks = Pick<
  AuthorizationEndpoint,
  "pushed" | "requestObjectKey" | "scopeSeparator" | "codeChallengeMethod"
>;

interface ResolvedCommon {
  readonly id: string;
  readonly name: string;
  readonly style: ProviderStyle;
}

/** A resolved OAuth or OpenID Connect provider. */
export interface ResolvedOAuthProvider extends ResolvedCommon {
  readonly type: "oauth" | "oidc";
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly issuer: string | undefined;
  /** URL of the issuer's metadata; `undefined` if nothing of it is needed. */
  readonly wellKnown: string | undefined;
  readonly authorization: ResolvedEndpoint<AuthorizationHandler> & RequestQuirks;
  readonly token: ResolvedEndpoint<TokenHandler> & TokenQuirks;
  readonly userinfo: ResolvedEndpoint<UserinfoHandler>;
  readonly jwksUri: string | undefined;
  readonly checks: { readonly pkce: boolean; readonly state: boolean; readonly nonce: boolean };
  /** Whether the provider posts its response as a form (`response_mode=form_post`). */
  readonly formPost: boolean;
  /** Whether the provider signs its response (JARM). */
  readonly signedResponse: boolean;
  readonly securityProfile: "fapi2" | undefined;
  readonly client: ClientMetadata;
  /** `<redirect proxy>/callback/<id>`, if responses come through a redirect proxy. */
  readonly redirectProxyUrl: string | undefined;
  /** Where the profile comes from: `both` asks userinfo for what the id_token lacks. */
  readonly profileFrom: "id_token" | "userinfo" | "both";
  /** Seconds by which clocks may differ. */
  readonly clockTolerance: number;
  readonly profile: (profile: Profile, tokens: TokenSet) => Awaitable<User>;
  readonly account: (tokens: TokenSet) => Awaitable<TokenSet | void | undefined>;
  /** How far its word on an address counts. */
  readonly vouches: "no" | "own domain" | "yes";
  /** The domains of `"own domain"`: by name, and by a claim. */
  readonly ownDomains: { readonly names: readonly string[]; readonly claim: string | null };
  /** Whether it is Microsoft with one tenant or with many; `null` for all others. */
  readonly tenancy: "one" | "many" | null;
  readonly allowDangerousEmailAccountLinking: boolean;
  /** Whether http URLs are allowed on any host. */
  readonly allowInsecureRequests: boolean;
  /** Whether no id_token has the configured issuer, which stands for many tenants, even if the metadata has it. */
  readonly hasSharedIssuer: boolean;
  readonly expectedIssuer: ((claims: Readonly<Record<string, unknown>>) => string | undefined) | undefined;
  /** Whether, where and how a sign-out goes on; read when it does. */
  readonly logout: LogoutOption;
  /** Where it goes on if neither `logout` nor the metadata says. */
  readonly logoutFallback: OAuthCommon<Profile>["logoutFallback"];
  /** Whether and where tokens are revoked when sessions end. */
  readonly revokeTokens: boolean | string;
  /** Replaces `fetch` in requests to the provider. */
  readonly fetch: FetchLike | undefined;
}

/** A resolved credentials provider. */
export interface ResolvedCredentialsProvider extends ResolvedCommon {
  readonly type: "credentials";
  readonly credentials: Readonly<Record<string, CredentialField>>;
  readonly authorize: (
    fields: Readonly<Record<string, unknown>>,
    request: Request,
  ) => Awaitable<User | null | undefined>;
  /** What is chosen for passwords that are checked here; `null` where `authorize` checks what is typed. */
  readonly passwords: PasswordSettings | null;
}

/** A resolved email provider. */
export interface ResolvedEmailProvider extends ResolvedCommon {
  readonly type: "email";
  /** Seconds until a link expires. */
  readonly maxAge: number;
  /** Seconds that sending an email may take; `null` for `timeouts.request`. */
  readonly timeout: number | null;
  /** Secrets that tokens are hashed with, newest first. */
  readonly secrets: readonly string[];
  readonly sendVerificationRequest: (
    request: Omit<VerificationRequest, "provider">,
    added: ProviderUrls & { readonly timeout: number },
  ) => Awaitable<void>;
  /** Sends an email that is not a sign-in link, where the provider can. */
  readonly sendMail: ((mail: OutgoingMail, timeout: number) => Awaitable<void>) | null;
  readonly generateVerificationToken: (() => Awaitable<string>) | null;
  readonly normalizeIdentifier: ((identifier: string) => string) | null;
}

/** The options that both WebAuthn ceremonies have. */
interface ResolvedCeremony {
  /** Milliseconds that the person has. */
  readonly timeout: number;
  readonly extensions: Readonly<Record<string, unknown>> | undefined;
  /** Whether the authenticator must have verified the person. */
  readonly requireUserVerification: boolean;
}

/** Which authenticators may create a passkey: `authenticatorSelection` of WebAuthn. */
interface ResolvedSelection {
  readonly authenticatorAttachment?: "platform" | "cross-platform";
  readonly residentKey: "required" | "preferred" | "discouraged";
  readonly userVerification: UserVerification;
}

/** A resolved WebAuthn provider. */
export interface ResolvedWebAuthnProvider extends ResolvedCommon {
  readonly type: "webauthn";
  /** Milliseconds that a person has for a ceremony. */
  readonly timeout: number;
  readonly enableConditionalUI: boolean;
  /** The inputs of the form by name. Without any, the built-in sign-in page leaves this provider out. */
  readonly formFields: Readonly<Record<string, CredentialField>>;
  /** The site that passkeys are for. What is empty is taken from the request. */
  readonly relyingParty: {
    readonly ids: readonly string[];
    readonly name: string | undefined;
    readonly origins: readonly string[];
    /** Other origins whose pages use its passkeys. */
    readonly related: readonly string[];
  };
  /** Whether browsers may make a passkey by themselves after a sign-in. */
  readonly upgrades: boolean;
  readonly authentication: ResolvedCeremony & { readonly userVerification: UserVerification };
  readonly registration: ResolvedCeremony & {
    readonly attestationType: "none" | "direct" | "enterprise";
    readonly supportedAlgorithmIDs: readonly number[];
    readonly authenticatorSelection: ResolvedSelection;
  };
  readonly getUserInfo: GetUserInfo | null;
  /** Whether somebody who is not signed in may create a passkey, and so an account. */
  readonly registersStrangers: boolean;
  /** Whether they have to prove their address by email before. */
  readonly confirms: boolean;
  /** Whether the browser gets the list of the credentials of the address that is typed. */
  readonly listsByEmail: boolean;
  /** The most passkeys that one user may have. */
  readonly maxCredentials: number;
}

/** A resolved provider of any type. */
export type ResolvedProvider =
  | ResolvedOAuthProvider
  | ResolvedEmailProvider
  | ResolvedCredentialsProvider
  | ResolvedWebAuthnProvider;
