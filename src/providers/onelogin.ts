/**
 * Sign in with OneLogin.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";
export type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with an account of OneLogin.
 *
 * - Register: {@link https://app.onelogin.com/login | OneLogin Administration}: under "Applications", add the app
 *   "OpenId Connect (OIDC)" and enter the redirect URI `https://<your site>/auth/callback/onelogin`.
 * - Environment: `AUTH_ONELOGIN_ID`, `AUTH_ONELOGIN_SECRET`, `AUTH_ONELOGIN_ISSUER`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: the address of the account. `email_verified` is there if OneLogin gives it.
 * - Refresh: a refresh token comes if the app gives one.
 * - Logout: works with `logout: true`.
 *
 * The issuer is required: `https://<subdomain>.onelogin.com/oidc/2`.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { onelogin } from "@x/auth/providers/onelogin";
 *
 * const { handler } = createAuth({ providers: [onelogin({ issuer: "https://example.onelogin.com/oidc/2" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The issuer, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.onelogin.com/openid-connect | OpenID Connect at OneLogin}
 */
export function onelogin<const Id extends string = "onelogin">(
  options: OidcOptions<Profile, Id> = {},
): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "onelogin",
    name: "OneLogin",
    requiredOptions: ["issuer"],
    checks: ["state", "pkce", "nonce"],
    // Below the issuer, if the metadata does not say where.
    logoutFallback: { url: "/oidc/2/logout" },
    style: { bg: "#24292f", text: "#fff" },
  }, options);
}

export default onelogin;
