/**
 * Sign in with Strava.
 *
 * @module
 */
import { joinName, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Strava. */
export interface StravaProfile extends Profile {
  /** TODO. */
  firstname?: string | null | undefined;
  /** TODO. */
  lastname?: string | null | undefined;
  /** TODO. */
  profile_medium?: string | null | undefined;
}

/**
 * Signs people in with Strava.
 *
 * - Register: {@link https://developers.strava.com/docs/authentication/ | TODO: name of the console}: TODO what to
 *   click. The redirect URI is `https://<your site>/auth/callback/strava`.
 * - Environment: `AUTH_STRAVA_ID`, `AUTH_STRAVA_SECRET`.
 * - Scopes: `read`.
 * - Email: TODO path null verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { strava } from "@x/auth/providers/strava";
 *
 * const { handler } = createAuth({ providers: [strava()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.strava.com/docs/authentication/ | TODO}
 */
export function strava<Id extends string = "strava">(
  options: OAuthOptions<StravaProfile, Id> = {},
): OAuthProvider<StravaProfile, Id> {
  return oauthProvider({
    id: "strava",
    name: "Strava",
    authorization: {
      url: "https://www.strava.com/oauth/authorize",
      params: { scope: "read", approval_prompt: "auto" },
      scopeSeparator: ",",
    },
    token: "https://www.strava.com/api/v3/oauth/token",
    userinfo: "https://www.strava.com/api/v3/athlete",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#FC4C02", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: joinName(profile.firstname, profile.lastname),
      email: null,
      image: profile.profile ?? profile.profile_medium,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - token quirk: athlete summary is included in the first token response
// - token quirk: expires_at (seconds) in addition to expires_in
// - token quirk: granted scope is a callback query parameter, not in the token response
// - notes: /api/v3/oauth/authorize (Auth.js) and /oauth/token are equivalent paths. profile may be the relative text avatar/athlete/large.png when no photo.
// - revocation endpoint: https://www.strava.com/oauth/deauthorize
// - pkce: unsupported; docs https://developers.strava.com/docs/authentication/
