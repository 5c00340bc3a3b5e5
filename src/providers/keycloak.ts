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
    style: {
      bg: "#428bca",
      text: "#000",
      mark:
        "m18.742 1.182-12.493.002C4.155 4.784 2.079 8.393 0 12.002c2.071 3.612 4.162 7.214 6.252 10.816l12.49-.004 3.089-5.404h2.158v-.002H24L23.996 6.59h-2.168zM8.327 4.792h2.081l1.04 1.8-3.12 5.413 3.117 5.403-1.035 1.81H8.327a2047.566 2047.566 0 0 0-4.168-7.204C5.547 9.606 6.937 7.2 8.327 4.792Zm6.241 0 2.086.003c1.393 2.405 2.78 4.813 4.166 7.222l-4.167 7.2h-2.08c-.382-.562-1.038-1.808-1.038-1.808l3.123-5.405-3.124-5.413z",
    },
    profile: ({ sub, name, nickname, preferred_username, email, picture }) => ({
      id: sub || undefined,
      name: name ?? nickname ?? preferred_username,
      email,
      image: picture,
    }),
  }, options);
}
