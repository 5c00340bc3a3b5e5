/**
 * Sign in with Pinterest.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Pinterest. */
export interface PinterestProfile extends Profile {
  /** TODO. */
  username?: string | null | undefined;
  /** TODO. */
  business_name?: string | null | undefined;
  /** TODO. */
  profile_image?: string | null | undefined;
}

/**
 * Signs people in with Pinterest.
 *
 * - Register: {@link https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/ |
 *   TODO: name of the console}: TODO what to click. The redirect URI is `https://<your
 *   site>/auth/callback/pinterest`.
 * - Environment: `AUTH_PINTEREST_ID`, `AUTH_PINTEREST_SECRET`.
 * - Scopes: `user_accounts:read`.
 * - Email: TODO path null verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { pinterest } from "@x/auth/providers/pinterest";
 *
 * const { handler } = createAuth({ providers: [pinterest()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/ | TODO}
 */
export function pinterest<Id extends string = "pinterest">(
  options: OAuthOptions<PinterestProfile, Id> = {},
): OAuthProvider<PinterestProfile, Id> {
  return oauthProvider({
    id: "pinterest",
    name: "Pinterest",
    authorization: {
      url: "https://www.pinterest.com/oauth/",
      params: { scope: "user_accounts:read" },
      scopeSeparator: ",",
    },
    token: "https://api.pinterest.com/v5/oauth/token",
    userinfo: "https://api.pinterest.com/v5/user_account",
    checks: ["state"],
    style: { bg: "#bd081c", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.username ?? profile.id),
      name: profile.username ?? profile.business_name,
      email: null,
      image: profile.profile_image,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - notes: username can change; newer responses also hold id. No email. Basic client authentication is mandatory.
// - pkce: undocumented; docs https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/
