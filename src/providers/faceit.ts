/**
 * Sign in with FACEIT.
 *
 * @module
 */
import { joinName, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at FACEIT. */
export interface FACEITProfile extends Profile {
  /** TODO. */
  guid?: string | null | undefined;
}

/**
 * Signs people in with FACEIT.
 *
 * - Register: {@link https://docs.faceit.com/getting-started/authentication/oauth2/ | TODO: name of the console}:
 *   TODO what to click. The redirect URI is `https://<your site>/auth/callback/faceit`.
 * - Environment: `AUTH_FACEIT_ID`, `AUTH_FACEIT_SECRET`.
 * - Scopes: `openid`, `email`, `profile`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { faceit } from "@x/auth/providers/faceit";
 *
 * const { handler } = createAuth({ providers: [faceit()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.faceit.com/getting-started/authentication/oauth2/ | TODO}
 */
export function faceit<Id extends string = "faceit">(
  options: OAuthOptions<FACEITProfile, Id> = {},
): OAuthProvider<FACEITProfile, Id> {
  return oauthProvider({
    id: "faceit",
    name: "FACEIT",
    authorization: {
      url: "https://accounts.faceit.com/accounts",
      params: { scope: "openid email profile", redirect_popup: "true" },
    },
    token: "https://api.faceit.com/auth/v1/oauth/token",
    userinfo: "https://api.faceit.com/auth/v1/resources/userinfo",
    checks: ["state", "pkce"],
    style: { bg: "#FF5500", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.guid),
      name: profile.nickname ?? profile.name ?? joinName(profile.given_name, profile.family_name),
      email: profile.email,
      image: profile.picture,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - notes: Discovery document sits at a non-standard path (openid_configuration with underscore) ; its issuer value was not seen. redirect_popup=true makes the login page redirect instead of posting to an opener window. Auth.js adds a Basic header by hand.
// - pkce: supported; docs https://docs.faceit.com/getting-started/authentication/oauth2/
