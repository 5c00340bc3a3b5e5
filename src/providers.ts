/**
 * The types of providers, by the names that they have in Auth.js. Providers themselves are at `@x/auth/providers/github`
 * and so on.
 *
 * @example Usage
 * ```ts
 * import type { OAuthConfig, OAuthUserConfig } from "@x/auth/providers";
 *
 * interface AcmeProfile {
 *   id: number;
 *   login: string;
 * }
 *
 * export function acme(options: OAuthUserConfig<AcmeProfile>): OAuthConfig<AcmeProfile> {
 *   return {
 *     id: "acme",
 *     name: "Acme",
 *     type: "oauth",
 *     authorization: "https://acme.example.com/authorize",
 *     token: "https://acme.example.com/token",
 *     userinfo: "https://acme.example.com/me",
 *     profile: ({ id, login }) => ({ id: String(id), name: login }),
 *     options,
 *   };
 * }
 * ```
 *
 * @module
 */
export type {
  AccountCallback,
  CommonProviderOptions,
  CredentialInput,
  CredentialsConfig,
  CredentialsUserConfig,
  EmailConfig,
  EmailProviderSendVerificationRequestParams,
  EmailUserConfig,
  OAuth2Config,
  OAuthConfig,
  OAuthUserConfig,
  OIDCConfig,
  OIDCUserConfig,
  ProfileCallback,
  ProviderId,
  ProviderOrFactory as Provider,
  WebAuthnConfig,
  WebAuthnUserConfig,
} from "./contract/authjs_names.ts";
export type { ProviderInput } from "./contract/provider.ts";
export type { ProviderType } from "./kernel/model.ts";
