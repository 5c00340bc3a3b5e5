/**
 * Sign in with Nextcloud.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Nextcloud. */
export interface NextcloudProfile extends Profile {
  /** TODO. */
  ocs?:
    | {
      data?:
        | {
          id?: string | null | undefined;
          displayname?: string | null | undefined;
          "display-name"?: string | null | undefined;
          email?: string | null | undefined;
        }
        | null
        | undefined;
    }
    | null
    | undefined;
}

/**
 * Signs people in with Nextcloud.
 *
 * - Register: {@link https://docs.nextcloud.com/server/latest/admin_manual/configuration_server/oauth2.html | TODO:
 *   name of the console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/nextcloud`.
 * - Environment: `AUTH_NEXTCLOUD_ID`, `AUTH_NEXTCLOUD_SECRET`, `AUTH_NEXTCLOUD_ISSUER`.
 * - Scopes: none.
 * - Email: TODO path {"path": "$.ocs.data.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { nextcloud } from "@x/auth/providers/nextcloud";
 *
 * const { handler } = createAuth({ providers: [nextcloud({ issuer: "https://id.example.com" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.nextcloud.com/server/latest/admin_manual/configuration_server/oauth2.html | TODO}
 */
export function nextcloud<Id extends string = "nextcloud">(
  options: OAuthOptions<NextcloudProfile, Id> = {},
): OAuthProvider<NextcloudProfile, Id> {
  return oauthProvider({
    id: "nextcloud",
    name: "Nextcloud",
    authorization: { url: "{issuer}/apps/oauth2/authorize", params: {} },
    token: "{issuer}/apps/oauth2/api/v1/token",
    userinfo: { url: "{issuer}/ocs/v1.php/cloud/users/{token.user_id}", request: readProfile },
    checks: ["state"],
    style: { bg: "#fff", text: "#0082C9" },
    profile: (profile) => ({
      id: textId(profile.ocs?.data?.id),
      name: profile.ocs?.data?.displayname ?? profile.ocs?.data?.["display-name"],
      email: profile.ocs?.data?.email,
      image: null,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<NextcloudProfile> {
  const profile = await readJson<NextcloudProfile>(context, "{issuer}/ocs/v1.php/cloud/users/{token.user_id}");
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - profile image: {issuer}/avatar/{$.ocs.data.id}/512
// - no scope: `authorization.params.scope` must be "" (empty: none is sent) or the URL is enough; check that no scope is sent
// - token quirk: user_id is returned in the token response
// - userinfo quirks: {"headers": {"OCS-APIRequest": "true", "Accept": "application/json"}, "path_from_token": "user_id"}
// - variant: {"when": "no user_id handling", "userinfo_endpoint": "{issuer}/ocs/v2.php/cloud/user?format=json"}
// - notes: ocs/v2.php/cloud/user (self) avoids the user_id path segment and is what Socialite, goth and django-allauth use; there displayname is also spelled display-name. Without pretty URLs paths start with /index.php.
// - pkce: unsupported; docs https://docs.nextcloud.com/server/latest/admin_manual/configuration_server/oauth2.html
