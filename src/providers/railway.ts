/**
 * Sign in with Railway.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";
export type { Profile } from "../kernel/model.ts";

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
export function railway<const Id extends string = "railway">(
  options: OidcOptions<Profile, Id> = {},
): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "railway",
    name: "Railway",
    issuer: "https://backboard.railway.com",
    wellKnown: "https://backboard.railway.com/oauth/.well-known/openid-configuration",
    authorization: { params: { scope: "openid email profile" } },
    checks: ["state", "pkce", "nonce"],
    style: {
      bg: "#0B0D0E",
      text: "#fff",
      mark:
        "m.11 10.27a13.03 13.03 0 0 0-.11 1.21h18.23c-.06-.13-.15-.24-.23-.35-3.12-4.02-4.8-3.67-7.2-3.78-.8-.03-1.34-.04-4.52-.04-1.7 0-3.55 0-5.36 0-.23.63-.46 1.25-.56 1.74h9.34v1.22h-9.59v0zm18.26 2.43h-18.36c.02.32.05.64.09.96h16.96c.75 0 1.18-.43 1.31-.96zm-17.32 4.28s2.81 6.9 10.93 7.02c4.86 0 9.03-2.88 10.93-7.02h-21.85zm10.94-16.98c-4.49 0-8.4 2.47-10.46 6.11l4.75-.01v0c3.71 0 3.85.02 4.57.05l.45.01c1.57.06 3.49.22 5 1.37.82.62 2.01 1.99 2.71 2.96.65.9.84 1.94.4 2.94-.41.91-1.29 1.46-2.36 1.46h-16.66s.1.41.25.88h22.75a12.03 12.03 0 0 0 .61-3.77c0-6.62-5.38-12-12.01-12z",
    },
  }, options);
}

export default railway;
