/**
 * Sign in with Zoom.
 *
 * @module
 */
import { joinName, type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Zoom. */
export interface ZoomProfile extends Profile {
  /** Account id. */
  id?: string | null | undefined;
  /** First name. */
  first_name?: string | null | undefined;
  /** Last name. */
  last_name?: string | null | undefined;
  /** The name to show. */
  display_name?: string | null | undefined;
  /** URL of a picture. */
  pic_url?: string | null | undefined;
  /** Whether the email address is verified: 1 or 0. Repeated as `email_verified`. */
  verified?: number | null | undefined;
  /** Id of the account that the person belongs to. */
  account_id?: string | null | undefined;
}

/**
 * Signs people in with Zoom.
 *
 * - Register: {@link https://marketplace.zoom.us/develop/create | App Marketplace}: create a general app that users
 *   manage, with the scope `user:read:user`. Its OAuth redirect URL is `https://<your site>/auth/callback/zoom`.
 * - Environment: `AUTH_ZOOM_ID`, `AUTH_ZOOM_SECRET`.
 * - Scopes: none; they are settings of the app, which needs `user:read:user`.
 * - Email: an address with `email_verified`.
 * - Refresh: a refresh token comes with each sign-in; access tokens live an hour.
 * - Logout: no page for it.
 *
 * Until the app is published, only people of your own account at Zoom can sign in.
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
 * @see {@link https://developers.zoom.us/docs/integrations/oauth/ | OAuth 2.0 at Zoom}
 */
export function zoom<const Id extends string = "zoom">(
  options: OAuthOptions<ZoomProfile, Id> = {},
): OAuthProvider<ZoomProfile, Id> {
  return oauthProvider({
    id: "zoom",
    name: "Zoom",
    authorization: { url: "https://zoom.us/oauth/authorize", params: { scope: "" } },
    token: "https://zoom.us/oauth/token",
    userinfo: { url: USERINFO, request: readProfile },
    checks: ["state", "pkce"],
    style: { bg: "#0b5cff", text: "#fff" },
    profile: ({ id, first_name, last_name, display_name, email, pic_url }) => ({
      id: textId(id),
      name: joinName(first_name, last_name) || display_name,
      email,
      image: pic_url,
    }),
  }, options);
}

const USERINFO = "https://api.zoom.us/v2/users/me";

async function readProfile(context: ProfileContext): Promise<ZoomProfile> {
  const profile = await readJson<ZoomProfile>(context, USERINFO);
  return { ...profile, email_verified: profile.verified === 1 };
}

export default zoom;
