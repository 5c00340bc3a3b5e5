/**
 * Sign in with Netlify.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Netlify. */
export interface NetlifyProfile extends Profile {
  /** Full name. */
  full_name?: string | null | undefined;
  /** URL of a picture. */
  avatar_url?: string | null | undefined;
}

/**
 * Signs people in with Netlify.
 *
 * - Register: {@link https://app.netlify.com/user/applications | Applications in the settings of a user}: create an
 *   OAuth app and enter the redirect URI `https://<your site>/auth/callback/netlify`.
 * - Environment: `AUTH_NETLIFY_ID`, `AUTH_NETLIFY_SECRET`.
 * - Scopes: none.
 * - Email: the address of the account; nobody says whether it is verified.
 * - Refresh: no refresh token.
 * - Logout: no page for it.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { netlify } from "@x/auth/providers/netlify";
 *
 * const { handler } = createAuth({ providers: [netlify()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.netlify.com/api/get-started/#authentication | OAuth 2.0 at Netlify}
 */
export function netlify<const Id extends string = "netlify">(
  options: OAuthOptions<NetlifyProfile, Id> = {},
): OAuthProvider<NetlifyProfile, Id> {
  return oauthProvider({
    id: "netlify",
    name: "Netlify",
    authorization: { url: "https://app.netlify.com/authorize", params: { scope: "" } },
    token: "https://api.netlify.com/oauth/token",
    userinfo: "https://api.netlify.com/api/v1/user",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: {
      bg: "#32e6e2",
      text: "#000",
      mark:
        "M6.49 19.04h-.23L5.13 17.9v-.23l1.73-1.71h1.2l.15.15v1.2L6.5 19.04ZM5.13 6.31V6.1l1.13-1.13h.23L8.2 6.68v1.2l-.15.15h-1.2L5.13 6.31Zm9.96 9.09h-1.65l-.14-.13v-3.83c0-.68-.27-1.2-1.1-1.23-.42 0-.9 0-1.43.02l-.07.08v4.96l-.14.14H8.9l-.13-.14V8.73l.13-.14h3.7a2.6 2.6 0 0 1 2.61 2.6v4.08l-.13.14Zm-8.37-2.44H.14L0 12.82v-1.64l.14-.14h6.58l.14.14v1.64l-.14.14Zm17.14 0h-6.58l-.14-.14v-1.64l.14-.14h6.58l.14.14v1.64l-.14.14ZM11.05 6.55V1.64l.14-.14h1.65l.14.14v4.9l-.14.14h-1.65l-.14-.13Zm0 15.81v-4.9l.14-.14h1.65l.14.13v4.91l-.14.14h-1.65l-.14-.14Z",
    },
    profile: ({ id, full_name, email, avatar_url }) => ({
      id: textId(id),
      name: full_name,
      email,
      image: avatar_url,
    }),
  }, options);
}

export default netlify;
