/**
 * Sign in with OneLogin.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with OneLogin.
 *
 * - Register: {@link https://developers.onelogin.com/openid-connect | TODO: name of the console}: TODO what to click.
 *   The redirect URI is `https://<your site>/auth/callback/onelogin`.
 * - Environment: `AUTH_ONELOGIN_ID`, `AUTH_ONELOGIN_SECRET`, `AUTH_ONELOGIN_ISSUER`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
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
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.onelogin.com/openid-connect | TODO}
 */
export function onelogin<Id extends string = "onelogin">(
  options: OidcOptions<Profile, Id> = {},
): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "onelogin",
    name: "OneLogin",
    checks: ["state", "pkce", "nonce"],
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - no brand colours: choose neutral ones
// - notes: Auth.js takes the bare host as issuer and appends /oidc/2/.well-known/openid-configuration.
// - pkce: supported; docs https://developers.onelogin.com/openid-connect
