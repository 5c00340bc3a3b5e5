/**
 * Sign in with Keycloak.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Keycloak. */
export interface KeycloakProfile extends Profile {
  /** URL of a picture, if the realm maps one. */
  picture?: string | null | undefined;
}

/**
 * Signs people in with a realm of Keycloak.
 *
 * - Register: {@link https://www.keycloak.org/docs/latest/server_admin/#_oidc_clients | Clients}: create a client of
 *   the type OpenID Connect with client authentication in the admin console of your realm. Its valid redirect URI is
 *   `https://<your site>/auth/callback/keycloak`.
 * - Environment: `AUTH_KEYCLOAK_ID`, `AUTH_KEYCLOAK_SECRET`, `AUTH_KEYCLOAK_ISSUER`.
 * - Scopes: `openid`, `profile`, `email`; `offline_access` for a refresh token that outlives the session.
 * - Email: with `email_verified`.
 * - Refresh: a refresh token comes with each sign-in and lives as long as the session at Keycloak.
 * - Logout: `logout: true` goes to `end_session_endpoint` of the metadata. Register
 *   `https://<your site>/auth/signout/keycloak` as a valid post logout redirect URI.
 *
 * The issuer is required and names the realm: `https://<host>/realms/<realm>`, before version 17
 * `https://<host>/auth/realms/<realm>`.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { keycloak } from "@x/auth/providers/keycloak";
 *
 * const { handler } = createAuth({ providers: [keycloak({ issuer: "https://id.example.com/realms/staff" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The issuer, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://www.keycloak.org/securing-apps/oidc-layers | OpenID Connect at Keycloak}
 */
export function keycloak<Id extends string = "keycloak">(
  options: OidcOptions<KeycloakProfile, Id> = {},
): OidcProvider<KeycloakProfile, Id> {
  return oidcProvider({
    id: "keycloak",
    name: "Keycloak",
    requiredOptions: ["issuer"],
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#428bca", text: "#000" },
    profile: ({ sub, name, nickname, preferred_username, email, picture }) => ({
      id: textId(sub),
      name: name ?? nickname ?? preferred_username,
      email,
      image: picture,
    }),
  }, options);
}
