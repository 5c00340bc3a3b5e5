/**
 * Sign in with WordPress.com.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at WordPress.com. */
export interface WordPressProfile extends Profile {
  /** Account id. */
  ID?: number | string | null | undefined;
  /** The name to show. */
  display_name?: string | null | undefined;
  /** The user name. */
  username?: string | null | undefined;
  /** URL of a picture. */
  avatar_URL?: string | null | undefined;
  /** URL of the profile page. */
  profile_URL?: string | null | undefined;
}

/**
 * Signs people in with WordPress.com.
 *
 * - Register: {@link https://developer.wordpress.com/apps/ | My Applications}: create an application of the type "Web".
 *   Its redirect URL is `https://<your site>/auth/callback/wordpress`.
 * - Environment: `AUTH_WORDPRESS_ID`, `AUTH_WORDPRESS_SECRET`.
 * - Scopes: `auth`, which allows to read the profile and nothing else.
 * - Email: an address with `email_verified`.
 * - Refresh: none.
 * - Logout: no page for it.
 *
 * This is WordPress.com. Sites that run WordPress by themselves have accounts of their own.
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
 * @see {@link https://developer.wordpress.com/docs/oauth2/ | OAuth 2.0 at WordPress.com}
 */
export function wordpress<Id extends string = "wordpress">(
  options: OAuthOptions<WordPressProfile, Id> = {},
): OAuthProvider<WordPressProfile, Id> {
  return oauthProvider({
    id: "wordpress",
    name: "WordPress.com",
    authorization: { url: "https://public-api.wordpress.com/oauth2/authorize", params: { scope: "auth" } },
    token: "https://public-api.wordpress.com/oauth2/token",
    userinfo: "https://public-api.wordpress.com/rest/v1.1/me",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#21759B", text: "#fff" },
    profile: ({ ID, display_name, username, email, avatar_URL }) => ({
      id: textId(ID),
      name: display_name || username,
      email,
      image: avatar_URL,
    }),
  }, options);
}
