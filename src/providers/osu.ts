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
  /** TODO. */
  username?: string | null | undefined;
  /** TODO. */
  avatar_url?: string | null | undefined;
}

/**
 * Signs people in with osu!.
 *
 * - Register: {@link https://osu.ppy.sh/docs/index.html#authentication | TODO: name of the console}: TODO what to
 *   click. The redirect URI is `https://<your site>/auth/callback/osu`.
 * - Environment: `AUTH_OSU_ID`, `AUTH_OSU_SECRET`.
 * - Scopes: `identify`.
 * - Email: TODO path null verified null
 * - Refresh: TODO.
 * - Logout: TODO.
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
 * @see {@link https://osu.ppy.sh/docs/index.html#authentication | TODO}
 */
export function osu<Id extends string = "osu">(
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
    profile: (profile) => ({
      id: textId(profile.id),
      name: profile.username,
      email: null,
      image: profile.avatar_url,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - pkce: undocumented; docs https://osu.ppy.sh/docs/index.html#authentication
