/**
 * Sign in with Roblox.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at Roblox. */
export interface RobloxProfile extends Profile {
  /** Account id. */
  sub: string;
}

/**
 * Signs people in with Roblox.
 *
 * - Register:
 *   {@link https://create.roblox.com/dashboard/credentials?activeTab=OAuthTab | Credentials in the Creator Dashboard}:
 *   under "OAuth 2.0 Apps", create an app and enter the redirect URL `https://<your site>/auth/callback/roblox`.
 * - Environment: `AUTH_ROBLOX_ID`, `AUTH_ROBLOX_SECRET`.
 * - Scopes: `openid`, `profile`.
 * - Email: none.
 * - Refresh: a refresh token comes with each sign-in. It works once, and each refresh brings another. Access tokens
 *   live 15 minutes.
 * - Logout: no page for it.
 *
 * Until Roblox has reviewed the app, only a few people can sign in.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { roblox } from "@x/auth/providers/roblox";
 *
 * const { handler } = createAuth({ providers: [roblox()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://create.roblox.com/docs/cloud/auth/oauth2-overview | OpenID Connect at Roblox}
 */
export function roblox<const Id extends string = "roblox">(
  options: OidcOptions<RobloxProfile, Id> = {},
): OidcProvider<RobloxProfile, Id> {
  return oidcProvider({
    id: "roblox",
    name: "Roblox",
    issuer: "https://apis.roblox.com/oauth/",
    authorization: { params: { scope: "openid profile" } },
    checks: ["state", "pkce", "nonce"],
    client: { id_token_signed_response_alg: "ES256" },
    style: {
      bg: "#5865F2",
      text: "#fff",
      mark: "m18.93 24-18.93-5.11 5.08-18.89 18.92 5.11zm-3.58-13.91-5.28-1.45-1.42 5.27 5.28 1.45z",
    },
  }, options);
}

export default roblox;
