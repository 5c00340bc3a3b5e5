/**
 * Sign in with Tumblr.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Tumblr. */
export interface TumblrProfile extends Profile {
  /** TODO. */
  response?:
    | {
      user?:
        | {
          name?: string | null | undefined;
        }
        | null
        | undefined;
    }
    | null
    | undefined;
}

/**
 * Signs people in with Tumblr.
 *
 * - Register: {@link https://www.tumblr.com/docs/en/api/v2 | TODO: name of the console}: TODO what to click. The
 *   redirect URI is `https://<your site>/auth/callback/tumblr`.
 * - Environment: `AUTH_TUMBLR_ID`, `AUTH_TUMBLR_SECRET`.
 * - Scopes: `basic`.
 * - Email: TODO path null verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { tumblr } from "@x/auth/providers/tumblr";
 *
 * const { handler } = createAuth({ providers: [tumblr()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://www.tumblr.com/docs/en/api/v2 | TODO}
 */
export function tumblr<Id extends string = "tumblr">(
  options: OAuthOptions<TumblrProfile, Id> = {},
): OAuthProvider<TumblrProfile, Id> {
  return oauthProvider({
    id: "tumblr",
    name: "Tumblr",
    authorization: { url: "https://www.tumblr.com/oauth2/authorize", params: { scope: "basic" } },
    token: "https://api.tumblr.com/v2/oauth2/token",
    userinfo: "https://api.tumblr.com/v2/user/info",
    checks: ["state"],
    style: { bg: "#36465D", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.response?.user?.name),
      name: profile.response?.user?.name,
      email: null,
      image: null,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - profile image: https://api.tumblr.com/v2/blog/{$.response.user.name}/avatar/128
// - notes: No numeric user id in user/info: the user name (primary blog name) is the identifier and can change. No email.
// - optional scopes: ['offline_access']
// - pkce: undocumented; docs https://www.tumblr.com/docs/en/api/v2
