/**
 * Sign in with Roblox.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with Roblox.
 *
 * - Register: {@link https://create.roblox.com/docs/cloud/auth/oauth2-overview | TODO: name of the console}: TODO
 *   what to click. The redirect URI is `https://<your site>/auth/callback/roblox`.
 * - Environment: `AUTH_ROBLOX_ID`, `AUTH_ROBLOX_SECRET`.
 * - Scopes: `openid`, `profile`.
 * - Email: TODO path null verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { roblox } from "@x/auth/providers/roblox";
 *
 * const { handler } = createAuth({ providers: [roblox()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://create.roblox.com/docs/cloud/auth/oauth2-overview | TODO}
 */
export function roblox<Id extends string = "roblox">(
  options: OidcOptions<Profile, Id> = {},
): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "roblox",
    name: "Roblox",
    issuer: "https://apis.roblox.com/oauth/",
    authorization: { params: { scope: "openid profile" } },
    checks: ["state", "pkce", "nonce"],
    client: { id_token_signed_response_alg: "ES256" },
    style: { bg: "#5865F2", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.sub),
      name: profile.name ?? profile.nickname ?? profile.preferred_username,
      email: null,
      image: profile.picture,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - notes: Issuer has a trailing slash and is compared exactly. S256 supported but not advertised. No email for third-party apps. Refresh tokens rotate. better-auth sends prompt=select_account consent.
// - revocation endpoint: https://apis.roblox.com/oauth/v1/token/revoke
// - pkce: supported; docs https://create.roblox.com/docs/cloud/auth/oauth2-overview
