/**
 * Sign in with Dribbble.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

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
export function dribbble<const Id extends string = "dribbble">(
  options: DribbbleOptions<Id> = {},
): OAuthProvider<DribbbleProfile, Id> {
  const { scope = "public", ...overrides } = optionsFor("dribbble", options);
  return oauthProvider({
    id: "dribbble",
    name: "Dribbble",
    authorization: { url: "https://dribbble.com/oauth/authorize", params: { scope } },
    token: "https://dribbble.com/oauth/token",
    userinfo: "https://api.dribbble.com/v2/user",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: {
      bg: "#000",
      text: "#fff",
      mark:
        "m12 24c-6.62 0-12-5.39-12-12s5.38-12 12-12 12 5.38 12 12-5.38 12-12 12zm10.12-10.36c-.35-.11-3.17-.95-6.38-.44 1.34 3.69 1.88 6.69 1.99 7.31 2.3-1.55 3.93-4.02 4.39-6.87zm-6.12 7.81c-.15-.9-.75-4.03-2.19-7.77l-.06.02c-5.79 2.02-7.86 6.03-8.04 6.4 1.73 1.36 3.92 2.17 6.29 2.17 1.42 0 2.77-.29 4-.82zm-11.62-2.58c.24-.4 3.05-5.05 8.34-6.77.13-.04.27-.08.4-.12-.26-.58-.54-1.16-.83-1.74-5.12 1.54-10.08 1.47-10.53 1.46l-.01.31c0 2.63 1 5.04 2.64 6.86zm-2.42-8.96c.46.01 4.69.03 9.48-1.24-1.7-3.02-3.53-5.56-3.8-5.93-2.87 1.35-5.01 3.99-5.67 7.17zm7.64-7.86c.28.38 2.15 2.92 3.82 6 3.65-1.36 5.19-3.44 5.38-3.7-1.81-1.61-4.19-2.59-6.8-2.59-.82 0-1.63.1-2.4.29zm10.34 3.49c-.22.29-1.94 2.49-5.73 4.04.24.49.47.98.68 1.48.08.18.15.36.22.53 3.41-.43 6.8.26 7.14.33-.02-2.42-.88-4.64-2.31-6.38z",
    },
    profile: ({ id, name, login, email, avatar_url }) => ({
      id: textId(id),
      name: name || login,
      email,
      image: avatar_url,
    }),
  }, overrides);
}

export default dribbble;
