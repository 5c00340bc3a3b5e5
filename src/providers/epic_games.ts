/**
 * Sign in with Epic Games.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** Options of {@linkcode epicGames}. */
export interface EpicGamesOptions<Id extends string = string> extends OAuthOptions<Profile, Id> {
  /** TODO. */
  deploymentId?: string | undefined;
}

/**
 * Signs people in with Epic Games.
 *
 * - Register: {@link https://dev.epicgames.com/docs/web-api-ref/authentication | TODO: name of the console}: TODO
 *   what to click. The redirect URI is `https://<your site>/auth/callback/epic-games`.
 * - Environment: `AUTH_EPIC_GAMES_ID`, `AUTH_EPIC_GAMES_SECRET`.
 * - Scopes: `basic_profile`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { epicGames } from "@x/auth/providers/epic-games";
 *
 * const { handler } = createAuth({ providers: [epicGames()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://dev.epicgames.com/docs/web-api-ref/authentication | TODO}
 */
export function epicGames<Id extends string = "epic-games">(
  options: EpicGamesOptions<Id> = {},
): OAuthProvider<Profile, Id> {
  return oauthProvider({
    id: "epic-games",
    name: "Epic Games",
    authorization: { url: "https://www.epicgames.com/id/authorize", params: { scope: "basic_profile" } },
    token: "https://api.epicgames.dev/epic/oauth/v2/token",
    userinfo: "https://api.epicgames.dev/epic/oauth/v2/userInfo",
    checks: ["state"],
    style: { bg: "#313131", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.sub),
      name: profile.name ?? profile.preferred_username,
      email: profile.email,
      image: null,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - notes: account_id in the token response equals sub. Email is rarely granted.
// - options: required [] optional ['deployment_id']
// - optional scopes: ['openid']
// - revocation endpoint: https://api.epicgames.dev/epic/oauth/v2/revoke
// - aliases: ['epicgames']
// - pkce: undocumented; docs https://dev.epicgames.com/docs/web-api-ref/authentication
