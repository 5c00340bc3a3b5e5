/**
 * Sign in with Paybin.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with Paybin.
 *
 * - Register: {@link https://better-auth.com/docs/authentication/paybin | TODO: name of the console}: TODO what to
 *   click. The redirect URI is `https://<your site>/auth/callback/paybin`.
 * - Environment: `AUTH_PAYBIN_ID`, `AUTH_PAYBIN_SECRET`.
 * - Scopes: `openid`, `email`, `profile`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
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
 * @see {@link https://better-auth.com/docs/authentication/paybin | TODO}
 */
export function paybin<Id extends string = "paybin">(
  options: OidcOptions<Profile, Id> = {},
): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "paybin",
    name: "Paybin",
    issuer: "https://idp.paybin.io",
    authorization: { url: "https://idp.paybin.io/oauth2/authorize", params: { scope: "openid email profile" } },
    token: "https://idp.paybin.io/oauth2/token",
    checks: ["state", "pkce", "nonce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - no brand colours: choose neutral ones
// - notes: Single source (better-auth). Discovery not confirmed; better-auth decodes the id_token without signature check.
// - pkce: supported; docs https://better-auth.com/docs/authentication/paybin
