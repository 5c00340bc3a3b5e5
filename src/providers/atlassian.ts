/**
 * Sign in with Atlassian.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Atlassian. */
export interface AtlassianProfile extends Profile {
  /** TODO. */
  account_id?: string | null | undefined;
}

/**
 * Signs people in with Atlassian.
 *
 * - Register: {@link https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/ | TODO: name of the
 *   console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/atlassian`.
 * - Environment: `AUTH_ATLASSIAN_ID`, `AUTH_ATLASSIAN_SECRET`.
 * - Scopes: `read:me`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { atlassian } from "@x/auth/providers/atlassian";
 *
 * const { handler } = createAuth({ providers: [atlassian()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/ | TODO}
 */
export function atlassian<Id extends string = "atlassian">(
  options: OAuthOptions<AtlassianProfile, Id> = {},
): OAuthProvider<AtlassianProfile, Id> {
  return oauthProvider({
    id: "atlassian",
    name: "Atlassian",
    authorization: {
      url: "https://auth.atlassian.com/authorize",
      params: { scope: "read:me", audience: "api.atlassian.com", prompt: "consent" },
    },
    token: "https://auth.atlassian.com/oauth/token",
    userinfo: "https://api.atlassian.com/me",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#fff", text: "#0052cc" },
    profile: (profile) => ({
      id: textId(profile.account_id),
      name: profile.name ?? profile.nickname,
      email: profile.email,
      image: profile.picture,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - notes: read:me needs the User identity API added to the app. audience is mandatory. email may be absent depending on profile visibility.
// - optional scopes: ['offline_access']
// - pkce: undocumented; docs https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/
