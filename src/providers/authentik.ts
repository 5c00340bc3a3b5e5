/**
 * Sign in with authentik.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

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
 * - Email: the address of the account. `email_verified` is given to callbacks. It is what the scope mapping of the
 *   server says about all addresses, unless its administrator has changed that: true in older versions, false since
 *   2025.10. So it is not a proof. Set `vouches: "yes"` if your mapping knows which addresses are verified.
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
export function authentik<const Id extends string = "authentik">(
  options: OidcOptions<AuthentikProfile, Id> = {},
): OidcProvider<AuthentikProfile, Id> {
  return oidcProvider({
    id: "authentik",
    name: "Authentik",
    checks: ["state", "pkce", "nonce"],
    // https://docs.goauthentik.io/add-secure-apps/providers/oauth2/verify-email-address/: authentik does not know.
    vouches: "no",
    style: {
      bg: "#FD4B2D",
      text: "#000",
      mark:
        "m13.96 9.01h-.84v-1.52h-1.23v3.66h-6.17c.34.52.54.99.54 1.16 0 .46-1.45 3.06-3.2 3.06-2.26.06-3.81-2.57-2.69-4.52a3.06 3.06 0 0 1 2.69-1.6c1.04 0 1.97.91 2.56 1.75v-4.42a3.77 3.77 0 0 1 3.77-3.77h10.84c2.08 0 3.77 1.69 3.77 3.77v10.84a3.77 3.77 0 0 1-3.77 3.77h-1.6v-3.69h-7.64v3.69h-1.6a3.77 3.77 0 0 1-3.77-3.77v-3.41h12.11v-6.52h-1.59v.9h-.84v-.9h-1.34v1.52zm-9.96 1.85c-.66-.71-1.57-.55-2.2 0-2.11 2.05 1.33 5.55 3.3 1.44a5.39 5.39 0 0 0-1.1-1.44z",
    },
    profile: ({ sub, name, nickname, preferred_username, email, picture }) => ({
      id: textId(sub),
      name: name || nickname || preferred_username,
      email,
      image: picture,
    }),
  }, options);
}

export default authentik;
