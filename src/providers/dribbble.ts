/**
 * Sign in with Dribbble.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Dribbble. */
export interface DribbbleProfile extends Profile {
  /** Account id. */
  id?: number | string | null | undefined;
  /** The user name. It can change. */
  login?: string | null | undefined;
  /** URL of a picture. */
  avatar_url?: string | null | undefined;
  /** URL of the profile page. */
  html_url?: string | null | undefined;
  /** What the person says about themselves, as HTML. */
  bio?: string | null | undefined;
  /** Where the person says that they live. */
  location?: string | null | undefined;
}

/** Options of {@linkcode dribbble}. */
export interface DribbbleOptions<Id extends string = string> extends OAuthOptions<DribbbleProfile, Id> {
  /** Scopes, separated by spaces. @default {"public"} */
  scope?: string | undefined;
}

/**
 * Signs people in with Dribbble.
 *
 * - Register: {@link https://dribbble.com/account/applications/new | New application at Dribbble}. The callback URL is
 *   `https://<your site>/auth/callback/dribbble`.
 * - Environment: `AUTH_DRIBBBLE_ID`, `AUTH_DRIBBBLE_SECRET`.
 * - Scopes: `public`. To publish shots, add `upload`.
 * - Email: usually none: Dribbble documents no address in the profile. If there is one, nobody vouches for it.
 * - Refresh: no refresh token. Access tokens do not expire.
 * - Logout: no page for it.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { dribbble } from "@x/auth/providers/dribbble";
 *
 * const { handler } = createAuth({ providers: [dribbble()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.dribbble.com/v2/oauth/ | OAuth 2.0 at Dribbble}
 */
export function dribbble<Id extends string = "dribbble">(
  options: DribbbleOptions<Id> = {},
): OAuthProvider<DribbbleProfile, Id> {
  const { scope = "public", ...overrides } = options;
  return oauthProvider({
    id: "dribbble",
    name: "Dribbble",
    authorization: { url: "https://dribbble.com/oauth/authorize", params: { scope } },
    token: "https://dribbble.com/oauth/token",
    userinfo: "https://api.dribbble.com/v2/user",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#000", text: "#fff" },
    profile: ({ id, name, login, email, avatar_url }) => ({
      id: textId(id),
      name: name || login,
      email,
      image: avatar_url,
    }),
  }, overrides);
}
