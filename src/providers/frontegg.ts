/**
 * Sign in with Frontegg.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Frontegg. */
export interface FronteggProfile extends Profile {
  /** TODO. */
  profilePictureUrl?: string | null | undefined;
}

/**
 * Signs people in with Frontegg.
 *
 * - Register: {@link https://developers.frontegg.com/ | TODO: name of the console}: TODO what to click. The redirect
 *   URI is `https://<your site>/auth/callback/frontegg`.
 * - Environment: `AUTH_FRONTEGG_ID`, `AUTH_FRONTEGG_SECRET`, `AUTH_FRONTEGG_ISSUER`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { frontegg } from "@x/auth/providers/frontegg";
 *
 * const { handler } = createAuth({ providers: [frontegg({ issuer: "https://example.frontegg.com" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.frontegg.com/ | TODO}
 */
export function frontegg<Id extends string = "frontegg">(
  options: OidcOptions<FronteggProfile, Id> = {},
): OidcProvider<FronteggProfile, Id> {
  return oidcProvider({
    id: "frontegg",
    name: "Frontegg",
    checks: ["state", "pkce", "nonce"],
    profile: (profile) => ({
      id: textId(profile.sub),
      name: profile.name ?? profile.nickname ?? profile.preferred_username,
      email: profile.email,
      image: profile.picture ?? profile.profilePictureUrl,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - no brand colours: choose neutral ones
// - notes: Auth.js sets the endpoints explicitly; userinfo is the Frontegg user API, not the OIDC userinfo.
// - pkce: supported; docs https://developers.frontegg.com/
