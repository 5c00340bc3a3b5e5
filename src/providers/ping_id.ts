/**
 * Sign in with Ping Identity.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with Ping Identity.
 *
 * - Register: {@link https://developer.pingidentity.com/pingone-api/auth/introduction.html | TODO: name of the
 *   console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/ping-id`.
 * - Environment: `AUTH_PING_ID_ID`, `AUTH_PING_ID_SECRET`, `AUTH_PING_ID_ISSUER`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { pingId } from "@x/auth/providers/ping-id";
 *
 * const { handler } = createAuth({ providers: [pingId({ issuer: "https://auth.pingone.example/example/as" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.pingidentity.com/pingone-api/auth/introduction.html | TODO}
 */
export function pingId<Id extends string = "ping-id">(
  options: OidcOptions<Profile, Id> = {},
): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "ping-id",
    name: "Ping Identity",
    checks: ["state", "pkce", "nonce"],
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - no brand colours: choose neutral ones
// - notes: region is a TLD: com, eu, asia, ca, com.au, sg. Client auth method is a per-app setting (client_secret_basic default).
// - revocation endpoint: https://auth.pingone.{region}/{environment_id}/as/revoke
// - pkce: supported; docs https://developer.pingidentity.com/pingone-api/auth/introduction.html
