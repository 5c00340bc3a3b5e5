/**
 * Sign in with Azure AD B2C.
 *
 * @module
 */
import { conformJson, textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at Azure AD B2C. The user flow says which claims there are. */
export interface AzureAdB2cProfile extends Profile {
  /** The email addresses. */
  emails?: readonly string[] | null | undefined;
  /** The person's id in the tenant. */
  oid?: string | undefined;
  /** The user flow. */
  tfp?: string | undefined;
  /** Whether the account was made in this sign-in. */
  newUser?: boolean | undefined;
  /** Country or region. */
  country?: string | null | undefined;
}

/** The name that Auth.js has for {@linkcode AzureAdB2cProfile}. */
export type AzureADB2CProfile = AzureAdB2cProfile;

/** Options of {@linkcode azureAdB2c}. */
export interface AzureAdB2cOptions<Id extends string = string> extends OidcOptions<AzureAdB2cProfile, Id> {
  /** Name of the tenant: `example` for `example.onmicrosoft.com`. */
  tenant?: string | undefined;
  /** Id (a UUID) of the tenant, if the issuer in the metadata shall be checked against it. */
  tenantId?: string | undefined;
  /** The user flow or custom policy, such as `B2C_1_signin`. */
  policy?: string | undefined;
}

/**
 * Signs people in with Azure AD B2C, which Microsoft does not sell to new customers any more. Its successor is
 * Microsoft Entra External ID: use `microsoftEntraId` with its issuer.
 *
 * - Register:
 *   {@link https://portal.azure.com/#view/Microsoft_AAD_B2CAdmin/TenantManagementMenuBlade | Azure AD B2C in the Azure portal}.
 *   Under App registrations, register an application with a client secret, and make a user flow. The redirect URI, of
 *   the platform Web, is `https://<your site>/auth/callback/azure-ad-b2c`.
 * - Environment: `AUTH_AZURE_AD_B2C_ID`, `AUTH_AZURE_AD_B2C_SECRET`, and `AUTH_AZURE_AD_B2C_ISSUER` instead of `tenant`
 *   and `policy`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: the first address of the account, if the user flow has the claim Email Addresses. B2C does not say whether
 *   it is verified.
 * - Refresh: with the scope `offline_access`.
 * - Logout: `logout: true` works: the metadata has an `end_session_endpoint`.
 *
 * Set `tenant` and `policy`. An issuer alone works only if the user flow has the token compatibility setting "Issuer
 * (iss) claim" with `tfp`: `https://<tenant>.b2clogin.com/tfp/<id of the tenant>/<policy>/v2.0/`.
 *
 * B2C gives an access token only for the scope of an API, such as the client id itself. Without one, the id_token takes
 * its place among the tokens of the account.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { azureAdB2c } from "@x/auth/providers/azure-ad-b2c";
 *
 * const { handler } = createAuth({ providers: [azureAdB2c({ tenant: "example", policy: "B2C_1_signin" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The tenant and its user flow, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://learn.microsoft.com/en-us/azure/active-directory-b2c/openid-connect | OpenID Connect at Azure AD B2C}
 */
export function azureAdB2c<const Id extends string = "azure-ad-b2c">(
  options: AzureAdB2cOptions<Id> = {},
): OidcProvider<AzureAdB2cProfile, Id> {
  const { tenant, tenantId, policy, ...overrides } = optionsFor("azure-ad-b2c", options);
  const origin = `https://${tenant}.b2clogin.com`;
  return oidcProvider({
    id: "azure-ad-b2c",
    name: "Azure AD B2C",
    ...(tenant && tenantId && { issuer: `${origin}/${tenantId}/v2.0/` }),
    // The issuer does not name the policy, so the metadata is not below it.
    ...(tenant && policy && {
      wellKnown: `${origin}/${tenant}.onmicrosoft.com/${policy}/v2.0/.well-known/openid-configuration`,
    }),
    token: { conform: conformJson((body) => ({ access_token: body.id_token, ...body })) },
    checks: ["state", "pkce", "nonce"],
    style: {
      bg: "#0072c6",
      text: "#fff",
      mark: "m11.4 24h-11.4v-11.4h11.4zm12.6 0h-11.4v-11.4h11.4zm-12.6-12.6h-11.4v-11.4h11.4zm12.6 0h-11.4v-11.4h11.4z",
    },
    profile: ({ sub, name, preferred_username, emails, email }) => ({
      id: textId(sub),
      name: name || preferred_username,
      email: emails?.[0] ?? email,
      image: null,
    }),
  }, overrides);
}

export default azureAdB2c;
