/**
 * Sign in with Atlassian.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Atlassian. */
export interface AtlassianProfile extends Profile {
  /** Account id, the same in all products of Atlassian. */
  account_id?: string | null | undefined;
  /** Whose account it is: `atlassian` for people. */
  account_type?: string | undefined;
  /** `active`, `inactive` or `closed`. */
  account_status?: string | undefined;
  /** URL of a picture. */
  picture?: string | null | undefined;
}

/**
 * Signs people in with Atlassian.
 *
 * - Register: {@link https://developer.atlassian.com/console/myapps/ | Developer console of Atlassian}. Create an OAuth
 *   2.0 integration, add the User identity API under Permissions, and configure OAuth 2.0 (3LO) under Authorization.
 *   The callback URL is `https://<your site>/auth/callback/atlassian`. Until you share the app under Distribution, only
 *   you can sign in.
 * - Environment: `AUTH_ATLASSIAN_ID`, `AUTH_ATLASSIAN_SECRET`.
 * - Scopes: `read:me`.
 * - Email: the address of the account, unless the settings of the person or of their company hide it. Atlassian does
 *   not document whether it is verified.
 * - Refresh: with the scope `offline_access`. Each refresh gives a new refresh token. Access tokens live one hour.
 * - Logout: no page for it.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { atlassian } from "@x/auth/providers/atlassian";
 *
 * const { handler } = createAuth({ providers: [atlassian()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/ | OAuth 2.0 (3LO) at Atlassian}
 */
export function atlassian<const Id extends string = "atlassian">(
  options: OAuthOptions<AtlassianProfile, Id> = {},
): OAuthProvider<AtlassianProfile, Id> {
  return oauthProvider({
    id: "atlassian",
    name: "Atlassian",
    authorization: {
      url: "https://auth.atlassian.com/authorize",
      params: { scope: "read:me", audience: "api.atlassian.com", prompt: "consent" },
    },
    token: "https://auth.atlassian.com/oauth/token",
    userinfo: "https://api.atlassian.com/me",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: {
      bg: "#fff",
      text: "#0052cc",
      mark:
        "m7.12 11.08a.68.68 0 0 0-1.16.13l-5.88 11.76a.7.7 0 0 0 .62 1.02h8.2a.68.68 0 0 0 .63-.39c1.76-3.65.69-9.2-2.41-12.52zm4.31-10.69a15.52 15.52 0 0 0-.9 15.31l3.95 7.9a.7.7 0 0 0 .63.39h8.19a.7.7 0 0 0 .63-1.02l-11.3-22.59a.66.66 0 0 0-1.2.01z",
    },
    profile: ({ account_id, name, nickname, email, picture }) => ({
      id: textId(account_id),
      name: name || nickname,
      email,
      image: picture,
    }),
  }, options);
}

export default atlassian;
