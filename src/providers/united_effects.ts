/**
 * Sign in with United Effects.
 *
 * @module
 */
import { optionsFor } from "../contract/options_for.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at United Effects. */
export interface UnitedEffectsProfile extends Profile {
  /** Account id. */
  sub: string;
}

/**
 * Signs people in with an auth group of United Effects Auth.
 *
 * - Register: {@link https://docs.unitedeffects.com/integrations/nextauthjs | United Effects}: add an OIDC client of
 *   the type "Web" to your auth group. Its redirect URI is `https://<your site>/auth/callback/united-effects`.
 * - Environment: `AUTH_UNITED_EFFECTS_ID`, `AUTH_UNITED_EFFECTS_SECRET`, `AUTH_UNITED_EFFECTS_ISSUER`.
 * - Scopes: `openid`, `email`, `profile`; `offline_access` adds a refresh token.
 * - Email: an address with `email_verified`.
 * - Refresh: a refresh token comes with the scope `offline_access`.
 * - Logout: `logout: true` works if the metadata of the auth group has an `end_session_endpoint`.
 *
 * The issuer is required: `https://auth.unitedeffects.com/<id of the auth group>`.
 *
 * It is also sent as `resource`, which makes the access token a JWT for the API of the group. If the issuer is in the
 * environment, list the provider without calling it for that: `providers: [unitedEffects]`.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { unitedEffects } from "@x/auth/providers/united-effects";
 *
 * const { handler } = createAuth({ providers: [unitedEffects({ issuer: "https://auth.unitedeffects.com/example" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The issuer, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.unitedeffects.com/integrations/nextauthjs | Integrations of United Effects}
 */
export function unitedEffects<const Id extends string = "united-effects">(
  options: OidcOptions<UnitedEffectsProfile, Id> = {},
): OidcProvider<UnitedEffectsProfile, Id> {
  return oidcProvider({
    id: "united-effects",
    name: "United Effects",
    requiredOptions: ["issuer"],
    authorization: {
      params: { scope: "openid email profile", resource: optionsFor("united-effects", options).issuer },
    },
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#333", text: "#fff" },
  }, options);
}

export default unitedEffects;
