/**
 * Sign in with Azure AD B2C.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Azure AD B2C. */
export interface AzureADB2CProfile extends Profile {
  /** TODO. */
  emails?: readonly (string | null)[] | null | undefined;
}

/** Options of {@linkcode azureAdB2c}. */
export interface AzureADB2COptions<Id extends string = string> extends OidcOptions<AzureADB2CProfile, Id> {
  /** TODO. */
  issuerTenantTenantIdPolicy: string;
}

/**
 * Signs people in with Azure AD B2C.
 *
 * - Register: {@link https://learn.microsoft.com/en-us/azure/active-directory-b2c/openid-connect | TODO: name of the
 *   console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/azure-ad-b2c`.
 * - Environment: `AUTH_AZURE_AD_B2C_ID`, `AUTH_AZURE_AD_B2C_SECRET`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: TODO path {"path": "$.emails[0]", "fallbacks": ["$.email"]} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { azureAdB2c } from "@x/auth/providers/azure-ad-b2c";
 *
 * const { handler } = createAuth({ providers: [azureAdB2c({ issuer: "https://example.b2clogin.com/example/v2.0/" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://learn.microsoft.com/en-us/azure/active-directory-b2c/openid-connect | TODO}
 */
export function azureAdB2c<Id extends string = "azure-ad-b2c">(
  options: AzureADB2COptions<Id> = {},
): OidcProvider<AzureADB2CProfile, Id> {
  return oidcProvider({
    id: "azure-ad-b2c",
    name: "Azure AD B2C",
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#0072c6", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.sub),
      name: profile.name ?? profile.preferred_username,
      email: profile.emails?.[0] ?? profile.email,
      image: null,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - issuer template https://{tenant}.b2clogin.com/{tenant_id}/v2.0/
// - status legacy: say so in the docstring
// - variant: {"when": "token compatibility setting = tfp", "issuer": "https://{tenant}.b2clogin.com/tfp/{tenant_id}/{policy}/v2.0/"}
// - notes: Default iss does not contain the policy, so it does not match the discovery URL prefix; either the tfp issuer format is configured or the issuer check is done against the metadata value. No userinfo endpoint unless a custom policy adds one. Not sold to new customers since 2025-05-01; successor is Entra External ID.
// - options: required ['issuer|tenant+tenant_id+policy'] optional []
// - optional scopes: ['offline_access']
// - pkce: supported; docs https://learn.microsoft.com/en-us/azure/active-directory-b2c/openid-connect
