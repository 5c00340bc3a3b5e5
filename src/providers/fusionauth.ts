/**
 * Sign in with FusionAuth.
 *
 * @module
 */
import { belowIssuer } from "../contract/endpoint_url.ts";
import { joinName, textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at FusionAuth. */
export interface FusionAuthProfile extends Profile {
  /** URL of a picture. */
  picture?: string | null | undefined;
}

/** Options of {@linkcode fusionauth}. */
export interface FusionAuthOptions<Id extends string = string> extends OidcOptions<FusionAuthProfile, Id> {
  /** Id of the tenant to sign in to, where there are several. @default the tenant of the application */
  tenantId?: string | undefined;
}

/**
 * Signs people in with an instance of FusionAuth.
 *
 * - Register: {@link https://fusionauth.io/docs/get-started/core-concepts/applications | Applications}: add one on the
 *   page of that name in the administration of your instance. On its tab for OAuth, the authorized redirect URL is
 *   `https://<your site>/auth/callback/fusionauth`.
 * - Environment: `AUTH_FUSIONAUTH_ID`, `AUTH_FUSIONAUTH_SECRET`, `AUTH_FUSIONAUTH_ISSUER`.
 * - Scopes: `openid`, `offline_access`, `email`, `profile`.
 * - Email: with `email_verified`. It is not a proof: where a tenant does not verify addresses, FusionAuth says true of all.
 *   Set `vouches: "yes"` if your tenant does.
 * - Refresh: a refresh token comes with the scope `offline_access`, if the application may have one.
 * - Logout: `logout: true` goes to `end_session_endpoint` of the metadata.
 *
 * The issuer is required: the URL of the instance. It must be the setting "Issuer" of the tenant, which is `acme.com`
 * in a new instance, so change that first.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { fusionauth } from "@x/auth/providers/fusionauth";
 *
 * const { handler } = createAuth({ providers: [fusionauth({ issuer: "https://id.example.com" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The issuer, the tenant, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/ | OpenID Connect at FusionAuth}
 */
export function fusionauth<const Id extends string = "fusionauth">(
  options: FusionAuthOptions<Id> = {},
): OidcProvider<FusionAuthProfile, Id> {
  const { tenantId, ...overrides } = optionsFor("fusionauth", options);
  return oidcProvider({
    id: "fusionauth",
    name: "FusionAuth",
    requiredOptions: ["issuer"],
    ...(tenantId &&
      { wellKnown: belowIssuer(overrides.issuer, `${METADATA}?tenantId=${encodeURIComponent(tenantId)}`) }),
    authorization: { params: { scope: "openid offline_access email profile", ...(tenantId && { tenantId }) } },
    checks: ["state", "pkce", "nonce"],
    // https://github.com/FusionAuth/fusionauth-site/issues/950: without verification all users are created as verified.
    vouches: "no",
    style: {
      bg: "#F58320",
      text: "#000",
      mark:
        "m12 0a1.67 1.67 0 0 0-1.67 1.67 1.67 1.67 0 0 0 1.67 1.66 1.67 1.67 0 0 0 1.67-1.66 1.67 1.67 0 0 0-1.67-1.67zm-2.49 1.15a11.57 11.57 0 0 0-9.07 11.17.72.72 0 0 0 1.08.62.7.7 0 0 0 .36-.6 10.14 10.14 0 0 1 5.05-8.67c.85-.49 1.75-.85 2.7-1.07a2.55 2.55 0 0 1-.12-1.46zm8.01 1.26a.71.71 0 0 0-.69.71.7.7 0 0 0 .34.61 10.13 10.13 0 0 1 4.54 11.58c.32.05.62.15.89.31.15.09.29.19.43.3a11.57 11.57 0 0 0-5.15-13.43.71.71 0 0 0-.36-.09zm-5.52 3.79a6.25 6.25 0 1 0 0 12.49 6.25 6.25 0 0 0 0-12.49zm0 1.43a4.82 4.82 0 0 1 3.41 8.22 4.82 4.82 0 1 1-3.41-8.22zm-.01 2.29c-1.41.01-1.89 1.89-.67 2.58l-.43 2.21a.24.24 0 0 0 .23.28h1.78a.24.24 0 0 0 .23-.28l-.44-2.21c.43-.24.7-.7.69-1.2a1.38 1.38 0 0 0-1.39-1.38zm-9.32 6.24a1.67 1.67 0 0 0-1.67 1.67 1.67 1.67 0 0 0 1.67 1.67 1.67 1.67 0 0 0 1.66-1.67 1.67 1.67 0 0 0-1.66-1.67zm18.66 0a1.67 1.67 0 0 0-1.66 1.67 1.67 1.67 0 0 0 1.66 1.67 1.67 1.67 0 0 0 1.67-1.67 1.67 1.67 0 0 0-1.67-1.67zm-16.67 3.27c-.2.24-.44.45-.71.61a2.58 2.58 0 0 1-.46.2 11.58 11.58 0 0 0 14.2 2.28.71.71 0 0 0 0-1.24.7.7 0 0 0-.7-.02 10.13 10.13 0 0 1-10.05-.05 10.17 10.17 0 0 1-2.28-1.78z",
    },
    profile: ({ sub, name, preferred_username, given_name, middle_name, family_name, email, picture }) => ({
      id: textId(sub),
      name: name || preferred_username || joinName(given_name, middle_name, family_name),
      email,
      image: picture,
    }),
  }, overrides);
}

const METADATA = "/.well-known/openid-configuration";

export default fusionauth;
