/**
 * Sign in with WordPress.com.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at WordPress.com. */
export interface WordPresscomProfile extends Profile {
  /** TODO. */
  ID?: string | null | undefined;
  /** TODO. */
  display_name?: string | null | undefined;
  /** TODO. */
  username?: string | null | undefined;
  /** TODO. */
  avatar_URL?: string | null | undefined;
}

/**
 * Signs people in with WordPress.com.
 *
 * - Register: {@link https://developer.wordpress.com/docs/oauth2/ | TODO: name of the console}: TODO what to click.
 *   The redirect URI is `https://<your site>/auth/callback/wordpress`.
 * - Environment: `AUTH_WORDPRESS_ID`, `AUTH_WORDPRESS_SECRET`.
 * - Scopes: `auth`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { wordpress } from "@x/auth/providers/wordpress";
 *
 * const { handler } = createAuth({ providers: [wordpress()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.wordpress.com/docs/oauth2/ | TODO}
 */
export function wordpress<Id extends string = "wordpress">(
  options: OAuthOptions<WordPresscomProfile, Id> = {},
): OAuthProvider<WordPresscomProfile, Id> {
  return oauthProvider({
    id: "wordpress",
    name: "WordPress.com",
    authorization: { url: "https://public-api.wordpress.com/oauth2/authorize", params: { scope: "auth" } },
    token: "https://public-api.wordpress.com/oauth2/token",
    userinfo: "https://public-api.wordpress.com/rest/v1.1/me",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#21759B", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.ID),
      name: profile.display_name ?? profile.username,
      email: profile.email,
      image: profile.avatar_URL,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - token quirk: blog_id and blog_url may be in the response; scope auth tokens cover only /me
// - notes: Auth.js uses rest/v1/me.
// - pkce: undocumented; docs https://developer.wordpress.com/docs/oauth2/
