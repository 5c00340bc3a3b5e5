/**
 * Sign in with Polar.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Polar. */
export interface PolarProfile extends Profile {
  /** TODO. */
  public_name?: string | null | undefined;
  /** TODO. */
  username?: string | null | undefined;
  /** TODO. */
  avatar_url?: string | null | undefined;
}

/**
 * Signs people in with Polar.
 *
 * - Register: {@link https://polar.sh/docs/integrate/oauth2/introduction | TODO: name of the console}: TODO what to
 *   click. The redirect URI is `https://<your site>/auth/callback/polar`.
 * - Environment: `AUTH_POLAR_ID`, `AUTH_POLAR_SECRET`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { polar } from "@x/auth/providers/polar";
 *
 * const { handler } = createAuth({ providers: [polar()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://polar.sh/docs/integrate/oauth2/introduction | TODO}
 */
export function polar<Id extends string = "polar">(
  options: OidcOptions<PolarProfile, Id> = {},
): OidcProvider<PolarProfile, Id> {
  return oidcProvider({
    id: "polar",
    name: "Polar",
    issuer: "https://polar.sh",
    wellKnown: "https://api.polar.sh/.well-known/openid-configuration",
    idToken: false,
    checks: ["state", "pkce", "nonce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    profile: (profile) => ({
      id: textId(profile.sub ?? profile.id),
      name: profile.name ?? profile.public_name ?? profile.username,
      email: profile.email,
      image: profile.picture ?? profile.avatar_url,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - no brand colours: choose neutral ones
// - notes: Server source shows userinfo = sub, name, email, email_verified (and org variants). better-auth reads id, public_name, username, avatar_url, which that version does not emit. Issuer string unconfirmed; discovery route per server source.
// - revocation endpoint: https://api.polar.sh/v1/oauth2/revoke
// - pkce: supported; docs https://polar.sh/docs/integrate/oauth2/introduction
