/**
 * Sign in with Gumroad.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Gumroad. */
export interface GumroadProfile extends Profile {
  /** TODO. */
  user?:
    | {
      user_id?: string | null | undefined;
      name?: string | null | undefined;
      email?: string | null | undefined;
      profile_url?: string | null | undefined;
    }
    | null
    | undefined;
}

/**
 * Signs people in with Gumroad.
 *
 * - Register: {@link https://gumroad.com/api#api-authentication | TODO: name of the console}: TODO what to click. The
 *   redirect URI is `https://<your site>/auth/callback/gumroad`.
 * - Environment: `AUTH_GUMROAD_ID`, `AUTH_GUMROAD_SECRET`.
 * - Scopes: `view_profile`.
 * - Email: TODO path {"path": "$.user.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { gumroad } from "@x/auth/providers/gumroad";
 *
 * const { handler } = createAuth({ providers: [gumroad()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://gumroad.com/api#api-authentication | TODO}
 */
export function gumroad<Id extends string = "gumroad">(
  options: OAuthOptions<GumroadProfile, Id> = {},
): OAuthProvider<GumroadProfile, Id> {
  return oauthProvider({
    id: "gumroad",
    name: "Gumroad",
    authorization: { url: "https://gumroad.com/oauth/authorize", params: { scope: "view_profile" } },
    token: "https://api.gumroad.com/oauth/token",
    userinfo: { url: "https://api.gumroad.com/v2/user", request: readProfile },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#FF90E8", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.user?.user_id),
      name: profile.user?.name,
      email: profile.user?.email,
      image: profile.user?.profile_url,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<GumroadProfile> {
  const profile = await readJson<GumroadProfile>(context, "https://api.gumroad.com/v2/user");
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - userinfo quirks: {"success_field": "$.success", "success_value": true}
// - notes: better-auth maps profile_url (a page URL) to image. grant and Socialite use https://gumroad.com/oauth/token.
// - pkce: undocumented; docs https://gumroad.com/api#api-authentication
