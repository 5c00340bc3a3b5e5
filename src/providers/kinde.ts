/**
 * Sign in with Kinde.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with Kinde.
 *
 * - Register: {@link https://docs.kinde.com/ | TODO: name of the console}: TODO what to click. The redirect URI is
 *   `https://<your site>/auth/callback/kinde`.
 * - Environment: `AUTH_KINDE_ID`, `AUTH_KINDE_SECRET`, `AUTH_KINDE_ISSUER`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { kinde } from "@x/auth/providers/kinde";
 *
 * const { handler } = createAuth({ providers: [kinde({ issuer: "https://example.kinde.com" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.kinde.com/ | TODO}
 */
export function kinde<Id extends string = "kinde">(options: OidcOptions<Profile, Id> = {}): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "kinde",
    name: "Kinde",
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#fff", text: "#0F0F0F" },
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - optional scopes: ['offline']
// - revocation endpoint: https://{subdomain}.kinde.com/oauth2/revoke
// - pkce: supported; docs https://docs.kinde.com/
