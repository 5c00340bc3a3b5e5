/**
 * Sign in with LinkedIn.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with LinkedIn.
 *
 * - Register: {@link
 *   https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2 | TODO: name
 *   of the console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/linkedin`.
 * - Environment: `AUTH_LINKEDIN_ID`, `AUTH_LINKEDIN_SECRET`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { linkedin } from "@x/auth/providers/linkedin";
 *
 * const { handler } = createAuth({ providers: [linkedin()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2 | TODO}
 */
export function linkedin<Id extends string = "linkedin">(
  options: OidcOptions<Profile, Id> = {},
): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "linkedin",
    name: "LinkedIn",
    issuer: "https://www.linkedin.com/oauth",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#069", text: "#fff" },
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - notes: nonce is not echoed. Earlier tokens carried iss https://www.linkedin.com; accept both. locale is an object. The product Sign In with LinkedIn using OpenID Connect must be enabled. Legacy r_liteprofile/r_emailaddress scopes are gone.
// - pkce: unsupported; docs https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2
