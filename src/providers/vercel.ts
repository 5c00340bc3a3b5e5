/**
 * Sign in with Vercel.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with Vercel.
 *
 * - Register: {@link https://vercel.com/docs/sign-in-with-vercel/authorization-server-api | TODO: name of the
 *   console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/vercel`.
 * - Environment: `AUTH_VERCEL_ID`, `AUTH_VERCEL_SECRET`.
 * - Scopes: `openid`, `email`, `profile`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
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
 * @see {@link https://vercel.com/docs/sign-in-with-vercel/authorization-server-api | TODO}
 */
export function vercel<Id extends string = "vercel">(
  options: OidcOptions<Profile, Id> = {},
): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "vercel",
    name: "Vercel",
    issuer: "https://vercel.com",
    authorization: { params: { scope: "openid email profile" } },
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#000000", text: "#fff" },
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - notes: Omitting scope grants everything configured on the app (better-auth does that). grant and Socialite describe the older marketplace integration OAuth (api.vercel.com/v2/oauth/access_token).
// - optional scopes: ['offline_access']
// - revocation endpoint: https://api.vercel.com/login/oauth/token/revoke
// - pkce: required; docs https://vercel.com/docs/sign-in-with-vercel/authorization-server-api
