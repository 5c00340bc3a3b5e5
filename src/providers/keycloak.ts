/**
 * Sign in with Keycloak.
 *
 * @module
 */
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
 * Reads `AUTH_KEYCLOAK_ID`, `AUTH_KEYCLOAK_SECRET` and `AUTH_KEYCLOAK_ISSUER`. The issuer is required and names the
 * realm: `https://<host>/realms/<realm>`, before version 17 `https://<host>/auth/realms/<realm>`. The redirect URI to
 * register is `https://<your site>/auth/callback/keycloak`.
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
export function keycloak(options: OidcOptions<KeycloakProfile> = {}): OidcProvider<KeycloakProfile> {
  return oidcProvider({
    id: "keycloak",
    name: "Keycloak",
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#428bca", text: "#000" },
    profile: ({ sub, name, nickname, preferred_username, email, picture }) => ({
      id: sub || undefined,
      name: name ?? nickname ?? preferred_username,
      email,
      image: picture,
    }),
  }, options);
}
