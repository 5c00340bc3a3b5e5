/**
 * Sign in with FusionAuth.
 *
 * @module
 */
import { belowIssuer } from "../contract/endpoint_url.ts";
import { joinName, textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

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
 * - Email: with `email_verified`.
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
export function fusionauth<Id extends string = "fusionauth">(
  { tenantId, ...options }: FusionAuthOptions<Id> = {},
): OidcProvider<FusionAuthProfile, Id> {
  return oidcProvider({
    id: "fusionauth",
    name: "FusionAuth",
    requiredOptions: ["issuer"],
    ...(tenantId && { wellKnown: belowIssuer(options.issuer, `${METADATA}?tenantId=${encodeURIComponent(tenantId)}`) }),
    authorization: { params: { scope: "openid offline_access email profile", ...(tenantId && { tenantId }) } },
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#F58320", text: "#000" },
    profile: ({ sub, name, preferred_username, given_name, middle_name, family_name, email, picture }) => ({
      id: textId(sub),
      name: name || preferred_username || joinName(given_name, middle_name, family_name),
      email,
      image: picture,
    }),
  }, options);
}

const METADATA = "/.well-known/openid-configuration";
