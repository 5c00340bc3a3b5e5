/**
 * Sign in with Naver.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Naver. */
export interface NaverProfile extends Profile {
  /** TODO. */
  response?:
    | {
      id?: string | null | undefined;
      nickname?: string | null | undefined;
      name?: string | null | undefined;
      email?: string | null | undefined;
      profile_image?: string | null | undefined;
    }
    | null
    | undefined;
}

/**
 * Signs people in with Naver.
 *
 * - Register: {@link https://developers.naver.com/docs/login/api/api.md | TODO: name of the console}: TODO what to
 *   click. The redirect URI is `https://<your site>/auth/callback/naver`.
 * - Environment: `AUTH_NAVER_ID`, `AUTH_NAVER_SECRET`.
 * - Scopes: none.
 * - Email: TODO path {"path": "$.response.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { naver } from "@x/auth/providers/naver";
 *
 * const { handler } = createAuth({ providers: [naver()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.naver.com/docs/login/api/api.md | TODO}
 */
export function naver<Id extends string = "naver">(
  options: OAuthOptions<NaverProfile, Id> = {},
): OAuthProvider<NaverProfile, Id> {
  return oauthProvider({
    id: "naver",
    name: "Naver",
    authorization: { url: "https://nid.naver.com/oauth2.0/authorize", params: {} },
    token: "https://nid.naver.com/oauth2.0/token",
    userinfo: { url: "https://openapi.naver.com/v1/nid/me", request: readProfile },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#03C75A", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.response?.id),
      name: profile.response?.nickname ?? profile.response?.name,
      email: profile.response?.email,
      image: profile.response?.profile_image,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<NaverProfile> {
  const profile = await readJson<NaverProfile>(context, "https://openapi.naver.com/v1/nid/me");
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - no scope: `authorization.params.scope` must be "" (empty: none is sent) or the URL is enough; check that no scope is sent
// - token quirk: state is a documented token request parameter
// - token quirk: expires_in is a string
// - token quirk: errors arrive with HTTP 200 and error/error_description
// - userinfo quirks: {"success_field": "$.resultcode", "success_value": "00"}
// - notes: state is mandatory in the authorization request; consent items are set in the console, no scopes. email is the contact address and not proof of ownership.
// - pkce: unsupported; docs https://developers.naver.com/docs/login/api/api.md
