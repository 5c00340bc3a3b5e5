/**
 * Sign in with FusionAuth.
 *
 * @module
 */
import { joinName, textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** Options of {@linkcode fusionauth}. */
export interface FusionAuthOptions<Id extends string = string> extends OidcOptions<Profile, Id> {
  /** TODO. */
  tenantId?: string | undefined;
}

/**
 * Signs people in with FusionAuth.
 *
 * - Register: {@link https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/ | TODO: name of the console}:
 *   TODO what to click. The redirect URI is `https://<your site>/auth/callback/fusionauth`.
 * - Environment: `AUTH_FUSIONAUTH_ID`, `AUTH_FUSIONAUTH_SECRET`, `AUTH_FUSIONAUTH_ISSUER`.
 * - Scopes: `openid`, `offline_access`, `email`, `profile`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { fusionauth } from "@x/auth/providers/fusionauth";
 *
 * const { handler } = createAuth({ providers: [fusionauth({ issuer: "example" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/ | TODO}
 */
export function fusionauth<Id extends string = "fusionauth">(
  options: FusionAuthOptions<Id> = {},
): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "fusionauth",
    name: "FusionAuth",
    authorization: { params: { scope: "openid offline_access email profile" } },
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#F58320", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.sub),
      name: profile.name ?? profile.preferred_username ??
        joinName(profile.given_name, profile.middle_name, profile.family_name),
      email: profile.email,
      image: profile.picture,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - authorization param tenantId={tenant_id}
// - token quirk: some versions send a WWW-Authenticate header on non-401 token responses, which strict clients reject
// - variant: {"when": "tenant_id set", "discovery_url": "{issuer}/.well-known/openid-configuration?tenantId={tenant_id}"}
// - notes: iss is the tenant issuer setting (default acme.com) and must be set to match. tenantId only with several tenants. client_secret_basic is the default client authentication.
// - options: required ['issuer'] optional ['tenant_id']
// - pkce: supported; docs https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/
