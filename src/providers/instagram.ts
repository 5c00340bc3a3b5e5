/**
 * Sign in with Instagram.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Instagram. */
export interface InstagramProfile extends Profile {
  /** TODO. */
  user_id?: string | null | undefined;
  /** TODO. */
  username?: string | null | undefined;
  /** TODO. */
  profile_picture_url?: string | null | undefined;
}

/**
 * Signs people in with Instagram.
 *
 * - Register: {@link
 *   https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login | TODO:
 *   name of the console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/instagram`.
 * - Environment: `AUTH_INSTAGRAM_ID`, `AUTH_INSTAGRAM_SECRET`.
 * - Scopes: `instagram_business_basic`.
 * - Email: TODO path null verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { instagram } from "@x/auth/providers/instagram";
 *
 * const { handler } = createAuth({ providers: [instagram()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login | TODO}
 */
export function instagram<Id extends string = "instagram">(
  options: OAuthOptions<InstagramProfile, Id> = {},
): OAuthProvider<InstagramProfile, Id> {
  return oauthProvider({
    id: "instagram",
    name: "Instagram",
    authorization: {
      url: "https://www.instagram.com/oauth/authorize",
      params: { scope: "instagram_business_basic" },
      scopeSeparator: ",",
    },
    token: "https://api.instagram.com/oauth/access_token",
    userinfo: {
      url: "https://graph.instagram.com/me?fields=user_id,username,name,account_type,profile_picture_url",
      request: readProfile,
    },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#fff", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.user_id ?? profile.id),
      name: profile.username ?? profile.name,
      email: null,
      image: profile.profile_picture_url,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<InstagramProfile> {
  const profile = await readJson<InstagramProfile>(
    context,
    "https://graph.instagram.com/me?fields=user_id,username,name,account_type,profile_picture_url",
  );
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - token quirk: documented sample wraps the token in data[0]; live responses are flat: access_token, user_id, permissions
// - token quirk: no token_type, no expires_in (short-lived, 1 h)
// - token quirk: numeric user_id may exceed 2^53
// - extra request: {"method": "GET", "url": "https://graph.instagram.com/access_token?grant_type=ig_exchange_token&client_secret={client_secret}&access_token={access_token}", "purpose": "exchange for a 60-day token", "optional": true}
// - variant: {"when": "Basic Display API (shut down 2024-12-04; Auth.js values)", "authorization_endpoint": "https://api.instagram.com/oauth/authorize", "scopes": ["user_profile"], "userinfo_endpoint": "https://graph.instagram.com/me?fields=id,username,account_type,name"}
// - notes: Only professional (business/creator) accounts can log in since the Basic Display API shutdown. No email.
// - pkce: unsupported; docs https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login
