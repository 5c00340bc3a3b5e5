/**
 * Sign in with Yandex.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Yandex. */
export interface YandexProfile extends Profile {
  /** Account id. */
  id?: string | null | undefined;
  /** The name the person signs in with. */
  login?: string | null | undefined;
  /** The name to show. */
  display_name?: string | null | undefined;
  /** First and last name. */
  real_name?: string | null | undefined;
  /** First name. */
  first_name?: string | null | undefined;
  /** Last name. */
  last_name?: string | null | undefined;
  /** The address that the person has chosen. */
  default_email?: string | null | undefined;
  /** All addresses. */
  emails?: readonly string[] | null | undefined;
  /** Id of a picture. */
  default_avatar_id?: string | null | undefined;
  /** Whether that picture is the general one. */
  is_avatar_empty?: boolean | undefined;
}

/**
 * Signs people in with Yandex.
 *
 * - Register: {@link https://oauth.yandex.com/client/new | Yandex OAuth}: create an application for web services with
 *   access to the name, the email address and the picture. Its redirect URI is
 *   `https://<your site>/auth/callback/yandex`.
 * - Environment: `AUTH_YANDEX_ID`, `AUTH_YANDEX_SECRET`.
 * - Scopes: `login:info`, `login:email`, `login:avatar`.
 * - Email: an address that nobody vouches for.
 * - Refresh: a refresh token comes with each sign-in; access tokens live as long as the application is registered for,
 *   often a year.
 * - Logout: no page for it.
 *
 * An application gets the permissions that it is registered with. A scope beyond them is an error.
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
 * @see {@link https://yandex.com/dev/id/doc/en/ | Yandex ID}
 */
export function yandex<const Id extends string = "yandex">(
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
    userinfo: {
      url: USERINFO,
      request: (context: ProfileContext) => readJson<YandexProfile>(context, USERINFO, { scheme: "OAuth" }),
    },
    checks: ["state", "pkce"],
    style: { bg: "#ffcc00", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: profile.display_name || profile.real_name || profile.first_name || profile.login,
      email: profile.default_email || profile.emails?.[0],
      image: pictureOf(profile),
    }),
  }, options);
}

const USERINFO = "https://login.yandex.ru/info?format=json";

function pictureOf({ is_avatar_empty, default_avatar_id: id }: YandexProfile): string | null {
  if (is_avatar_empty || !id || !/^[\w/-]+$/.test(id)) return null;
  return `https://avatars.yandex.net/get-yapic/${id}/islands-200`;
}

export default yandex;
