/**
 * Sign in with MyAnimeList.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

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
export function myanimelist<Id extends string = "myanimelist">(
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
    style: { bg: "#2E51A2", text: "#fff" },
    profile: ({ id, name, picture }) => ({ id: textId(id), name, email: null, image: picture }),
  }, options);
}
