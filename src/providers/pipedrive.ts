/**
 * Sign in with Pipedrive.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Pipedrive. */
export interface PipedriveProfile extends Profile {
  /** TODO. */
  data?:
    | {
      id?: string | null | undefined;
      name?: string | null | undefined;
      email?: string | null | undefined;
      icon_url?: string | null | undefined;
    }
    | null
    | undefined;
}

/**
 * Signs people in with Pipedrive.
 *
 * - Register: {@link https://pipedrive.readme.io/docs/marketplace-oauth-authorization | TODO: name of the console}:
 *   TODO what to click. The redirect URI is `https://<your site>/auth/callback/pipedrive`.
 * - Environment: `AUTH_PIPEDRIVE_ID`, `AUTH_PIPEDRIVE_SECRET`.
 * - Scopes: none.
 * - Email: TODO path {"path": "$.data.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { pipedrive } from "@x/auth/providers/pipedrive";
 *
 * const { handler } = createAuth({ providers: [pipedrive()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://pipedrive.readme.io/docs/marketplace-oauth-authorization | TODO}
 */
export function pipedrive<Id extends string = "pipedrive">(
  options: OAuthOptions<PipedriveProfile, Id> = {},
): OAuthProvider<PipedriveProfile, Id> {
  return oauthProvider({
    id: "pipedrive",
    name: "Pipedrive",
    authorization: { url: "https://oauth.pipedrive.com/oauth/authorize", params: {} },
    token: "https://oauth.pipedrive.com/oauth/token",
    userinfo: "https://api.pipedrive.com/v1/users/me",
    checks: ["state"],
    profile: (profile) => ({
      id: textId(profile.data?.id),
      name: profile.data?.name,
      email: profile.data?.email,
      image: profile.data?.icon_url,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - no scope: `authorization.params.scope` must be "" (empty: none is sent) or the URL is enough; check that no scope is sent
// - no brand colours: choose neutral ones
// - token quirk: api_domain is returned in the token response
// - notes: Scopes come from the app. Vendor recommends calling {api_domain}/api/v1/users/me; Auth.js uses https://api.pipedrive.com/users/me.
// - optional scopes: ['base']
// - revocation endpoint: https://oauth.pipedrive.com/oauth/revoke
// - pkce: undocumented; docs https://pipedrive.readme.io/docs/marketplace-oauth-authorization
