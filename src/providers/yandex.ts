/**
 * Sign in with Yandex.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Yandex. */
export interface YandexProfile extends Profile {
  /** TODO. */
  display_name?: string | null | undefined;
  /** TODO. */
  real_name?: string | null | undefined;
  /** TODO. */
  first_name?: string | null | undefined;
  /** TODO. */
  login?: string | null | undefined;
  /** TODO. */
  default_email?: string | null | undefined;
  /** TODO. */
  emails?: readonly (string | null)[] | null | undefined;
}

/**
 * Signs people in with Yandex.
 *
 * - Register: {@link https://yandex.com/dev/id/doc/en/ | TODO: name of the console}: TODO what to click. The redirect
 *   URI is `https://<your site>/auth/callback/yandex`.
 * - Environment: `AUTH_YANDEX_ID`, `AUTH_YANDEX_SECRET`.
 * - Scopes: `login:info`, `login:email`, `login:avatar`.
 * - Email: TODO path {"path": "$.default_email", "fallbacks": ["$.emails[0]"]} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { yandex } from "@x/auth/providers/yandex";
 *
 * const { handler } = createAuth({ providers: [yandex()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://yandex.com/dev/id/doc/en/ | TODO}
 */
export function yandex<Id extends string = "yandex">(
  options: OAuthOptions<YandexProfile, Id> = {},
): OAuthProvider<YandexProfile, Id> {
  return oauthProvider({
    id: "yandex",
    name: "Yandex",
    authorization: {
      url: "https://oauth.yandex.com/authorize",
      params: { scope: "login:info login:email login:avatar" },
    },
    token: "https://oauth.yandex.com/token",
    userinfo: { url: "https://login.yandex.ru/info?format=json", request: readProfile },
    checks: ["state", "pkce"],
    style: { bg: "#ffcc00", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: profile.display_name ?? profile.real_name ?? profile.first_name ?? profile.login,
      email: profile.default_email ?? profile.emails?.[0],
      image: null,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<YandexProfile> {
  const profile = await readJson<YandexProfile>(context, "https://login.yandex.ru/info?format=json");
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - profile image: https://avatars.yandex.net/get-yapic/{$.default_avatar_id}/islands-200
// - userinfo quirks: {"authorization_scheme": "OAuth (Bearer accepted)", "query": {"format": "json"}}
// - notes: oauth.yandex.ru is the same service in Russian (Auth.js). Skip the avatar when is_avatar_empty is true. Scope parameter is optional: app registration decides.
// - revocation endpoint: https://oauth.yandex.com/revoke_token
// - pkce: supported; docs https://yandex.com/dev/id/doc/en/
