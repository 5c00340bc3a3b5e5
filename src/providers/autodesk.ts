/**
 * Sign in with Autodesk.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Autodesk. */
export interface AutodeskProfile extends Profile {
  /** URL of a picture. */
  picture?: string | null | undefined;
}

/**
 * Signs people in with Autodesk.
 *
 * - Register: {@link https://aps.autodesk.com/myapps/ | My apps at Autodesk Platform Services}. Create an application
 *   of the type Traditional Web App. The callback URL is `https://<your site>/auth/callback/autodesk`.
 * - Environment: `AUTH_AUTODESK_ID`, `AUTH_AUTODESK_SECRET`.
 * - Scopes: `openid`, `user:read`, `user-profile:read`. For the files of the person, add `data:read`.
 * - Email: the address of the account. `email_verified` is given to callbacks.
 * - Refresh: a refresh token comes with each sign-in. It is valid once and gives a new one. Access tokens live one
 *   hour.
 * - Logout: `logout: true` goes on at the logout page of Autodesk.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { autodesk } from "@x/auth/providers/autodesk";
 *
 * const { handler } = createAuth({ providers: [autodesk()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://aps.autodesk.com/en/docs/oauth/v2/developers_guide/overview/ | OAuth 2.0 at Autodesk}
 */
export function autodesk<const Id extends string = "autodesk">(
  options: OAuthOptions<AutodeskProfile, Id> = {},
): OAuthProvider<AutodeskProfile, Id> {
  return oauthProvider({
    id: "autodesk",
    name: "Autodesk",
    issuer: "https://developer.api.autodesk.com",
    authorization: {
      url: "https://developer.api.autodesk.com/authentication/v2/authorize",
      params: { scope: "openid user:read user-profile:read" },
    },
    token: "https://developer.api.autodesk.com/authentication/v2/token",
    userinfo: "https://api.userprofile.autodesk.com/userinfo",
    checks: ["state", "pkce"],
    logoutFallback: { url: "https://developer.api.autodesk.com/authentication/v2/logout" },
    style: {
      bg: "#000000",
      text: "#fff",
      mark:
        "m.13 20.2 14.7-9.13h7.62c.24 0 .45.18.45.44 0 .21-.09.31-.21.38l-7.22 4.32c-.47.28-.64.84-.64 1.26l0 2.73h9.17v-15.84a.56.56 0 0 0-.59-.56h-8.75l-14.66 9.09v7.31h.13z",
    },
    profile: ({ sub, name, preferred_username, email, picture }) => ({
      id: textId(sub),
      name: name || preferred_username,
      email,
      image: picture,
    }),
  }, options);
}

export default autodesk;
