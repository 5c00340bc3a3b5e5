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
 * - Register: {@link https://railway.com/workspace/developer | Developer settings of a workspace at Railway}: create a
 *   new OAuth app for the web and enter the redirect URI `https://<your site>/auth/callback/railway`.
 * - Environment: `AUTH_RAILWAY_ID`, `AUTH_RAILWAY_SECRET`.
 * - Scopes: `openid`, `email`, `profile`; `offline_access` for a refresh token.
 * - Email: the address of the account; nobody says whether it is verified.
 * - Refresh: add the scope `offline_access` and the parameter `prompt: "consent"`. Access tokens live an hour.
 * - Logout: no page for it.
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
 * @see {@link https://docs.railway.com/integrations/oauth | OpenID Connect at Railway}
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
