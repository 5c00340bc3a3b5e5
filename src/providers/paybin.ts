/**
 * Sign in with Paybin.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";
export type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with Paybin.
 *
 * - Register: {@link https://portfolio.paybin.io | Paybin Portfolio}: create an OAuth application and enter the
 *   redirect URI `https://<your site>/auth/callback/paybin`.
 * - Environment: `AUTH_PAYBIN_ID`, `AUTH_PAYBIN_SECRET`.
 * - Scopes: `openid`, `email`, `profile`.
 * - Email: the address of the account, with `email_verified` if Paybin gives it.
 * - Refresh: a refresh token comes if Paybin gives the application one.
 * - Logout: no page for it.
 *
 * For another environment of Paybin, set `issuer`.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { paybin } from "@x/auth/providers/paybin";
 *
 * const { handler } = createAuth({ providers: [paybin()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://paybin.io | Paybin}
 */
export function paybin<const Id extends string = "paybin">(
  options: OidcOptions<Profile, Id> = {},
): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "paybin",
    name: "Paybin",
    issuer: "https://idp.paybin.io",
    authorization: { params: { scope: "openid email profile" } },
    checks: ["state", "pkce", "nonce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#24292f", text: "#fff" },
  }, options);
}

export default paybin;
