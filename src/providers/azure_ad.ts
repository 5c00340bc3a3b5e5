/**
 * Sign in with Microsoft Entra ID under its former name, Azure Active Directory.
 *
 * @module
 */
import { optionsFor } from "../contract/options_for.ts";
import type { OidcProvider } from "../contract/provider.ts";
import { microsoftEntraId, type MicrosoftEntraIdOptions, type MicrosoftEntraIdProfile } from "./microsoft_entra_id.ts";

export type { OidcProvider } from "../contract/provider.ts";
export type { MicrosoftEntraIdProfile } from "./microsoft_entra_id.ts";

/** The name that Auth.js has for {@linkcode MicrosoftEntraIdProfile}. */
export type AzureADProfile = MicrosoftEntraIdProfile;

/**
 * Signs people in with Microsoft Entra ID under the id `azure-ad`, which it has in older versions of Auth.js. Accounts,
 * callback URL and environment variables stay as they are. Without such accounts, use `microsoftEntraId`.
 *
 * - Register: {@link https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade | App registrations}.
 *   Register an application and add a client secret. The redirect URI, of the platform Web, is
 *   `https://<your site>/auth/callback/azure-ad`.
 * - Environment: `AUTH_AZURE_AD_ID`, `AUTH_AZURE_AD_SECRET`, and `AUTH_AZURE_AD_ISSUER` or the option `tenant` to admit
 *   one tenant only: `https://login.microsoftonline.com/<id of the tenant>/v2.0`.
 * - Scopes: `openid`, `profile`, `email`, `User.Read`.
 * - Email: the address of the account, or else the name that the person signs in with. The administrators of any tenant
 *   can enter any address: do not authorize people by it. What the optional claim `xms_edov` says, and when an account is
 *   linked by its address, is as at {@linkcode microsoftEntraId}.
 * - Refresh: with the scope `offline_access`. Access tokens live about one hour.
 * - Logout: `logout: true` works: the metadata has an `end_session_endpoint`.
 *
 * Everybody with an account at Microsoft can sign in, unless you set `tenant` or the issuer.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { azureAd } from "@x/auth/providers/azure-ad";
 *
 * const { handler } = createAuth({ providers: [azureAd({ tenant: "organizations" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options Who can sign in, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc | OpenID Connect at Microsoft}
 */
export function azureAd<const Id extends string = "azure-ad">(
  options: MicrosoftEntraIdOptions<Id> = {},
): OidcProvider<MicrosoftEntraIdProfile, Id> {
  const { id = "azure-ad" as Id } = optionsFor("azure-ad", options);
  return { ...microsoftEntraId({ ...options, id }), name: "Azure Active Directory" };
}

export default azureAd;
