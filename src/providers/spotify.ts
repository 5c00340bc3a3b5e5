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
  /** Account id. */
  id?: string | null | undefined;
  /** The name to show. */
  display_name?: string | null | undefined;
  /** The picture in several sizes, the largest first. */
  images?: readonly SpotifyImage[] | null | undefined;
}

/** A picture in a {@linkcode SpotifyProfile}. */
export interface SpotifyImage {
  /** Its URL. */
  readonly url?: string | null | undefined;
  /** Its height in pixels. */
  readonly height?: number | null | undefined;
  /** Its width in pixels. */
  readonly width?: number | null | undefined;
}

/**
 * Signs people in with Spotify.
 *
 * - Register: {@link https://developer.spotify.com/dashboard | Dashboard}: create an app that uses the Web API. Its
 *   redirect URI is `https://<your site>/auth/callback/spotify`.
 * - Environment: `AUTH_SPOTIFY_ID`, `AUTH_SPOTIFY_SECRET`.
 * - Scopes: `user-read-email`; `user-read-private` adds the country and the subscription.
 * - Email: an address that nobody vouches for: Spotify says that it is not verified.
 * - Refresh: a refresh token comes with each sign-in; access tokens live an hour.
 * - Logout: no page for it.
 *
 * Redirect URIs must be https. While you develop, `http://127.0.0.1` works and `http://localhost` does not. A new app
 * is in development mode: only people whom you add to it in the dashboard can sign in.
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
 * @see {@link https://developer.spotify.com/documentation/web-api/tutorials/code-flow | Authorization code flow at Spotify}
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
    profile: ({ id, display_name, email, images }) => ({
      id: textId(id),
      name: display_name || id,
      email,
      image: images?.[0]?.url,
    }),
  }, options);
}
