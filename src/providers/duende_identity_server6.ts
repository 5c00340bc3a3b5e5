/**
 * Sign in with DuendeIdentityServer6.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with DuendeIdentityServer6.
 *
 * - Register: {@link https://docs.duendesoftware.com/identityserver/ | TODO: name of the console}: TODO what to
 *   click. The redirect URI is `https://<your site>/auth/callback/duende-identity-server6`.
 * - Environment: `AUTH_DUENDE_IDENTITY_SERVER6_ID`, `AUTH_DUENDE_IDENTITY_SERVER6_SECRET`,
 *   `AUTH_DUENDE_IDENTITY_SERVER6_ISSUER`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { duendeIdentityServer6 } from "@x/auth/providers/duende-identity-server6";
 *
 * const { handler } = createAuth({ providers: [duendeIdentityServer6({ issuer: "example" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.duendesoftware.com/identityserver/ | TODO}
 */
export function duendeIdentityServer6<Id extends string = "duende-identity-server6">(
  options: OidcOptions<Profile, Id> = {},
): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "duende-identity-server6",
    name: "DuendeIdentityServer6",
    checks: ["state", "pkce", "nonce"],
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - no brand colours: choose neutral ones
// - notes: Default Duende paths. Public demo issuer: https://demo.duendesoftware.com.
// - revocation endpoint: {issuer}/connect/revocation
// - pkce: supported; docs https://docs.duendesoftware.com/identityserver/
