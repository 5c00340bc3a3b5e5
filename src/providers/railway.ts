/**
 * Sign in with Railway.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with Railway.
 *
 * - Register: {@link https://docs.railway.com/integrations/oauth | TODO: name of the console}: TODO what to click.
 *   The redirect URI is `https://<your site>/auth/callback/railway`.
 * - Environment: `AUTH_RAILWAY_ID`, `AUTH_RAILWAY_SECRET`.
 * - Scopes: `openid`, `email`, `profile`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { railway } from "@x/auth/providers/railway";
 *
 * const { handler } = createAuth({ providers: [railway()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.railway.com/integrations/oauth | TODO}
 */
export function railway<Id extends string = "railway">(
  options: OidcOptions<Profile, Id> = {},
): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "railway",
    name: "Railway",
    issuer: "https://backboard.railway.com",
    wellKnown: "https://backboard.railway.com/oauth/.well-known/openid-configuration",
    authorization: { params: { scope: "openid email profile" } },
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#0B0D0E", text: "#fff" },
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - notes: Discovery URL is not issuer + well-known suffix. openid is mandatory. Basic authentication documented.
// - optional scopes: ['offline_access']
// - pkce: supported; docs https://docs.railway.com/integrations/oauth
