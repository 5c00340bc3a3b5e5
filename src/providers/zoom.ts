/**
 * Sign in with Zoom.
 *
 * @module
 */
import { joinName, type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Zoom. */
export interface ZoomProfile extends Profile {
  /** TODO. */
  first_name?: string | null | undefined;
  /** TODO. */
  last_name?: string | null | undefined;
  /** TODO. */
  display_name?: string | null | undefined;
  /** TODO. */
  pic_url?: string | null | undefined;
  /** TODO. */
  verified?: string | null | undefined;
}

/**
 * Signs people in with Zoom.
 *
 * - Register: {@link https://developers.zoom.us/docs/integrations/oauth/ | TODO: name of the console}: TODO what to
 *   click. The redirect URI is `https://<your site>/auth/callback/zoom`.
 * - Environment: `AUTH_ZOOM_ID`, `AUTH_ZOOM_SECRET`.
 * - Scopes: none.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { zoom } from "@x/auth/providers/zoom";
 *
 * const { handler } = createAuth({ providers: [zoom()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.zoom.us/docs/integrations/oauth/ | TODO}
 */
export function zoom<Id extends string = "zoom">(
  options: OAuthOptions<ZoomProfile, Id> = {},
): OAuthProvider<ZoomProfile, Id> {
  return oauthProvider({
    id: "zoom",
    name: "Zoom",
    authorization: { url: "https://zoom.us/oauth/authorize", params: {} },
    token: "https://zoom.us/oauth/token",
    userinfo: { url: "https://api.zoom.us/v2/users/me", request: readProfile },
    checks: ["state", "pkce"],
    style: { bg: "#0b5cff", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: joinName(profile.first_name, profile.last_name) ?? profile.display_name,
      email: profile.email,
      image: profile.pic_url,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<ZoomProfile> {
  const profile = await readJson<ZoomProfile>(context, "https://api.zoom.us/v2/users/me");
  return { ...profile, email_verified: Boolean(profile.verified) };
}

// TODO (remove this list when each is done or does not apply):
// - no scope: `authorization.params.scope` must be "" (empty: none is sent) or the URL is enough; check that no scope is sent
// - notes: Scopes are defined on the app. verified is 0/1. Basic client authentication is documented; better-auth posts the secret.
// - optional scopes: ['user:read:user']
// - revocation endpoint: https://zoom.us/oauth/revoke
// - pkce: supported; docs https://developers.zoom.us/docs/integrations/oauth/
