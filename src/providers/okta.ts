/**
 * Sign in with Okta.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with Okta.
 *
 * - Register: {@link https://developer.okta.com/docs/api/openapi/okta-oauth/guides/overview/ | TODO: name of the
 *   console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/okta`.
 * - Environment: `AUTH_OKTA_ID`, `AUTH_OKTA_SECRET`, `AUTH_OKTA_ISSUER`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { okta } from "@x/auth/providers/okta";
 *
 * const { handler } = createAuth({ providers: [okta({ issuer: "https://example/oauth2/example" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.okta.com/docs/api/openapi/okta-oauth/guides/overview/ | TODO}
 */
export function okta<Id extends string = "okta">(options: OidcOptions<Profile, Id> = {}): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "okta",
    name: "Okta",
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#000", text: "#fff" },
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - variant: {"when": "org authorization server", "issuer": "https://{domain}", "authorization_endpoint": "https://{domain}/oauth2/v1/authorize", "token_endpoint": "https://{domain}/oauth2/v1/token", "userinfo_endpoint": "https://{domain}/oauth2/v1/userinfo"}
// - notes: authorization_server_id is usually default.
// - revocation endpoint: https://{domain}/oauth2/{authorization_server_id}/v1/revoke
// - pkce: supported; docs https://developer.okta.com/docs/api/openapi/okta-oauth/guides/overview/
