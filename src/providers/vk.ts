/**
 * Sign in with VK.
 *
 * @module
 */
import { joinName, type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at VK. */
export interface VKProfile extends Profile {
  /** TODO. */
  user?:
    | {
      user_id?: string | null | undefined;
      first_name?: string | null | undefined;
      last_name?: string | null | undefined;
      email?: string | null | undefined;
      avatar?: string | null | undefined;
    }
    | null
    | undefined;
}

/**
 * Signs people in with VK.
 *
 * - Register: {@link https://id.vk.com/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-description | TODO:
 *   name of the console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/vk`.
 * - Environment: `AUTH_VK_ID`, `AUTH_VK_SECRET`.
 * - Scopes: `email`.
 * - Email: TODO path {"path": "$.user.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { vk } from "@x/auth/providers/vk";
 *
 * const { handler } = createAuth({ providers: [vk()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://id.vk.com/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-description | TODO}
 */
export function vk<Id extends string = "vk">(options: OAuthOptions<VKProfile, Id> = {}): OAuthProvider<VKProfile, Id> {
  return oauthProvider({
    id: "vk",
    name: "VK",
    authorization: { url: "https://id.vk.ru/authorize", params: { scope: "email" } },
    token: "https://id.vk.ru/oauth2/auth",
    userinfo: { url: "https://id.vk.ru/oauth2/user_info", request: readProfile },
    checks: ["state", "pkce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#07F", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.user?.user_id),
      name: joinName(profile.user?.first_name, profile.user?.last_name),
      email: profile.user?.email,
      image: profile.user?.avatar,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<VKProfile> {
  const profile = await readJson<VKProfile>(context, "https://id.vk.ru/oauth2/user_info");
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - token quirk: callback delivers device_id, which must be sent to the token endpoint
// - token quirk: state is a documented token request parameter
// - token quirk: token response has user_id and id_token
// - userinfo quirks: {"method": "POST", "content_type": "application/x-www-form-urlencoded", "body": {"access_token": "{access_token}", "client_id": "{client_id}"}}
// - variant: {"when": "same service, previous host", "authorization_endpoint": "https://id.vk.com/authorize", "token_endpoint": "https://id.vk.com/oauth2/auth", "userinfo_endpoint": "https://id.vk.com/oauth2/user_info"}
// - variant: {"when": "legacy OAuth VKontakte (Auth.js, arctic); vendor: no longer supported", "authorization_endpoint": "https://oauth.vk.com/authorize", "token_endpoint": "https://oauth.vk.com/access_token", "userinfo_endpoint": "https://api.vk.com/method/users.get?fields=photo_100&v=5.131", "profile": {"id": "$.response[0].id", "name": "{$.response[0].first_name} {$.response[0].last_name}", "email": "token:$.email", "image": "$.response[0].photo_100"}, "pkce": "unsupported"}
// - notes: Legacy flow returns email and user_id in the token response, without token_type.
// - optional scopes: ['vkid.personal_info', 'phone']
// - aliases: ['vk-id']
// - pkce: required; docs https://id.vk.com/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-description
