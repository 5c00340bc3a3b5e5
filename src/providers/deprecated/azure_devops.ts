/**
 * Sign in with Azure DevOps, for services that did before.
 *
 * @module
 */
import { readJson, textId } from "../../contract/provider_answers.ts";
import { optionsFor } from "../../contract/options_for.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../../contract/provider.ts";
import type { Profile, TokenSet } from "../../kernel/model.ts";

export type { OAuthProvider } from "../../contract/provider.ts";

/** The profile of a person at Azure DevOps. */
export interface AzureDevOpsProfile extends Profile {
  /** Account id. */
  id?: string | undefined;
  /** The name to show. */
  displayName?: string | null | undefined;
  /** The email address. */
  emailAddress?: string | null | undefined;
  /** The picture, as JPEG in Base64. */
  coreAttributes?: { readonly Avatar?: { readonly value?: { readonly value?: string } } } | undefined;
}

/** Options of {@linkcode azureDevops}. */
export interface AzureDevOpsOptions<Id extends string = string> extends OAuthOptions<AzureDevOpsProfile, Id> {
  /** The scopes, separated by spaces. @default {"vso.profile"} */
  scope?: string | undefined;
}

const SERVICE = "https://app.vssps.visualstudio.com";
const TOKEN = `${SERVICE}/oauth2/token`;
const PROFILE = `${SERVICE}/_apis/profile/profiles/me?details=true&coreAttributes=Avatar&api-version=6.0`;

/**
 * Signs people in with the OAuth of Azure DevOps.
 *
 * @deprecated Azure DevOps registers no applications any more, and ends its OAuth in 2026. Use `microsoftEntraId` of
 * `@x/auth/providers/microsoft-entra-id`.
 *
 * @param options The scopes, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://learn.microsoft.com/en-us/azure/devops/integrate/get-started/authentication/azure-devops-oauth | OAuth of Azure DevOps}
 */
export function azureDevops<const Id extends string = "azure-devops">(
  options: AzureDevOpsOptions<Id> = {},
): OAuthProvider<AzureDevOpsProfile, Id> {
  const { scope = "vso.profile", ...overrides } = optionsFor("azure-devops", options);
  return oauthProvider({
    id: "azure-devops",
    name: "Azure DevOps",
    deprecated: "Azure DevOps ends its OAuth in 2026: use `microsoftEntraId` of @x/auth/providers/microsoft-entra-id",
    authorization: { url: `${SERVICE}/oauth2/authorize`, params: { response_type: "Assertion", scope } },
    token: {
      url: TOKEN,
      // The secret is an assertion, and so is the code.
      request: async ({ provider, params, fetch }) => {
        const body = new URLSearchParams({
          client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
          client_assertion: provider.clientSecret ?? "",
          grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
          assertion: params.get("code") ?? "",
          redirect_uri: provider.callbackUrl,
        });
        const answer = await fetch(TOKEN, { method: "POST", body });
        return await answer.json() as TokenSet;
      },
    },
    userinfo: { url: PROFILE, request: (context) => readJson<AzureDevOpsProfile>(context, PROFILE) },
    checks: ["state"],
    profile: ({ id, displayName, emailAddress, coreAttributes }) => {
      const picture = coreAttributes?.Avatar?.value?.value;
      return {
        id: textId(id),
        name: displayName,
        email: emailAddress,
        image: picture ? `data:image/jpeg;base64,${picture}` : null,
      };
    },
  }, overrides);
}

export default azureDevops;
