/**
 * Sign in with WordPress.com.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

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
export function wordpress<const Id extends string = "wordpress">(
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
    style: {
      bg: "#21759B",
      text: "#fff",
      mark:
        "m21.47 6.83c.84 1.53 1.32 3.29 1.32 5.17 0 3.98-2.16 7.46-5.37 9.32l3.3-9.52c.61-1.54.82-2.77.82-3.87 0-.4-.03-.78-.07-1.11m-7.98.11c.65-.03 1.23-.11 1.23-.11.58-.07.51-.93-.07-.9 0 0-1.75.14-2.88.14-1.06 0-2.85-.15-2.85-.15-.58-.03-.66.85-.07.88 0 0 .54.07 1.12.09l1.68 4.61-2.37 7.08-3.93-11.67c.65-.03 1.24-.1 1.24-.1.58-.08.51-.93-.07-.9 0 0-1.74.14-2.87.14-.2 0-.44-.01-.69-.01 1.95-2.88 5.28-4.82 9.04-4.82 2.81.01 5.37 1.08 7.29 2.84-.05 0-.09-.01-.14-.01-1.06 0-1.82.92-1.82 1.91 0 .89.52 1.65 1.06 2.53.41.72.89 1.65.89 2.98 0 .92-.35 1.99-.82 3.48l-1.07 3.59-3.9-11.61 0 .01zm-1.49 15.85c-1.06 0-2.08-.15-3.05-.43l3.24-9.41 3.31 9.09c.03.05.05.1.08.15-1.12.39-2.32.61-3.58.61m-10.79-10.79c0-1.56.34-3.05.94-4.39l5.14 14.1c-3.6-1.75-6.08-5.44-6.08-9.71m10.79-12c-6.62 0-12 5.38-12 12s5.38 12 12 12 12-5.38 12-12-5.39-12-12-12",
    },
    profile: ({ ID, display_name, username, email, avatar_URL }) => ({
      id: textId(ID),
      name: display_name || username,
      email,
      image: avatar_URL,
    }),
  }, options);
}

export default wordpress;
