/**
 * Sign in with authentik.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at authentik. */
export interface AuthentikProfile extends Profile {
  /** URL of a picture. */
  picture?: string | null | undefined;
  /** The groups that the person belongs to. */
  groups?: readonly string[] | undefined;
}

/**
 * Signs people in with a server of authentik.
 *
 * - Register:
 *   {@link https://docs.goauthentik.io/add-secure-apps/applications/manage_apps/ | Admin interface of your server}.
 *   Under Applications, create an application with a provider of type OAuth2/OpenID and a confidential client. The
 *   redirect URI is `https://<your site>/auth/callback/authentik`.
 * - Environment: `AUTH_AUTHENTIK_ID`, `AUTH_AUTHENTIK_SECRET` and `AUTH_AUTHENTIK_ISSUER`. The issuer is required:
 *   `https://<host>/application/o/<slug of the application>/`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: the address of the account. `email_verified` is given to callbacks. It is whatever the scope mapping of the
 *   server says about all addresses, unless its administrator has changed that: true in older versions, false since
 *   2025.10.
 * - Refresh: with the scope `offline_access`. The provider in authentik says how long tokens live.
 * - Logout: `logout: true` works: the metadata has an `end_session_endpoint`.
 *
 * If the provider in authentik has the issuer mode "Same identifier is used for all providers", the issuer is
 * `https://<host>/`.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { authentik } from "@x/auth/providers/authentik";
 *
 * const { handler } = createAuth({
 *   providers: [authentik({ issuer: "https://id.example.com/application/o/example/" })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The issuer, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.goauthentik.io/add-secure-apps/providers/oauth2/ | OpenID Connect at authentik}
 */
export function authentik<Id extends string = "authentik">(
  options: OidcOptions<AuthentikProfile, Id> = {},
): OidcProvider<AuthentikProfile, Id> {
  return oidcProvider({
    id: "authentik",
    name: "Authentik",
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#FD4B2D", text: "#000" },
    profile: ({ sub, name, nickname, preferred_username, email, picture }) => ({
      id: textId(sub),
      name: name || nickname || preferred_username,
      email,
      image: picture,
    }),
  }, options);
}
