/**
 * Sign in with Polar.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at Polar. */
export interface PolarProfile extends Profile {
  /** The name that others see. */
  public_name?: string | null | undefined;
  /** The name the person signs in with. */
  username?: string | null | undefined;
  /** URL of a picture. */
  picture?: string | null | undefined;
  /** URL of a picture, in another place. */
  avatar_url?: string | null | undefined;
}

/**
 * Signs people in with Polar.
 *
 * - Register: {@link https://polar.sh/settings | Settings at Polar}: create an OAuth client and enter the redirect URI
 *   `https://<your site>/auth/callback/polar`.
 * - Environment: `AUTH_POLAR_ID`, `AUTH_POLAR_SECRET`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: the address of the account, with `email_verified`.
 * - Refresh: a refresh token comes with each sign-in.
 * - Logout: no page for it.
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
 * @see {@link https://polar.sh/docs/integrate/oauth2/introduction | OpenID Connect at Polar}
 */
export function polar<const Id extends string = "polar">(
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
    style: { bg: "#24292f", text: "#fff" },
    profile: ({ sub, name, public_name, username, email, picture, avatar_url }) => ({
      id: textId(sub),
      name: name || public_name || username,
      email,
      image: picture || avatar_url,
    }),
  }, options);
}

export default polar;
