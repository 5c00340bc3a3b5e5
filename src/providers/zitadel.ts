/**
 * Sign in with ZITADEL.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with ZITADEL.
 *
 * - Register: {@link https://zitadel.com/docs/apis/openidoauth/endpoints | TODO: name of the console}: TODO what to
 *   click. The redirect URI is `https://<your site>/auth/callback/zitadel`.
 * - Environment: `AUTH_ZITADEL_ID`, `AUTH_ZITADEL_SECRET`, `AUTH_ZITADEL_ISSUER`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { zitadel } from "@x/auth/providers/zitadel";
 *
 * const { handler } = createAuth({ providers: [zitadel({ issuer: "https://example" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://zitadel.com/docs/apis/openidoauth/endpoints | TODO}
 */
export function zitadel<Id extends string = "zitadel">(
  options: OidcOptions<Profile, Id> = {},
): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "zitadel",
    name: "ZITADEL",
    checks: ["state", "pkce", "nonce"],
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - no brand colours: choose neutral ones
// - notes: Claims of profile/email are only asserted in the id_token when the app setting user info inside ID token is on; otherwise read userinfo.
// - revocation endpoint: https://{instance_domain}/oauth/v2/revoke
// - pkce: supported; docs https://zitadel.com/docs/apis/openidoauth/endpoints
