/**
 * Sign in with Descope.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with Descope.
 *
 * - Register: {@link https://docs.descope.com/auth-methods/sso/oidc | TODO: name of the console}: TODO what to click.
 *   The redirect URI is `https://<your site>/auth/callback/descope`.
 * - Environment: `AUTH_DESCOPE_ID`, `AUTH_DESCOPE_SECRET`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { descope } from "@x/auth/providers/descope";
 *
 * const { handler } = createAuth({ providers: [descope()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.descope.com/auth-methods/sso/oidc | TODO}
 */
export function descope<Id extends string = "descope">(
  options: OidcOptions<Profile, Id> = {},
): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "descope",
    name: "Descope",
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#1C1C23", text: "#ffffff" },
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - issuer template https://api.descope.com/{project_id}
// - notes: client_id is the project id (or the last path segment of a federated app issuer); client_secret is an access key. Issuer defaults to https://api.descope.com/{client_id}.
// - pkce: supported; docs https://docs.descope.com/auth-methods/sso/oidc
