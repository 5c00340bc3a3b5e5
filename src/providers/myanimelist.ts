/**
 * Sign in with MyAnimeList.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with MyAnimeList.
 *
 * - Register: {@link https://myanimelist.net/apiconfig/references/authorization | TODO: name of the console}: TODO
 *   what to click. The redirect URI is `https://<your site>/auth/callback/myanimelist`.
 * - Environment: `AUTH_MYANIMELIST_ID`, `AUTH_MYANIMELIST_SECRET`.
 * - Scopes: none.
 * - Email: TODO path null verified null
 * - Refresh: TODO.
 * - Logout: TODO.
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
 * @see {@link https://myanimelist.net/apiconfig/references/authorization | TODO}
 */
export function myanimelist<Id extends string = "myanimelist">(
  options: OAuthOptions<Profile, Id> = {},
): OAuthProvider<Profile, Id> {
  return oauthProvider({
    id: "myanimelist",
    name: "MyAnimeList",
    authorization: { url: "https://myanimelist.net/v1/oauth2/authorize", params: {}, codeChallengeMethod: "plain" },
    token: "https://myanimelist.net/v1/oauth2/token",
    userinfo: "https://api.myanimelist.net/v2/users/@me",
    checks: ["state", "pkce"],
    style: { bg: "#2E51A2", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: profile.name,
      email: null,
      image: profile.picture,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - no scope: `authorization.params.scope` must be "" (empty: none is sent) or the URL is enough; check that no scope is sent
// - token quirk: code_challenge_method plain only: challenge equals verifier
// - notes: S256 is not implemented by the server. No email.
// - pkce: required; docs https://myanimelist.net/apiconfig/references/authorization
