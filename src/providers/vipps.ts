/**
 * Sign in with Vipps MobilePay.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at Vipps MobilePay. */
export interface VippsProfile extends Profile {
  /** Account id. */
  sub: string;
}

/**
 * Signs people in with Vipps or MobilePay.
 *
 * - Register: {@link https://portal.vippsmobilepay.com | Vipps MobilePay portal}: set up login for your sales unit
 *   under For developers. Its redirect URI is `https://<your site>/auth/callback/vipps`.
 * - Environment: `AUTH_VIPPS_ID`, `AUTH_VIPPS_SECRET`.
 * - Scopes: `openid`, `name`, `email`; `phoneNumber`, `address` and `birthDate` add more.
 * - Email: an address with `email_verified`.
 * - Refresh: none.
 * - Logout: no page for it.
 *
 * How the client authenticates is a setting of the sales unit: the default there and here is `client_secret_basic`.
 *
 * For the test environment, set `issuer: "https://apitest.vipps.no/access-management-1.0/access/"` or the environment
 * variable `AUTH_VIPPS_ISSUER`. With `id: "vipps-mobilepay"` accounts, callback URL and environment variables are those
 * of applications that call the provider so.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { vipps } from "@x/auth/providers/vipps";
 *
 * const { handler } = createAuth({ providers: [vipps()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.vippsmobilepay.com/docs/APIs/login-api/ | Login API of Vipps MobilePay}
 */
export function vipps<const Id extends string = "vipps">(
  options: OidcOptions<VippsProfile, Id> = {},
): OidcProvider<VippsProfile, Id> {
  return oidcProvider({
    id: "vipps",
    name: "Vipps",
    issuer: "https://api.vipps.no/access-management-1.0/access/",
    authorization: { params: { scope: "openid name email" } },
    idToken: false,
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#f05c18", text: "#000" },
    profile: ({ sub, name, email }) => ({ id: textId(sub), name, email, image: null }),
  }, options);
}

export default vipps;
