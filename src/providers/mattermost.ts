/**
 * Sign in with Mattermost.
 *
 * @module
 */
import { joinName, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Mattermost. */
export interface MattermostProfile extends Profile {
  /** TODO. */
  username?: string | null | undefined;
  /** TODO. */
  first_name?: string | null | undefined;
  /** TODO. */
  last_name?: string | null | undefined;
}

/**
 * Signs people in with Mattermost.
 *
 * - Register: {@link https://developers.mattermost.com/integrate/apps/authentication/oauth2/ | TODO: name of the
 *   console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/mattermost`.
 * - Environment: `AUTH_MATTERMOST_ID`, `AUTH_MATTERMOST_SECRET`, `AUTH_MATTERMOST_ISSUER`.
 * - Scopes: none.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { mattermost } from "@x/auth/providers/mattermost";
 *
 * const { handler } = createAuth({ providers: [mattermost({ issuer: "https://id.example.com" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.mattermost.com/integrate/apps/authentication/oauth2/ | TODO}
 */
export function mattermost<Id extends string = "mattermost">(
  options: OAuthOptions<MattermostProfile, Id> = {},
): OAuthProvider<MattermostProfile, Id> {
  return oauthProvider({
    id: "mattermost",
    name: "Mattermost",
    authorization: { url: "{issuer}/oauth/authorize", params: {} },
    token: "{issuer}/oauth/access_token",
    userinfo: "{issuer}/api/v4/users/me",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#000", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: profile.username ?? joinName(profile.first_name, profile.last_name),
      email: profile.email,
      image: null,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - profile image: {issuer}/api/v4/users/{$.id}/image
// - no scope: `authorization.params.scope` must be "" (empty: none is sent) or the URL is enough; check that no scope is sent
// - notes: Image endpoint needs an authenticated request, so it is not usable as a public avatar URL.
// - pkce: undocumented; docs https://developers.mattermost.com/integrate/apps/authentication/oauth2/
