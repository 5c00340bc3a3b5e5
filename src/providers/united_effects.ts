/**
 * Sign in with United Effects.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with United Effects.
 *
 * - Register: {@link https://docs.unitedeffects.com/integrations/nextauthjs | TODO: name of the console}: TODO what
 *   to click. The redirect URI is `https://<your site>/auth/callback/united-effects`.
 * - Environment: `AUTH_UNITED_EFFECTS_ID`, `AUTH_UNITED_EFFECTS_SECRET`, `AUTH_UNITED_EFFECTS_ISSUER`.
 * - Scopes: `openid`, `email`, `profile`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { unitedEffects } from "@x/auth/providers/united-effects";
 *
 * const { handler } = createAuth({ providers: [unitedEffects({ issuer: "https://auth.unitedeffects.com/example" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.unitedeffects.com/integrations/nextauthjs | TODO}
 */
export function unitedEffects<Id extends string = "united-effects">(
  options: OidcOptions<Profile, Id> = {},
): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "united-effects",
    name: "United Effects",
    authorization: { params: { scope: "openid email profile" } },
    checks: ["state", "pkce", "nonce"],
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - authorization param resource={issuer}
// - no brand colours: choose neutral ones
// - notes: resource makes the access token a JWT for the group audience. Endpoints only from discovery: no source states them.
// - pkce: supported; docs https://docs.unitedeffects.com/integrations/nextauthjs
