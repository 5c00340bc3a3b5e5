/**
 * Sign in with Vipps.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with Vipps.
 *
 * - Register: {@link https://developer.vippsmobilepay.com/docs/APIs/login-api/ | TODO: name of the console}: TODO
 *   what to click. The redirect URI is `https://<your site>/auth/callback/vipps`.
 * - Environment: `AUTH_VIPPS_ID`, `AUTH_VIPPS_SECRET`.
 * - Scopes: `openid`, `name`, `email`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
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
 * @see {@link https://developer.vippsmobilepay.com/docs/APIs/login-api/ | TODO}
 */
export function vipps<Id extends string = "vipps">(options: OidcOptions<Profile, Id> = {}): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "vipps",
    name: "Vipps",
    issuer: "https://api.vipps.no/access-management-1.0/access/",
    authorization: { params: { scope: "openid name email" } },
    idToken: false,
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#f05c18", text: "#000" },
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - variant: {"when": "test environment", "issuer": "https://apitest.vipps.no/access-management-1.0/access/"}
// - notes: Issuer ends with a slash. Client auth method is configured per sales unit (client_secret_basic default). Custom scopes name, phoneNumber, birthDate instead of profile.
// - optional scopes: ['phoneNumber', 'address', 'birthDate']
// - aliases: ['vipps-mobilepay']
// - pkce: supported; docs https://developer.vippsmobilepay.com/docs/APIs/login-api/
