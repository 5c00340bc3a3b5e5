/**
 * Whether and where a sign-out goes on at a provider.
 *
 * @module
 */
import type { LogoutHandler } from "./provider_handlers.ts";

/** Where a sign-out goes on at the provider, and where that differs from the standard. */
export interface LogoutEndpoint {
  /** Its URL. @default `end_session_endpoint` of the metadata */
  url?: string | URL | undefined;
  /** Parameters to add, such as `ui_locales` or `federated`. */
  params?: Readonly<Record<string, unknown>> | undefined;
  /**
   * The parameter for the URL to come back to, if the provider has a name of its own for it, such as `returnTo` of Auth0 or
   * `logout_uri` of Cognito. Such a provider gets `client_id`, this parameter and `params`, and gives no `state` back.
   *
   * @default {"post_logout_redirect_uri"}
   */
  returnParam?: string | undefined;
}

/** Whether, where and how a sign-out goes on at the provider. */
export type LogoutOption = boolean | string | LogoutEndpoint | LogoutHandler;
