/**
 * Sign in with FACEIT.
 *
 * @module
 */
import { joinName, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at FACEIT. */
export interface FACEITProfile extends Profile {
  /** Account id. */
  guid?: string | null | undefined;
  /** URL of a picture. */
  picture?: string | null | undefined;
}

/**
 * Signs people in with FACEIT.
 *
 * - Register: {@link https://developers.faceit.com | Developer Portal}: create an app, its consent screen and an OAuth2
 *   client in the App Studio. The redirect URL is `https://<your site>/auth/callback/faceit`.
 * - Environment: `AUTH_FACEIT_ID`, `AUTH_FACEIT_SECRET`.
 * - Scopes: `openid`, `email`, `profile`.
 * - Email: an address that nobody vouches for.
 * - Refresh: a refresh token comes with each sign-in.
 * - Logout: no page for it.
 *
 * The name is the nickname of the player. The id_token is stored and not read.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { faceit } from "@x/auth/providers/faceit";
 *
 * const { handler } = createAuth({ providers: [faceit()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.faceit.com/getting-started/authentication/oauth2/ | OAuth 2.0 at FACEIT}
 */
export function faceit<const Id extends string = "faceit">(
  options: OAuthOptions<FACEITProfile, Id> = {},
): OAuthProvider<FACEITProfile, Id> {
  return oauthProvider({
    id: "faceit",
    name: "FACEIT",
    authorization: {
      url: "https://accounts.faceit.com/accounts",
      // Without it the page posts its answer to the window that opened it.
      params: { scope: "openid email profile", redirect_popup: "true" },
    },
    token: "https://api.faceit.com/auth/v1/oauth/token",
    userinfo: "https://api.faceit.com/auth/v1/resources/userinfo",
    checks: ["state", "pkce"],
    style: {
      bg: "#FF5500",
      text: "#000",
      mark:
        "m24 2.71a.17.17 0 0 0-.31-.1 1141.27 1141.27 0 0 0-6.06 9.37h-17.41c-.22 0-.3.28-.11.35 7.22 2.73 17.66 6.84 23.5 9.14.15.06.39-.08.39-.18z",
    },
    profile: ({ guid, nickname, name, given_name, family_name, email, picture }) => ({
      id: textId(guid),
      name: nickname || name || joinName(given_name, family_name),
      email,
      image: picture,
    }),
  }, options);
}

export default faceit;
