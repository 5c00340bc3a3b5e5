/**
 * Sign in with Asgardeo.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with Asgardeo.
 *
 * - Register: {@link https://wso2.com/asgardeo/docs/guides/authentication | TODO: name of the console}: TODO what to
 *   click. The redirect URI is `https://<your site>/auth/callback/asgardeo`.
 * - Environment: `AUTH_ASGARDEO_ID`, `AUTH_ASGARDEO_SECRET`, `AUTH_ASGARDEO_ISSUER`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { asgardeo } from "@x/auth/providers/asgardeo";
 *
 * const { handler } = createAuth({ providers: [asgardeo({ issuer: "https://api.asgardeo.io/t/example/oauth2/token" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://wso2.com/asgardeo/docs/guides/authentication | TODO}
 */
export function asgardeo<Id extends string = "asgardeo">(
  options: OidcOptions<Profile, Id> = {},
): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "asgardeo",
    name: "Asgardeo",
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#000", text: "#fff" },
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - notes: Auth.js option issuer is the base https://api.asgardeo.io/t/{organization}; discovery lives below /oauth2/token, and the iss claim equals that longer URL.
// - pkce: supported; docs https://wso2.com/asgardeo/docs/guides/authentication
