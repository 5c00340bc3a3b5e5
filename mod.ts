/**
 * Authentication for Deno, Node and Bun: one Web-standard handler that signs people in.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { github } from "@x/auth/providers/github";
 *
 * const { handler, auth } = createAuth({ providers: [github()] });
 *
 * Deno.serve(auth((request, session) => {
 *   if (new URL(request.url).pathname.startsWith("/auth/")) return handler(request);
 *   return new Response(`Hello ${session?.user?.name ?? "stranger"}`);
 * }));
 * ```
 *
 * @module
 */
export * from "./src/auth.ts";
export * from "./src/action_url.ts";
export * from "./src/contract/config.ts";
export type * from "./src/contract/limited.ts";
export * from "./src/errors.ts";
export { defineConfig } from "./src/contract/infer.ts";
export type * from "./src/contract/infer.ts";
export type * from "./src/kernel/inferred.ts";
export type * from "./src/contract/adapter.ts";
export type * from "./src/kernel/model.ts";
export type { AuthAction } from "./src/kernel/route_path.ts";
export { isAuthAction } from "./src/kernel/route_path.ts";
export { isEmailProven } from "./src/sign_in/proven.ts";
export { setEnvDefaults } from "./src/config/env.ts";
export type { LogDetails, Logger } from "./src/kernel/logger.ts";
export type { CookieOptions, SetCookie } from "./src/http/cookie_text.ts";
export { serializeCookie } from "./src/http/cookie_text.ts";
export { mergeSetCookie } from "./src/http/merge_cookies.ts";
export { withCookies } from "./src/http/with_cookies.ts";
export type { CookieOverrides, CookieRole } from "./src/http/cookie_specs.ts";
export type { AccountTexts } from "./src/texts/account.ts";
export type { PasswordTexts } from "./src/texts/passwords.ts";
export type { TextChanges, Texts, Wording } from "./src/texts/texts.ts";
export type { ClientMetadata, DecryptionKey } from "./src/contract/client_metadata.ts";
export type { VouchingOptions } from "./src/contract/vouching.ts";
export type * from "./src/contract/authjs_names.ts";
export { customFetch, oauthProvider, oidcProvider } from "./src/contract/provider.ts";
export type {
  AuthorizationEndpoint,
  AuthorizationHandler,
  CallbackParams,
  Check,
  CommonOptions,
  CommonProvider,
  CredentialField,
  CredentialsOptions,
  CredentialsProvider,
  EmailOptions,
  EmailProvider,
  EndpointFacts,
  FetchLike,
  LogoutEndpoint,
  LogoutHandler,
  LogoutOption,
  OAuthCommon,
  OAuthOptions,
  OAuthProvider,
  OidcOptions,
  OidcProvider,
  Provider,
  ProviderFacts,
  ProviderInput,
  ProviderStyle,
  ProviderUrls,
  SigningKey,
  TokenEndpoint,
  TokenHandler,
  TokenRequestFacts,
  UntypedOptions,
  UntypedProvider,
  UserinfoEndpoint,
  UserinfoHandler,
  VerificationRequest,
  WebAuthnOptions,
  WebAuthnProvider,
} from "./src/contract/provider.ts";
export type { MailFailure, MailFailureReason } from "./src/providers/mail/failure.ts";
export type { MailOptions, MailProvider, MailServiceOptions } from "./src/providers/mail/provider.ts";
export type { MailTexts, MailWording } from "./src/texts/mail.ts";
export type { WriteMail } from "./src/providers/mail/message.ts";
export type * from "./src/contract/outgoing_mail.ts";
export type * from "./src/contract/webauthn_options.ts";
