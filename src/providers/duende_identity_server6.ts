/**
 * Sign in with Duende IdentityServer.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at a Duende IdentityServer. */
export interface DuendeIdentityServer6Profile extends Profile {
  /** URL of a picture. */
  picture?: string | null | undefined;
  /** Where the person signed in: `local`, or the name of another provider. */
  idp?: string | undefined;
}

/**
 * Signs people in with your Duende IdentityServer.
 *
 * - Register: {@link https://docs.duendesoftware.com/identityserver/fundamentals/clients/ | Clients of your server}.
 *   Add one with the grant type Code, a secret and the scopes. The redirect URI is
 *   `https://<your site>/auth/callback/duende-identity-server6`.
 * - Environment: `AUTH_DUENDE_IDENTITY_SERVER6_ID`, `AUTH_DUENDE_IDENTITY_SERVER6_SECRET` and
 *   `AUTH_DUENDE_IDENTITY_SERVER6_ISSUER`. The issuer is required: the URL of the server.
 * - Scopes: `openid`, `profile`, `email`. The server must have the identity resources of the same names.
 * - Email: the address of the account. `email_verified` is given to callbacks if the server has that claim.
 * - Refresh: with the scope `offline_access`, if the client has `AllowOfflineAccess`. Access tokens live one hour by
 *   default.
 * - Logout: `logout: true` works: the metadata has an `end_session_endpoint`. Add
 *   `https://<your site>/auth/signout/duende-identity-server6` to `PostLogoutRedirectUris` of the client.
 *
 * All versions of the server work, not only 6. The public demo has the issuer `https://demo.duendesoftware.com`.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { duendeIdentityServer6 } from "@x/auth/providers/duende-identity-server6";
 *
 * const { handler } = createAuth({
 *   providers: [duendeIdentityServer6({ issuer: "https://demo.duendesoftware.com" })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The issuer, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.duendesoftware.com/identityserver/ | Duende IdentityServer}
 */
export function duendeIdentityServer6<const Id extends string = "duende-identity-server6">(
  options: OidcOptions<DuendeIdentityServer6Profile, Id> = {},
): OidcProvider<DuendeIdentityServer6Profile, Id> {
  return oidcProvider({
    id: "duende-identity-server6",
    name: "DuendeIdentityServer6",
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#fff", text: "#000" },
    profile: ({ sub, name, nickname, preferred_username, email, picture }) => ({
      id: textId(sub),
      name: name || nickname || preferred_username,
      email,
      image: picture,
    }),
  }, options);
}

export default duendeIdentityServer6;
