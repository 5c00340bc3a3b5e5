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
  /** Id of a deployment of the product, for tokens that Epic Online Services accept. @default none */
  deploymentId?: string | undefined;
}

/**
 * Signs people in with Epic Games.
 *
 * - Register: {@link https://dev.epicgames.com/portal | Developer Portal}: create a product and in its settings a
 *   client, then set up Epic Account Services with the permission "Basic Profile" and link the client to it. The
 *   redirect URL of the client is `https://<your site>/auth/callback/epic-games`.
 * - Environment: `AUTH_EPIC_GAMES_ID`, `AUTH_EPIC_GAMES_SECRET`.
 * - Scopes: `basic_profile`; `openid` adds an id_token, which is stored and not read.
 * - Email: rarely given, and nobody vouches for the address.
 * - Refresh: a refresh token comes with each sign-in.
 * - Logout: no page for it.
 *
 * Until Epic Games has reviewed the brand of your application, only members of your organization can sign in.
 *
 * With `id: "epicgames"` accounts, callback URL and environment variables are those of applications that call the
 * provider so.
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
 * @param options The deployment, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://dev.epicgames.com/docs/web-api-ref/authentication | Authentication at Epic Games}
 */
export function epicGames<const Id extends string = "epic-games">(
  { deploymentId, ...options }: EpicGamesOptions<Id> = {},
): OAuthProvider<Profile, Id> {
  return oauthProvider({
    id: "epic-games",
    name: "Epic Games",
    issuer: "https://api.epicgames.dev/epic/oauth/v2",
    authorization: { url: "https://www.epicgames.com/id/authorize", params: { scope: "basic_profile" } },
    token: {
      url: "https://api.epicgames.dev/epic/oauth/v2/token",
      ...(deploymentId && { form: { deployment_id: deploymentId } }),
    },
    userinfo: "https://api.epicgames.dev/epic/oauth/v2/userInfo",
    checks: ["state"],
    style: { bg: "#313131", text: "#fff" },
    profile: ({ sub, name, preferred_username, email }) => ({
      id: textId(sub),
      name: name || preferred_username,
      email,
      image: null,
    }),
  }, options);
}

export default epicGames;
