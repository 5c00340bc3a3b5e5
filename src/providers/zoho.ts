/**
 * Sign in with Zoho.
 *
 * @module
 */
import { joinName, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Zoho. */
export interface ZohoProfile extends Profile {
  /** TODO. */
  ZUID?: string | null | undefined;
  /** TODO. */
  First_Name?: string | null | undefined;
  /** TODO. */
  Last_Name?: string | null | undefined;
  /** TODO. */
  Display_Name?: string | null | undefined;
  /** TODO. */
  Email?: string | null | undefined;
}

/** Options of {@linkcode zoho}. */
export interface ZohoOptions<Id extends string = string> extends OAuthOptions<ZohoProfile, Id> {
  /** TODO. */
  dataCenter?: string | undefined;
}

/**
 * Signs people in with Zoho.
 *
 * - Register: {@link https://www.zoho.com/accounts/protocol/oauth/web-server-applications.html | TODO: name of the
 *   console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/zoho`.
 * - Environment: `AUTH_ZOHO_ID`, `AUTH_ZOHO_SECRET`.
 * - Scopes: `AaaServer.profile.Read`.
 * - Email: TODO path {"path": "$.Email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { zoho } from "@x/auth/providers/zoho";
 *
 * const { handler } = createAuth({ providers: [zoho()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://www.zoho.com/accounts/protocol/oauth/web-server-applications.html | TODO}
 */
export function zoho<Id extends string = "zoho">(options: ZohoOptions<Id> = {}): OAuthProvider<ZohoProfile, Id> {
  return oauthProvider({
    id: "zoho",
    name: "Zoho",
    authorization: {
      url: "https://accounts.zoho.com/oauth/v2/auth",
      params: { scope: "AaaServer.profile.Read" },
      scopeSeparator: ",",
    },
    token: "https://accounts.zoho.com/oauth/v2/token",
    userinfo: "https://accounts.zoho.com/oauth/user/info",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#E42527", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.ZUID),
      name: joinName(profile.First_Name, profile.Last_Name) ?? profile.Display_Name,
      email: profile.Email,
      image: null,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - token quirk: errors with HTTP 200 and {"error":...}
// - token quirk: api_domain in response
// - token quirk: callback carries location and accounts-server of the user data centre: send the code there
// - variant: {"when": "data_center", "hosts": ["accounts.zoho.com", "accounts.zoho.eu", "accounts.zoho.in", "accounts.zoho.com.au", "accounts.zoho.jp", "accounts.zohocloud.ca", "accounts.zoho.sa", "accounts.zoho.com.cn"]}
// - notes: Scope names are case-insensitive (aaaserver.profile.READ in allauth/Socialite). OIDC discovery also exists at https://accounts.zoho.com/.well-known/openid-configuration.
// - options: required [] optional ['data_center']
// - revocation endpoint: https://accounts.zoho.com/oauth/v2/token/revoke
// - pkce: undocumented; docs https://www.zoho.com/accounts/protocol/oauth/web-server-applications.html
