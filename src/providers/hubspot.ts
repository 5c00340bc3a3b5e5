/**
 * Sign in with HubSpot.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at HubSpot. */
export interface HubSpotProfile extends Profile {
  /** TODO. */
  user_id?: string | null | undefined;
  /** TODO. */
  user?: string | null | undefined;
}

/**
 * Signs people in with HubSpot.
 *
 * - Register: {@link
 *   https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/oauth/working-with-oauth |
 *   TODO: name of the console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/hubspot`.
 * - Environment: `AUTH_HUBSPOT_ID`, `AUTH_HUBSPOT_SECRET`.
 * - Scopes: `oauth`.
 * - Email: TODO path {"path": "$.user", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { hubspot } from "@x/auth/providers/hubspot";
 *
 * const { handler } = createAuth({ providers: [hubspot()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/oauth/working-with-oauth | TODO}
 */
export function hubspot<Id extends string = "hubspot">(
  options: OAuthOptions<HubSpotProfile, Id> = {},
): OAuthProvider<HubSpotProfile, Id> {
  return oauthProvider({
    id: "hubspot",
    name: "HubSpot",
    authorization: { url: "https://app.hubspot.com/oauth/authorize", params: { scope: "oauth" } },
    token: "https://api.hubapi.com/oauth/v1/token",
    userinfo: { url: "https://api.hubapi.com/oauth/v1/access-tokens/{access_token}", request: readProfile },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#ff7a59", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.user_id),
      name: profile.user,
      email: profile.user,
      image: null,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<HubSpotProfile> {
  const profile = await readJson<HubSpotProfile>(
    context,
    "https://api.hubapi.com/oauth/v1/access-tokens/{access_token}",
  );
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - status sunset-announced: say so in the docstring
// - userinfo quirks: {"token_in": "path", "headers": {"Content-Type": "application/json"}}
// - variant: {"when": "date-based API 2026-03 (v1 sunset 2027-02-16)", "token_endpoint": "https://api.hubapi.com/oauth/2026-03/token", "userinfo_endpoint": "https://api.hubapi.com/oauth/2026-03/token/introspect", "userinfo_method": "POST", "userinfo_body": ["client_id", "client_secret", "token", "token_type_hint"], "revocation_endpoint": "https://api.hubapi.com/oauth/2026-03/token/revoke"}
// - notes: v1 OAuth endpoints are switched off on 2027-02-16; use the 2026-03 variant for new code. user is the email address; no display name, no avatar.
// - pkce: undocumented; docs https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/oauth/working-with-oauth
