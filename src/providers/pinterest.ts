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
  /** The name the person signs in with; it can change. */
  username?: string | null | undefined;
  /** Name of the business. */
  business_name?: string | null | undefined;
  /** URL of a picture. */
  profile_image?: string | null | undefined;
  /** `PINNER` or `BUSINESS`. */
  account_type?: string | null | undefined;
  /** URL of the person's website. */
  website_url?: string | null | undefined;
}

/**
 * Signs people in with Pinterest.
 *
 * - Register: {@link https://developers.pinterest.com/apps/ | My apps at Pinterest}: connect an app and, when
 *   Pinterest has given it access, enter the redirect URI `https://<your site>/auth/callback/pinterest`.
 * - Environment: `AUTH_PINTEREST_ID`, `AUTH_PINTEREST_SECRET`.
 * - Scopes: `user_accounts:read`.
 * - Email: none.
 * - Refresh: a refresh token comes with each sign-in. Access tokens live a month.
 * - Logout: no page for it.
 *
 * The id of an account is that of Pinterest. Auth.js takes the name, which a person can change and somebody else can
 * take. To find accounts that it stored, set
 * `profile: ({ username }) => ({ id: username ?? undefined, name: username })`.
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
 * @see {@link https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/ | OAuth 2.0 at Pinterest}
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
    profile: ({ id, username, business_name, profile_image }) => ({
      id: textId(id),
      name: username || business_name,
      email: null,
      image: profile_image,
    }),
  }, options);
}
