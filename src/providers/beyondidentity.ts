/**
 * Sign in with Beyond Identity.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at Beyond Identity. */
export interface BeyondIdentityProfile extends Profile {
  /** Account id. */
  sub: string;
}

/**
 * Signs people in with Beyond Identity.
 *
 * - Register: {@link https://console-us.beyondidentity.com | Admin console of Beyond Identity}, or
 *   `https://console-eu.beyondidentity.com`. Under Applications, add one with the protocol OIDC and a confidential
 *   client. The redirect URI is `https://<your site>/auth/callback/beyondidentity`.
 * - Environment: `AUTH_BEYONDIDENTITY_ID`, `AUTH_BEYONDIDENTITY_SECRET` and `AUTH_BEYONDIDENTITY_ISSUER`. The issuer is
 *   required: the console shows it, such as
 *   `https://auth-us.beyondidentity.com/v1/tenants/<id>/realms/<id>/applications/<id>`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: the address in the directory. Beyond Identity does not say whether it is verified.
 * - Refresh: if the application has the grant type for it.
 * - Logout: `logout: true` works if the metadata of the application has an `end_session_endpoint`.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { beyondidentity } from "@x/auth/providers/beyondidentity";
 *
 * const { handler } = createAuth({
 *   providers: [beyondidentity({ issuer: "https://auth-us.beyondidentity.com/v1/tenants/1/realms/2/applications/3" })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The issuer, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.beyondidentity.com/ | OpenID Connect at Beyond Identity}
 */
export function beyondidentity<const Id extends string = "beyondidentity">(
  options: OidcOptions<BeyondIdentityProfile, Id> = {},
): OidcProvider<BeyondIdentityProfile, Id> {
  return oidcProvider({
    id: "beyondidentity",
    name: "Beyond Identity",
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#5077c5", text: "#000" },
    profile: ({ sub, name, preferred_username, email }) => ({
      id: textId(sub),
      name: name || preferred_username,
      email,
      image: null,
    }),
  }, options);
}

export default beyondidentity;
