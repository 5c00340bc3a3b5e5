/**
 * Sign in with osu!.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

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
    style: {
      bg: "#FF66AA",
      text: "#000",
      mark:
        "m7.7 10.4c-.2-.3-.4-.4-.7-.6-.3-.1-.6-.1-1-.1s-.7 0-1 .1-.5.3-.7.6c-.1.2-.3.4-.4.7-.1.3-.1.7-.1 1 0 .3 0 .7.1 1 .1.2.3.5.4.7.2.2.4.4.7.5.3.2.6.2 1 .2s.7 0 1-.2c.3-.1.5-.3.7-.5.2-.2.3-.5.4-.7.1-.3.1-.7.1-1 0-.3 0-.7-.1-1-.1-.3-.2-.5-.4-.7zm-1 2.8c-.1.2-.4.3-.7.3-.3 0-.6-.1-.7-.3-.1-.3-.2-.6-.2-1.1s.1-.8.2-1.1c.1-.2.4-.3.7-.3.3 0 .6.1.7.3.2.3.3.6.3 1.1 0 .5-.1.8-.3 1.1zm11.9-.9-.1-4.3a4.5 4.5 0 0 1 .7-.1c.3 0 .5 0 .7.1l-.1 4.3c-.2.1-.4.1-.6.1a3.5 3.5 0 0 1-.6-.1zm1.3 1.4c0 .3 0 .5 0 .7a4.2 4.2 0 0 1-.7.1 4.1 4.1 0 0 1-.6-.1 4.1 4.1 0 0 1-.1-.6c0-.3 0-.5.1-.7a4.1 4.1 0 0 1 .6-.1c.2 0 .5.1.7.1 0 .2 0 .4 0 .6zm-3.2-4c.2 0 .4 0 .7.1v4.4c-.2.1-.5.2-.8.2-.3.1-.6.1-1 .1-.3 0-.6 0-.9-.1-.2 0-.5-.1-.7-.3-.2-.1-.4-.3-.5-.6-.1-.3-.2-.7-.2-1.2v-2.5a3.9 3.9 0 0 1 .6-.1c.2 0 .5 0 .7.1v2.4c0 .3 0 .5 0 .6.1.2.1.3.2.4a.7.7 0 0 0 .3.2c.1 0 .3.1.4.1.3 0 .4-.1.6-.1v-3.6a3.8 3.8 0 0 1 .6-.1zm-4.3 2.7c0 .1 0 .3 0 .5 0 .3 0 .5-.1.7-.1.2-.2.3-.4.5-.2.1-.4.2-.6.3-.3.1-.6.1-.9.1a5.3 5.3 0 0 1-.4 0 3.1 3.1 0 0 1-.3 0 4 4 0 0 1-.4-.1 3.9 3.9 0 0 1-.3-.1 2.6 2.6 0 0 1 .1-.5 3.1 3.1 0 0 1 .1-.5c.2.1.4.1.6.2.2 0 .4 0 .6 0 0 0 .1 0 .2 0a1 1 0 0 0 .3-.1.6.6 0 0 0 .2-.1c.1-.1.1-.2.1-.3 0-.1 0-.2-.1-.3-.1 0-.2-.1-.4-.2l-.6-.1c-.3-.1-.5-.3-.7-.4-.2-.2-.3-.5-.3-.9 0-.4.1-.8.5-1.1.3-.2.7-.3 1.3-.3.2 0 .5 0 .7 0 .2.1.5.1.7.2 0 .2-.1.3-.1.5-.1.2-.1.3-.2.4a3.6 3.6 0 0 0-.5-.1 2.2 2.2 0 0 0-.5-.1c-.2 0-.4 0-.5.1-.1.1-.1.2-.1.3 0 .1 0 .2.1.3.1 0 .2.1.3.1l.5.2c.2 0 .4.1.5.2.1 0 .2.1.3.2.1.1.2.2.3.4zm-.4-12.4c-6.6 0-12 5.4-12 12 0 6.6 5.4 12 12 12 6.6 0 12-5.4 12-12 0-6.6-5.4-12-12-12zm0 22.8c-6 0-10.8-4.8-10.8-10.8 0-6 4.8-10.8 10.8-10.8s10.8 4.8 10.8 10.8c0 6-4.8 10.8-10.8 10.8z",
    },
    profile: ({ id, username, avatar_url }) => ({ id: textId(id), name: username, email: null, image: avatar_url }),
  }, options);
}

export default osu;
