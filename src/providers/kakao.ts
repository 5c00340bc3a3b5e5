/**
 * Sign in with Kakao.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** What a person at Kakao has agreed to share. */
export interface KakaoAccount {
  /** How the person shows up in Kakao's services. */
  readonly profile?:
    | {
      /** Nickname. */
      readonly nickname?: string | null | undefined;
      /** URL of a picture. */
      readonly profile_image_url?: string | null | undefined;
      /** URL of a small picture. */
      readonly thumbnail_image_url?: string | null | undefined;
    }
    | null
    | undefined;
  /** Full name. */
  readonly name?: string | null | undefined;
  /** Email address. Repeated as `email` of the profile. */
  readonly email?: string | null | undefined;
  /** Whether the address still belongs to this account. */
  readonly is_email_valid?: boolean | null | undefined;
  /** Whether Kakao has verified the address. */
  readonly is_email_verified?: boolean | null | undefined;
}

/** The profile of a person at Kakao. */
export interface KakaoProfile extends Profile {
  /** Account id. */
  id?: number | string | null | undefined;
  /** What the person has agreed to share. */
  kakao_account?: KakaoAccount | null | undefined;
}

/**
 * Signs people in with Kakao.
 *
 * - Register: {@link https://developers.kakao.com/console/app | Kakao Developers}: create an app and activate Kakao
 *   Login in it. Its redirect URI is `https://<your site>/auth/callback/kakao`.
 * - Environment: `AUTH_KAKAO_ID` (the REST API key), `AUTH_KAKAO_SECRET` (the client secret of Kakao Login).
 * - Scopes: none: people are asked for the consent items that you set in the console, such as `account_email`,
 *   `profile_nickname` and `profile_image`. A scope that is not set there is an error.
 * - Email: with `email_verified`, which is true if the address is valid and verified; none unless the consent item
 *   `account_email` is set.
 * - Refresh: a refresh token comes with each sign-in.
 * - Logout: `logout: true` goes to Kakao's page for it. Register `https://<your site>/auth/signout/kakao` as the logout
 *   redirect URI.
 *
 * If the client secret is switched off in the console, leave out `clientSecret` and set
 * `client: { token_endpoint_auth_method: "none" }`.
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
 * @see {@link https://developers.kakao.com/docs/latest/en/kakaologin/rest-api | Kakao Login}
 */
export function kakao<const Id extends string = "kakao">(
  options: OAuthOptions<KakaoProfile, Id> = {},
): OAuthProvider<KakaoProfile, Id> {
  return oauthProvider({
    id: "kakao",
    name: "Kakao",
    authorization: {
      url: "https://kauth.kakao.com/oauth/authorize",
      params: { scope: "" },
      scopeSeparator: ",",
    },
    token: "https://kauth.kakao.com/oauth/token",
    userinfo: { url: USER, request: readProfile },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    logoutFallback: { url: "https://kauth.kakao.com/oauth/logout", returnParam: "logout_redirect_uri" },
    style: { bg: "#FFCD00", text: "#000" },
    profile: ({ id, kakao_account: account }) => ({
      id: textId(id),
      name: account?.profile?.nickname || account?.name,
      email: account?.email,
      image: account?.profile?.profile_image_url || account?.profile?.thumbnail_image_url,
    }),
  }, options);
}

const USER = "https://kapi.kakao.com/v2/user/me";

async function readProfile(context: ProfileContext): Promise<KakaoProfile> {
  // Without the parameter, URLs of pictures are not https.
  const profile = await readJson<KakaoProfile>(context, USER, { query: { secure_resource: "true" } });
  const { email, is_email_valid, is_email_verified } = profile.kakao_account ?? {};
  return { ...profile, email, email_verified: is_email_valid === true && is_email_verified === true };
}

export default kakao;
