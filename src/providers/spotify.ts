/**
 * Sign in with Spotify.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Spotify. */
export interface SpotifyProfile extends Profile {
  /** Account id. */
  id: string;
  /** The name to show. */
  display_name?: string | null | undefined;
  /** Email address. Spotify does not verify it. */
  email?: string | undefined;
  /** Country of the account (ISO 3166-1), with the scope `user-read-private`. */
  country?: string | undefined;
  /** Kind of the subscription, such as `premium`, with the scope `user-read-private`. */
  product?: string | undefined;
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
export function spotify<const Id extends string = "spotify">(
  options: OAuthOptions<SpotifyProfile, Id> = {},
): OAuthProvider<SpotifyProfile, Id> {
  return oauthProvider({
    id: "spotify",
    name: "Spotify",
    authorization: { url: "https://accounts.spotify.com/authorize", params: { scope: "user-read-email" } },
    token: "https://accounts.spotify.com/api/token",
    userinfo: "https://api.spotify.com/v1/me",
    checks: ["state", "pkce"],
    style: {
      bg: "#1db954",
      text: "#000",
      mark:
        "m12 0c-6.6 0-12 5.4-12 12s5.4 12 12 12 12-5.4 12-12-5.34-12-12-12zm5.52 17.34c-.24.36-.66.48-1.02.24-2.82-1.74-6.36-2.1-10.56-1.14-.42.12-.78-.18-.9-.54-.12-.42.18-.78.54-.9 4.56-1.02 8.52-.6 11.64 1.32.42.18.48.66.3 1.02zm1.44-3.3c-.3.42-.84.6-1.26.3-3.24-1.98-8.16-2.58-11.94-1.38-.48.12-1.02-.12-1.14-.6-.12-.48.12-1.02.6-1.14 4.38-1.32 9.78-.66 13.5 1.62.36.18.54.78.24 1.2zm.12-3.36c-3.84-2.28-10.26-2.52-13.92-1.38-.6.18-1.2-.18-1.38-.72-.18-.6.18-1.2.72-1.38 4.26-1.26 11.28-1.02 15.72 1.62.54.3.72 1.02.42 1.56-.3.42-1.02.6-1.56.3z",
    },
    profile: ({ id, display_name, email, images }) => ({
      id: textId(id),
      name: display_name || id,
      email,
      image: images?.[0]?.url,
    }),
  }, options);
}

export default spotify;
