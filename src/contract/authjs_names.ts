/**
 * The names that Auth.js has for types of providers, for programs that were written with them.
 *
 * @module
 */
import type { ProviderType } from "../kernel/model.ts";
import type {
  CommonProvider,
  CredentialField,
  CredentialsOptions,
  CredentialsProvider,
  EmailOptions,
  EmailProvider,
  OAuthOptions,
  OAuthProvider,
  OidcOptions,
  OidcProvider,
  Provider,
  VerificationRequest,
  WebAuthnOptions,
  WebAuthnProvider,
} from "./provider.ts";

/** The profile of a provider whose type is not known. */
// deno-lint-ignore no-explicit-any -- each provider has its own, and methods check them both ways
export type AnyProfile = any;

/** A provider of type `oauth`: {@linkcode OAuthProvider}. */
export type OAuth2Config<P = AnyProfile> = OAuthProvider<P>;

/** A provider of type `oidc`: {@linkcode OidcProvider}. */
export type OIDCConfig<P = AnyProfile> = OidcProvider<P>;

/** A provider of type `oauth` or `oidc`. */
export type OAuthConfig<P = AnyProfile> = OIDCConfig<P> | OAuth2Config<P>;

/** The options of a provider of type `oauth`: {@linkcode OAuthOptions}. */
export type OAuthUserConfig<P = AnyProfile> = OAuthOptions<P>;

/** The options of a provider of type `oidc`: {@linkcode OidcOptions}. */
export type OIDCUserConfig<P = AnyProfile> = OidcOptions<P>;

/** What makes a user of a profile. */
export type ProfileCallback<P = AnyProfile> = NonNullable<OAuthProvider<P>["profile"]>;

/** What chooses the members of the token response to store. */
export type AccountCallback = NonNullable<OAuthProvider["account"]>;

/** A provider of type `email`: {@linkcode EmailProvider}. */
export type EmailConfig = EmailProvider;

/** The options of a provider of type `email`: {@linkcode EmailOptions}. */
export type EmailUserConfig = EmailOptions;

/** What sends an email gets: {@linkcode VerificationRequest}. */
export type EmailProviderSendVerificationRequestParams = VerificationRequest;

/** A field of a form: {@linkcode CredentialField}. */
export type CredentialInput = CredentialField;

/** A provider of type `credentials`, with its fields: {@linkcode CredentialsProvider}. */
export type CredentialsConfig<Fields extends Record<string, CredentialInput> = Record<string, CredentialInput>> =
  CredentialsProvider<string, keyof Fields & string>;

/** The options of a provider of type `credentials`: {@linkcode CredentialsOptions}. */
export type CredentialsUserConfig = CredentialsOptions;

/** A provider of type `webauthn`: {@linkcode WebAuthnProvider}. */
export type WebAuthnConfig = WebAuthnProvider;

/** The options of a provider of type `webauthn`: {@linkcode WebAuthnOptions}. */
export type WebAuthnUserConfig = WebAuthnOptions;

/** What all providers have: {@linkcode CommonProvider}. */
export type CommonProviderOptions = CommonProvider<ProviderType>;

/** A provider, or a factory that makes one without options. */
export type ProviderOrFactory = Provider | ((...options: AnyProfile) => Provider);

/** The id of a provider: any text. */
export type ProviderId = string;
