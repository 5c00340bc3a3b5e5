/**
 * Sign in with Kakao.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Kakao. */
export interface KakaoProfile extends Profile {
  /** TODO. */
  kakao_account?:
    | {
      profile?:
        | {
          nickname?: string | null | undefined;
          profile_image_url?: string | null | undefined;
          thumbnail_image_url?: string | null | undefined;
        }
        | null
        | undefined;
      name?: string | null | undefined;
      email?: string | null | undefined;
      is_email_verified?: string | null | undefined;
    }
    | null
    | undefined;
}

/**
 * Signs people in with Kakao.
 *
 * - Register: {@link https://developers.kakao.com/docs/latest/en/kakaologin/rest-api | TODO: name of the console}:
 *   TODO what to click. The redirect URI is `https://<your site>/auth/callback/kakao`.
 * - Environment: `AUTH_KAKAO_ID`, `AUTH_KAKAO_SECRET`.
 * - Scopes: none.
 * - Email: TODO path {"path": "$.kakao_account.email", "fallbacks": []} verified {"path":
 *   "$.kakao_account.is_email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { kakao } from "@x/auth/providers/kakao";
 *
 * const { handler } = createAuth({ providers: [kakao()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.kakao.com/docs/latest/en/kakaologin/rest-api | TODO}
 */
export function kakao<Id extends string = "kakao">(
  options: OAuthOptions<KakaoProfile, Id> = {},
): OAuthProvider<KakaoProfile, Id> {
  return oauthProvider({
    id: "kakao",
    name: "Kakao",
    authorization: { url: "https://kauth.kakao.com/oauth/authorize", params: {} },
    token: "https://kauth.kakao.com/oauth/token",
    userinfo: { url: "https://kapi.kakao.com/v2/user/me", request: readProfile },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#FFCD00", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: profile.kakao_account?.profile?.nickname ?? profile.kakao_account?.name,
      email: profile.kakao_account?.email,
      image: profile.kakao_account?.profile?.profile_image_url ?? profile.kakao_account?.profile?.thumbnail_image_url,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<KakaoProfile> {
  const profile = await readJson<KakaoProfile>(context, "https://kapi.kakao.com/v2/user/me");
  return { ...profile, email_verified: Boolean(profile.kakao_account?.is_email_verified) };
}

// TODO (remove this list when each is done or does not apply):
// - no scope: `authorization.params.scope` must be "" (empty: none is sent) or the URL is enough; check that no scope is sent
// - variant: {"when": "OIDC enabled on the app (scope openid)", "issuer": "https://kauth.kakao.com", "discovery_url": "https://kauth.kakao.com/.well-known/openid-configuration", "userinfo_endpoint": "https://kapi.kakao.com/v1/oidc/userinfo"}
// - notes: Consent items are configured in the console; sending an unconfigured scope is an error. Email counts as verified only when is_email_valid and is_email_verified are both true. client_secret is optional per app.
// - optional scopes: ['account_email', 'profile_nickname', 'profile_image']
// - pkce: undocumented; docs https://developers.kakao.com/docs/latest/en/kakaologin/rest-api
