/**
 * Sign in with Spotify.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Spotify. */
export interface SpotifyProfile extends Profile {
  /** TODO. */
  display_name?: string | null | undefined;
  /** TODO. */
  images?:
    | readonly ({
      url?: string | null | undefined;
    } | null)[]
    | null
    | undefined;
}

/**
 * Signs people in with Spotify.
 *
 * - Register: {@link https://developer.spotify.com/documentation/web-api/tutorials/code-flow | TODO: name of the
 *   console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/spotify`.
 * - Environment: `AUTH_SPOTIFY_ID`, `AUTH_SPOTIFY_SECRET`.
 * - Scopes: `user-read-email`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { spotify } from "@x/auth/providers/spotify";
 *
 * const { handler } = createAuth({ providers: [spotify()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.spotify.com/documentation/web-api/tutorials/code-flow | TODO}
 */
export function spotify<Id extends string = "spotify">(
  options: OAuthOptions<SpotifyProfile, Id> = {},
): OAuthProvider<SpotifyProfile, Id> {
  return oauthProvider({
    id: "spotify",
    name: "Spotify",
    authorization: { url: "https://accounts.spotify.com/authorize", params: { scope: "user-read-email" } },
    token: "https://accounts.spotify.com/api/token",
    userinfo: "https://api.spotify.com/v1/me",
    checks: ["state", "pkce"],
    style: { bg: "#1db954", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: profile.display_name ?? profile.id,
      email: profile.email,
      image: profile.images?.[0]?.url,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - notes: Vendor states that email is unverified. localhost redirect URIs are refused since 2025: use 127.0.0.1.
// - pkce: supported; docs https://developer.spotify.com/documentation/web-api/tutorials/code-flow
