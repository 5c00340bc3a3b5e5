/**
 * Sign in with Webex.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Webex. */
export interface WebexProfile extends Profile {
  /** TODO. */
  displayName?: string | null | undefined;
  /** TODO. */
  nickName?: string | null | undefined;
  /** TODO. */
  emails?: readonly (string | null)[] | null | undefined;
  /** TODO. */
  avatar?: string | null | undefined;
}

/** Options of {@linkcode webex}. */
export interface WebexOptions<Id extends string = string> extends OAuthOptions<WebexProfile, Id> {
  /** TODO. */
  apiBaseUrl?: string | undefined;
}

/**
 * Signs people in with Webex.
 *
 * - Register: {@link https://developer.webex.com/docs/integrations | TODO: name of the console}: TODO what to click.
 *   The redirect URI is `https://<your site>/auth/callback/webex`.
 * - Environment: `AUTH_WEBEX_ID`, `AUTH_WEBEX_SECRET`.
 * - Scopes: `spark:kms`, `spark:people_read`.
 * - Email: TODO path {"path": "$.emails[0]", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { webex } from "@x/auth/providers/webex";
 *
 * const { handler } = createAuth({ providers: [webex()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.webex.com/docs/integrations | TODO}
 */
export function webex<Id extends string = "webex">(options: WebexOptions<Id> = {}): OAuthProvider<WebexProfile, Id> {
  return oauthProvider({
    id: "webex",
    name: "Webex",
    authorization: { url: "https://webexapis.com/v1/authorize", params: { scope: "spark:kms spark:people_read" } },
    token: "https://webexapis.com/v1/access_token",
    userinfo: "https://webexapis.com/v1/people/me",
    checks: ["state", "pkce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#000000", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: profile.displayName ?? profile.nickName,
      email: profile.emails?.[0],
      image: profile.avatar,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - notes: Login with Webex offers OIDC on the same hosts (openid email profile, userinfo /v1/userinfo). FedRAMP uses another base URL.
// - options: required [] optional ['api_base_url']
// - pkce: supported; docs https://developer.webex.com/docs/integrations
