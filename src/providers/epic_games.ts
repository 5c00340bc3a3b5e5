/**
 * Sign in with Epic Games.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";
export type { Profile } from "../kernel/model.ts";

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
  options: EpicGamesOptions<Id> = {},
): OAuthProvider<Profile, Id> {
  const { deploymentId, ...overrides } = optionsFor("epic-games", options);
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
    style: {
      bg: "#313131",
      text: "#fff",
      mark:
        "m3.5 0c-1.3 0-1.8.5-1.8 1.9v16.5a4.3 4.3 0 0 0 0 .5c0 .3 0 .6.3.9 0 0 .3.2.3.2.2.1.3.2.4.2l8.4 3.5c.4.2.6.3.9.3h0c.3 0 .5-.1.9-.3l8.4-3.5c.1 0 .2-.1.4-.2 0 0 .3-.2.3-.2.3-.3.3-.6.3-.9a4.3 4.3 0 0 0 0-.5v-16.5c0-1.4-.5-1.9-1.8-1.9zm13.4 3.1h.7c1.1 0 1.7.6 1.7 1.7v1.9h-1.4v-1.8c0-.4-.2-.6-.5-.6h-.3c-.3 0-.5.2-.5.6v5.8c0 .4.2.5.5.5h.3c.4 0 .5-.1.5-.5v-2.1h1.4v2.2c0 1.1-.6 1.7-1.7 1.7h-.7c-1.1 0-1.7-.6-1.7-1.7v-6c0-1.1.6-1.7 1.7-1.7zm-12.2.1h3.1v1.3h-1.7v2.6h1.7v1.2h-1.7v2.8h1.8v1.3h-3.2zm3.8 0h2.2c1.2 0 1.7.6 1.7 1.7v2.4c0 1.2-.5 1.8-1.7 1.8h-.8v3.3h-1.4zm4.6 0h1.4v9.2h-1.4zm-3.2 1.2v3.4h.6c.4 0 .5-.2.5-.5v-2.3c0-.4-.1-.6-.5-.6zm-3.7 10.2a1.7 1.7 0 0 1 .6.1 1.7 1.7 0 0 1 .5.3l-.5.5a1.2 1.2 0 0 0-.3-.2.9.9 0 0 0-.3 0 .7.7 0 0 0-.3 0 .7.7 0 0 0-.3.2.8.8 0 0 0-.1.2.8.8 0 0 0-.1.3v0a.9.9 0 0 0 .1.3.7.7 0 0 0 .2.3.7.7 0 0 0 .2.1.8.8 0 0 0 .3.1.8.8 0 0 0 .4-.1v-.3h-.5v-.6h1.3v1.2a2 2 0 0 1-.6.3 1.8 1.8 0 0 1-.6.2 1.6 1.6 0 0 1-.6-.1 1.5 1.5 0 0 1-.5-.3 1.4 1.4 0 0 1-.3-.5 1.4 1.4 0 0 1-.2-.6v0a1.4 1.4 0 0 1 .2-.5 1.4 1.4 0 0 1 .3-.5 1.4 1.4 0 0 1 .4-.3 1.6 1.6 0 0 1 .6-.1 1.7 1.7 0 0 1 .1 0zm12 0a2 2 0 0 1 .6.1 1.6 1.6 0 0 1 .5.3l-.4.5a1.6 1.6 0 0 0-.4-.2 1.2 1.2 0 0 0-.4-.1.3.3 0 0 0-.2.1.2.2 0 0 0-.1.1v0a.2.2 0 0 0 .1.1.2.2 0 0 0 0 .1.8.8 0 0 0 .2 0c0 0 .1.1.2.1a3.4 3.4 0 0 1 .4.1 1.3 1.3 0 0 1 .4.2.7.7 0 0 1 .2.2.7.7 0 0 1 0 .3v.1a.9.9 0 0 1 0 .3.8.8 0 0 1-.3.3 1 1 0 0 1-.3.2 1.6 1.6 0 0 1-.5.1 2.2 2.2 0 0 1-.7-.2 1.7 1.7 0 0 1-.6-.3l.5-.5c.2.2.5.3.9.3a.5.5 0 0 0 .2 0 .2.2 0 0 0 .1-.2v0a.1.1 0 0 0 0-.1.2.2 0 0 0-.1 0 .8.8 0 0 0-.2-.1 2.5 2.5 0 0 0-.2 0 5 5 0 0 1-.4-.2 1.3 1.3 0 0 1-.3-.1.7.7 0 0 1-.3-.3.7.7 0 0 1 0-.3v0a.9.9 0 0 1 0-.4.8.8 0 0 1 .2-.3 1 1 0 0 1 .4-.2 1.4 1.4 0 0 1 .4 0 2 2 0 0 1 .1 0zm-9.4 0h.7l1.2 2.8h-.8l-.2-.5h-1.1l-.2.5h-.8zm2.2 0h.8l.7 1.1.6-1.1h.8v2.8h-.7v-1.6l-.7 1.1h0l-.8-1.1v1.6h-.7zm3.5 0h2.2v.7h-1.5v.4h1.4v.6h-1.4v.5h1.5v.6h-2.2zm-5.3.9-.4.8h.7zm-1.2 5.2h8l-4.1 1.4z",
    },
    profile: ({ sub, name, preferred_username, email }) => ({
      id: textId(sub),
      name: name || preferred_username,
      email,
      image: null,
    }),
  }, overrides);
}

export default epicGames;
