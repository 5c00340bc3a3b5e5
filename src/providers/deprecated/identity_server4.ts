/**
 * Sign in with IdentityServer4, for services that did before.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../../contract/provider.ts";
import type { Profile } from "../../kernel/model.ts";

export type { OidcProvider } from "../../contract/provider.ts";
export type { Profile } from "../../kernel/model.ts";

/**
 * Signs people in with your IdentityServer4. `issuer`, or `AUTH_IDENTITY_SERVER4_ISSUER`, is required: the URL of the
 * server.
 *
 * @deprecated IdentityServer4 has not been maintained since 2022. Use its successor, Duende IdentityServer, and
 * `duendeIdentityServer6` of `@x/auth/providers/duende-identity-server6`.
 *
 * @param options The issuer, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://identityserver4.readthedocs.io | IdentityServer4}
 */
export function identityServer4<const Id extends string = "identity-server4">(
  options: OidcOptions<Profile, Id> = {},
): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "identity-server4",
    name: "IdentityServer4",
    deprecated: "IdentityServer4 has not been maintained since 2022: use its successor, with " +
      "`duendeIdentityServer6` of @x/auth/providers/duende-identity-server6",
    requiredOptions: ["issuer"],
    checks: ["state", "pkce", "nonce"],
  }, options);
}

export default identityServer4;
