/**
 * Sign in with TikTok.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at TikTok. */
export interface TikTokProfile extends Profile {
  /** TODO. */
  data?:
    | {
      user?:
        | {
          open_id?: string | null | undefined;
          display_name?: string | null | undefined;
          username?: string | null | undefined;
          avatar_url?: string | null | undefined;
          avatar_large_url?: string | null | undefined;
        }
        | null
        | undefined;
    }
    | null
    | undefined;
}

/**
 * Signs people in with TikTok.
 *
 * - Register: {@link https://developers.tiktok.com/doc/login-kit-web/ | TODO: name of the console}: TODO what to
 *   click. The redirect URI is `https://<your site>/auth/callback/tiktok`.
 * - Environment: `AUTH_TIKTOK_ID`, `AUTH_TIKTOK_SECRET`.
 * - Scopes: `user.info.basic`.
 * - Email: TODO path null verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { tiktok } from "@x/auth/providers/tiktok";
 *
 * const { handler } = createAuth({ providers: [tiktok()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.tiktok.com/doc/login-kit-web/ | TODO}
 */
export function tiktok<Id extends string = "tiktok">(
  options: OAuthOptions<TikTokProfile, Id> = {},
): OAuthProvider<TikTokProfile, Id> {
  return oauthProvider({
    id: "tiktok",
    name: "TikTok",
    authorization: {
      url: "https://www.tiktok.com/v2/auth/authorize/",
      params: { scope: "user.info.basic" },
      scopeSeparator: ",",
    },
    token: "https://open.tiktokapis.com/v2/oauth/token/",
    userinfo: {
      url: "https://open.tiktokapis.com/v2/user/info/?fields=open_id,union_id,avatar_url,display_name",
      request: readProfile,
    },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#000", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.data?.user?.open_id),
      name: profile.data?.user?.display_name ?? profile.data?.user?.username,
      email: null,
      image: profile.data?.user?.avatar_url ?? profile.data?.user?.avatar_large_url,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<TikTokProfile> {
  const profile = await readJson<TikTokProfile>(
    context,
    "https://open.tiktokapis.com/v2/user/info/?fields=open_id,union_id,avatar_url,display_name",
  );
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - authorization param client_key={client_id}
// - token quirk: client_key replaces client_id in authorization, token, refresh and revoke requests
// - token quirk: Content-Type must be exactly application/x-www-form-urlencoded (no charset)
// - token quirk: trailing slashes are significant
// - token quirk: open_id in token response
// - userinfo quirks: {"query": {"fields": "mandatory, comma-separated"}, "error_field": "$.error.code", "error_ok_value": "ok"}
// - notes: Desktop PKCE uses a hex (not base64url) SHA-256 challenge. username needs user.info.profile. union_id is stable across apps of one developer. No email.
// - optional scopes: ['user.info.profile']
// - revocation endpoint: https://open.tiktokapis.com/v2/oauth/revoke/
// - pkce: desktop-only; docs https://developers.tiktok.com/doc/login-kit-web/
