/**
 * Sign in with Beyond Identity.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with Beyond Identity.
 *
 * - Register: {@link https://developer.beyondidentity.com/ | TODO: name of the console}: TODO what to click. The
 *   redirect URI is `https://<your site>/auth/callback/beyondidentity`.
 * - Environment: `AUTH_BEYONDIDENTITY_ID`, `AUTH_BEYONDIDENTITY_SECRET`, `AUTH_BEYONDIDENTITY_ISSUER`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { beyondidentity } from "@x/auth/providers/beyondidentity";
 *
 * const { handler } = createAuth({ providers: [beyondidentity({ issuer: "https://auth-example.beyondidentity.com/v1/tenants/example/realms/example/applications/example" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.beyondidentity.com/ | TODO}
 */
export function beyondidentity<Id extends string = "beyondidentity">(
  options: OidcOptions<Profile, Id> = {},
): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "beyondidentity",
    name: "Beyond Identity",
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#5077c5", text: "#fff" },
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - pkce: supported; docs https://developer.beyondidentity.com/
