/**
 * Sign in with Microsoft Entra ID: work, school and personal accounts of Microsoft.
 *
 * @module
 */
import { optionsFor } from "../contract/options_for.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import { issuerOfTenant } from "../contract/shared_issuer.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at Microsoft. */
export interface MicrosoftEntraIdProfile extends Profile {
  /** Account id. It differs from application to application. */
  sub: string;
  /** The person's id in the tenant. */
  oid: string;
  /** Id of the tenant of the account. */
  tid: string;
  /** The name to show. */
  name?: string | undefined;
  /** The name that the person signs in with, often an address. It can change. */
  preferred_username?: string | undefined;
  /** Email address. Administrators can enter any. */
  email?: string | undefined;
  /** The name that the person signs in with: an optional claim. */
  upn?: string | undefined;
  /** The roles of the person in the application. */
  roles?: string[] | undefined;
  /** Ids of the groups of the person, if the application asks for them. */
  groups?: string[] | undefined;
  /** The identity provider of a guest. */
  idp?: string | undefined;
  /** Id of the session at Microsoft: an optional claim. */
  sid?: string | undefined;
  /** What `login_hint` of a sign-in or `logout_hint` takes: an optional claim. */
  login_hint?: string | undefined;
  /** Version of the token. */
  ver?: string | undefined;
  /** Whether the owner of the address's domain has verified it: an optional claim. */
  xms_edov?: boolean | number | string | undefined;
}

/** The name that Auth.js has for {@linkcode MicrosoftEntraIdProfile}. */
export type MicrosoftEntraIDProfile = MicrosoftEntraIdProfile;

/** Options of {@linkcode microsoftEntraId}. */
export interface MicrosoftEntraIdOptions<Id extends string = string> extends OidcOptions<MicrosoftEntraIdProfile, Id> {
  /** Id (a UUID) of the tenant, or `common`, `organizations` or `consumers`. @default {"common"} */
  tenant?: string | undefined;
  /** Origin of a national cloud. @default {"https://login.microsoftonline.com"} */
  authority?: string | undefined;
}

/**
 * Signs people in with Microsoft Entra ID.
 *
 * - Register: {@link https://entra.microsoft.com | Microsoft Entra admin center}: under "App registrations", register an
 *   application with the platform "Web" and the redirect URI `https://<your site>/auth/callback/microsoft-entra-id`.
 *   Under "Certificates & secrets", create a client secret.
 * - Environment: `AUTH_MICROSOFT_ENTRA_ID_ID`, `AUTH_MICROSOFT_ENTRA_ID_SECRET`, `AUTH_MICROSOFT_ENTRA_ID_ISSUER`.
 * - Scopes: `openid`, `profile`, `email`, `User.Read`; `offline_access` for a refresh token.
 * - Email: an address that nobody vouches for, unless the optional claim `xms_edov` says that the owner of its domain is
 *   verified. Without one it is the name that the person signs in with.
 * - Refresh: add the scope `offline_access`. Access tokens live about an hour.
 * - Logout: works with `logout: true`.
 *
 * Everybody with an account at Microsoft can sign in, unless you set `tenant` or the issuer
 * (`https://login.microsoftonline.com/<id of the tenant>/v2.0`).
 *
 * Do not authorize people by their email address: the administrators of any tenant can enter any address. With
 * `allowDangerousEmailAccountLinking` an account is linked if `xms_edov` is true, or if the claim is absent and the issuer
 * is that of one tenant; never if it is false, and never without it for `common`, `organizations` and `consumers`. To get
 * it, add `xms_edov` to the optional claims of the ID token in the registration of the application.
 *
 * The picture is not loaded; it is at `/me/photo/$value` of Microsoft Graph.
 *
 * If your accounts are stored under another id, such as `microsoft`, set `id`: it keeps them, the callback URL and the
 * environment variables. For those of `azure-ad`, there is `@x/auth/providers/azure-ad`.
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
export function microsoftEntraId<const Id extends string = "microsoft-entra-id">(
  options: MicrosoftEntraIdOptions<Id> = {},
): OidcProvider<MicrosoftEntraIdProfile, Id> {
  const { authority = "https://login.microsoftonline.com", tenant = "common", ...overrides } = optionsFor(
    "microsoft-entra-id",
    options,
  );
  const issuer = options.issuer ?? `${authority.replace(/\/+$/, "")}/${tenant}/v2.0`;
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
    style: {
      bg: "#0072c6",
      text: "#fff",
      mark: "m11.4 24h-11.4v-11.4h11.4zm12.6 0h-11.4v-11.4h11.4zm-12.6-12.6h-11.4v-11.4h11.4zm12.6 0h-11.4v-11.4h11.4z",
    },
    ...(expectedIssuer && { expectedIssuer }),
    profile: ({ sub, name, preferred_username, email }) => ({
      id: sub || undefined,
      name: name ?? preferred_username,
      email: email ?? preferred_username,
      image: null,
    }),
  }, overrides);
}

export default microsoftEntraId;
