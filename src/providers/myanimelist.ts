/**
 * Sign in with MyAnimeList.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at MyAnimeList. */
export interface MyAnimeListProfile extends Profile {
  /** URL of a picture. */
  picture?: string | null | undefined;
  /** When the person joined, in ISO 8601. */
  joined_at?: string | null | undefined;
}

/**
 * Signs people in with MyAnimeList.
 *
 * - Register: {@link https://myanimelist.net/apiconfig | API in the settings of an account}: choose "Create ID", the
 *   app type "web", and enter the app redirect URL `https://<your site>/auth/callback/myanimelist`.
 * - Environment: `AUTH_MYANIMELIST_ID`, `AUTH_MYANIMELIST_SECRET`.
 * - Scopes: none.
 * - Email: none.
 * - Refresh: a refresh token comes with each sign-in and lives a month. Access tokens live an hour.
 * - Logout: no page for it.
 *
 * MyAnimeList demands PKCE and knows its method `plain` only, so the code challenge protects little; `state` does.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { myanimelist } from "@x/auth/providers/myanimelist";
 *
 * const { handler } = createAuth({ providers: [myanimelist()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://myanimelist.net/apiconfig/references/authorization | OAuth 2.0 at MyAnimeList}
 */
export function myanimelist<const Id extends string = "myanimelist">(
  options: OAuthOptions<MyAnimeListProfile, Id> = {},
): OAuthProvider<MyAnimeListProfile, Id> {
  return oauthProvider({
    id: "myanimelist",
    name: "MyAnimeList",
    authorization: {
      url: "https://myanimelist.net/v1/oauth2/authorize",
      params: { scope: "" },
      codeChallengeMethod: "plain",
    },
    token: "https://myanimelist.net/v1/oauth2/token",
    userinfo: "https://api.myanimelist.net/v2/users/@me",
    checks: ["state", "pkce"],
    style: {
      bg: "#2E51A2",
      text: "#fff",
      mark:
        "m14.92 6.48c-.82 0-3.68 0-4.95 3.15-.66 1.66-.98 4.82.88 7.89l1.93-1.41s-.76-1.09-1.08-3.19h2.9l.02 3.19h2.6v-7.27h-2.58v2.04l-2.46-.02s.42-2.41 2.88-2.34h2.45l-.57-2.04zm-14.92.05v9.62h2.35v-5.84l2.03 2.67 2.05-2.66v5.83h2.33v-9.62h-2.32l-2.07 2.94-2.06-2.94zm18.45.02v9.58h5.02l.53-2.04h-3.23v-7.54z",
    },
    profile: ({ id, name, picture }) => ({ id: textId(id), name, email: null, image: picture }),
  }, options);
}

export default myanimelist;
