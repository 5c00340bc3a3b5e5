/**
 * Sign in with Netlify.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

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
export function netlify<Id extends string = "netlify">(
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
    style: { bg: "#32e6e2", text: "#000" },
    profile: ({ id, full_name, email, avatar_url }) => ({
      id: textId(id),
      name: full_name,
      email,
      image: avatar_url,
    }),
  }, options);
}
