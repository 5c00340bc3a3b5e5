/**
 * Sign in with Keycloak.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at Keycloak. */
export interface KeycloakProfile extends Profile {
  /** Account id. */
  sub: string;
  /** Full name. */
  name?: string | undefined;
  /** The user name. It can change. */
  preferred_username?: string | undefined;
  /** Email address. */
  email?: string | undefined;
  /** URL of a picture, if the realm maps one. */
  picture?: string | null | undefined;
  /** Roles of the realm, if the client maps them into the id_token. */
  realm_access?: { readonly roles?: readonly string[] } | undefined;
  /** Roles of clients, by client, if the client maps them into the id_token. */
  resource_access?: Readonly<Record<string, { readonly roles?: readonly string[] }>> | undefined;
  /** The groups of the person, if the client maps them into the id_token. */
  groups?: string[] | undefined;
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
export function keycloak<const Id extends string = "keycloak">(
  options: OidcOptions<KeycloakProfile, Id> = {},
): OidcProvider<KeycloakProfile, Id> {
  return oidcProvider({
    id: "keycloak",
    name: "Keycloak",
    requiredOptions: ["issuer"],
    checks: ["state", "pkce", "nonce"],
    style: {
      bg: "#428bca",
      text: "#000",
      mark:
        "m18.74 1.18-12.49 0c-2.09 3.6-4.17 7.21-6.25 10.82 2.07 3.61 4.16 7.22 6.25 10.82l12.49-.01 3.09-5.4h2.16v0h.01l0-10.82h-2.17zm-10.41 3.61h2.08l1.04 1.8-3.12 5.41 3.12 5.41-1.04 1.81h-2.08a2047.57 2047.57 0 0 0-4.17-7.21c1.39-2.4 2.78-4.81 4.17-7.22zm6.24 0 2.08 0c1.4 2.41 2.78 4.82 4.17 7.23l-4.17 7.2h-2.08c-.38-.57-1.04-1.81-1.04-1.81l3.13-5.41-3.13-5.41z",
    },
    profile: ({ sub, name, nickname, preferred_username, email, picture }) => ({
      id: textId(sub),
      name: name ?? nickname ?? preferred_username,
      email,
      image: picture,
    }),
  }, options);
}

export default keycloak;
