/**
 * Sign in with Authentik.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with Authentik.
 *
 * - Register: {@link https://docs.goauthentik.io/add-secure-apps/providers/oauth2/ | TODO: name of the console}: TODO
 *   what to click. The redirect URI is `https://<your site>/auth/callback/authentik`.
 * - Environment: `AUTH_AUTHENTIK_ID`, `AUTH_AUTHENTIK_SECRET`, `AUTH_AUTHENTIK_ISSUER`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { authentik } from "@x/auth/providers/authentik";
 *
 * const { handler } = createAuth({ providers: [authentik({ issuer: "https://example/application/o/example/" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.goauthentik.io/add-secure-apps/providers/oauth2/ | TODO}
 */
export function authentik<Id extends string = "authentik">(
  options: OidcOptions<Profile, Id> = {},
): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "authentik",
    name: "Authentik",
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#FD4B2D", text: "#000" },
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - notes: Default issuer mode is per-provider with trailing slash; authorize/token/userinfo are not below the slug. Global issuer mode changes the iss value.
// - revocation endpoint: https://{host}/application/o/revoke/
// - pkce: supported; docs https://docs.goauthentik.io/add-secure-apps/providers/oauth2/
