/**
 * Sign in with Pinterest.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

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
export function pinterest<const Id extends string = "pinterest">(
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
    style: {
      bg: "#bd081c",
      text: "#fff",
      mark:
        "m12.02 0c-6.62 0-11.99 5.37-11.99 11.99 0 5.08 3.16 9.41 7.62 11.16-.11-.95-.2-2.4.04-3.44.22-.94 1.4-5.96 1.4-5.96s-.35-.72-.35-1.78c0-1.66.96-2.91 2.16-2.91 1.03 0 1.52.77 1.52 1.69 0 1.03-.65 2.57-.99 3.99-.29 1.19.6 2.17 1.77 2.17 2.13 0 3.77-2.25 3.77-5.49 0-2.86-2.06-4.87-5.01-4.87-3.41 0-5.4 2.56-5.4 5.2 0 1.03.39 2.14.88 2.74.1.12.12.23.09.35-.09.37-.29 1.19-.33 1.36-.06.22-.18.27-.41.16-1.49-.69-2.43-2.87-2.43-4.64 0-3.78 2.75-7.25 7.92-7.25 4.16 0 7.39 2.96 7.39 6.92 0 4.13-2.6 7.46-6.23 7.46-1.21 0-2.35-.63-2.76-1.38l-.75 2.85c-.27 1.04-1 2.35-1.49 3.14 1.12.35 2.3.54 3.55.54 6.6 0 11.98-5.36 11.98-11.99 0-6.62-5.38-11.98-11.98-11.98l.03-.03z",
    },
    profile: ({ id, username, business_name, profile_image }) => ({
      id: textId(id),
      name: username || business_name,
      email: null,
      image: profile_image,
    }),
  }, options);
}

export default pinterest;
