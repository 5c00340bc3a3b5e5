/**
 * Sign in with osu!.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at osu!. */
export interface OsuProfile extends Profile {
  /** The name of the person; it can change. */
  username?: string | null | undefined;
  /** URL of a picture. */
  avatar_url?: string | null | undefined;
  /** The country, as a code of two letters. */
  country_code?: string | null | undefined;
}

/**
 * Signs people in with osu!.
 *
 * - Register: {@link https://osu.ppy.sh/home/account/edit#oauth | OAuth in the settings of an account}: add a new
 *   OAuth application and enter the callback URL `https://<your site>/auth/callback/osu`.
 * - Environment: `AUTH_OSU_ID`, `AUTH_OSU_SECRET`.
 * - Scopes: `identify`.
 * - Email: none.
 * - Refresh: a refresh token comes with each sign-in. Access tokens live a day.
 * - Logout: no page for it.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { osu } from "@x/auth/providers/osu";
 *
 * const { handler } = createAuth({ providers: [osu()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://osu.ppy.sh/docs/index.html#authentication | OAuth 2.0 at osu!}
 */
export function osu<const Id extends string = "osu">(
  options: OAuthOptions<OsuProfile, Id> = {},
): OAuthProvider<OsuProfile, Id> {
  return oauthProvider({
    id: "osu",
    name: "osu!",
    authorization: { url: "https://osu.ppy.sh/oauth/authorize", params: { scope: "identify" } },
    token: "https://osu.ppy.sh/oauth/token",
    userinfo: "https://osu.ppy.sh/api/v2/me",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#FF66AA", text: "#000" },
    profile: ({ id, username, avatar_url }) => ({ id: textId(id), name: username, email: null, image: avatar_url }),
  }, options);
}

export default osu;
