/**
 * Sign in with Vercel.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";
export type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with Vercel.
 *
 * - Register: {@link https://vercel.com/dashboard | Dashboard}: in the settings of your team, create an app under Apps.
 *   Its authorization callback URL is `https://<your site>/auth/callback/vercel`. Switch on the scopes that you
 *   request.
 * - Environment: `AUTH_VERCEL_ID`, `AUTH_VERCEL_SECRET`.
 * - Scopes: `openid`, `email`, `profile`; `offline_access` adds a refresh token.
 * - Email: an address with `email_verified`.
 * - Refresh: a refresh token comes with the scope `offline_access`; access tokens live an hour.
 * - Logout: no page for it.
 *
 * This is Sign in with Vercel. Integrations of its marketplace use another protocol.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { vercel } from "@x/auth/providers/vercel";
 *
 * const { handler } = createAuth({ providers: [vercel()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://vercel.com/docs/sign-in-with-vercel/authorization-server-api | Authorization server of Vercel}
 */
export function vercel<const Id extends string = "vercel">(
  options: OidcOptions<Profile, Id> = {},
): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "vercel",
    name: "Vercel",
    issuer: "https://vercel.com",
    authorization: { params: { scope: "openid email profile" } },
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#000000", text: "#fff", mark: "m12 1.608 12 20.784H0Z" },
  }, options);
}

export default vercel;
