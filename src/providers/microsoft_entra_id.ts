/**
 * Sign in with Microsoft Entra ID: work, school and personal accounts of Microsoft.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import { issuerOfTenant } from "../contract/shared_issuer.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Microsoft. */
export interface MicrosoftEntraIdProfile extends Profile {
  /** The person's id in the tenant. `sub` differs from application to application. */
  oid?: string | undefined;
  /** Id of the tenant of the account. */
  tid?: string | undefined;
}

/** Options of {@linkcode microsoftEntraId}. */
export interface MicrosoftEntraIdOptions extends OidcOptions<MicrosoftEntraIdProfile> {
  /** Id (a UUID) of the tenant, or `common`, `organizations` or `consumers`. @default {"common"} */
  tenant?: string | undefined;
  /** Origin of a national cloud. @default {"https://login.microsoftonline.com"} */
  authority?: string | undefined;
}

/**
 * Signs people in with Microsoft Entra ID.
 *
 * Reads `AUTH_MICROSOFT_ENTRA_ID_ID`, `AUTH_MICROSOFT_ENTRA_ID_SECRET` and `AUTH_MICROSOFT_ENTRA_ID_ISSUER`. The
 * redirect URI to register is `https://<your site>/auth/callback/microsoft-entra-id`.
 *
 * Everybody with an account at Microsoft can sign in, unless you set `tenant` or the issuer
 * (`https://login.microsoftonline.com/<id of the tenant>/v2.0`).
 *
 * Do not authorize people by their email address: the administrators of any tenant can enter any address, and Microsoft
 * does not say whether it is verified. Without an address, `email` is the name that the person signs in with. The
 * picture is not loaded; it is at `/me/photo/$value` of Microsoft Graph.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { microsoftEntraId } from "@x/auth/providers/microsoft-entra-id";
 *
 * const { handler } = createAuth({ providers: [microsoftEntraId({ tenant: "organizations" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options Who can sign in, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc | OpenID Connect at Microsoft}
 */
export function microsoftEntraId(options: MicrosoftEntraIdOptions = {}): OidcProvider<MicrosoftEntraIdProfile> {
  const { authority = "https://login.microsoftonline.com", tenant = "common", ...overrides } = options;
  const issuer = options.issuer ?? `${authority}/${tenant}/v2.0`;
  const expectedIssuer = issuerOfTenant(issuer);
  return oidcProvider({
    id: "microsoft-entra-id",
    name: "Microsoft Entra ID",
    issuer,
    authorization: { params: { scope: "openid profile email User.Read" } },
    token: { clientAssertionAudience: "token_endpoint" },
    // Userinfo knows no more than the id_token.
    idToken: true,
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#0072c6", text: "#fff" },
    ...(expectedIssuer && { expectedIssuer }),
    profile: ({ sub, name, preferred_username, email }) => ({
      id: sub || undefined,
      name: name ?? preferred_username,
      email: email ?? preferred_username,
      image: null,
    }),
  }, overrides);
}
