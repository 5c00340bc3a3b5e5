/**
 * Sign in with BoxyHQ SAML.
 *
 * @module
 */
import { joinName, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at BoxyHQ SAML. */
export interface BoxyHQSAMLProfile extends Profile {
  /** TODO. */
  firstName?: string | null | undefined;
  /** TODO. */
  lastName?: string | null | undefined;
}

/** Options of {@linkcode boxyhqSaml}. */
export interface BoxyHQSAMLOptions<Id extends string = string> extends OAuthOptions<BoxyHQSAMLProfile, Id> {
  /** TODO. */
  tenant?: string | undefined;
  /** TODO. */
  product?: string | undefined;
  /** TODO. */
  idpHint?: string | undefined;
}

/**
 * Signs people in with BoxyHQ SAML.
 *
 * - Register: {@link https://boxyhq.com/docs/jackson/saml-flow | TODO: name of the console}: TODO what to click. The
 *   redirect URI is `https://<your site>/auth/callback/boxyhq-saml`.
 * - Environment: `AUTH_BOXYHQ_SAML_ID`, `AUTH_BOXYHQ_SAML_SECRET`, `AUTH_BOXYHQ_SAML_ISSUER`.
 * - Scopes: none.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { boxyhqSaml } from "@x/auth/providers/boxyhq-saml";
 *
 * const { handler } = createAuth({ providers: [boxyhqSaml({ issuer: "example" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://boxyhq.com/docs/jackson/saml-flow | TODO}
 */
export function boxyhqSaml<Id extends string = "boxyhq-saml">(
  options: BoxyHQSAMLOptions<Id> = {},
): OAuthProvider<BoxyHQSAMLProfile, Id> {
  return oauthProvider({
    id: "boxyhq-saml",
    name: "BoxyHQ SAML",
    authorization: { url: "{issuer}/api/oauth/authorize", params: { provider: "saml" } },
    token: "{issuer}/api/oauth/token",
    userinfo: "{issuer}/api/oauth/userinfo",
    checks: ["state", "pkce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#25c2a0", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: joinName(profile.firstName, profile.lastName),
      email: profile.email,
      image: null,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - no scope: `authorization.params.scope` must be "" (empty: none is sent) or the URL is enough; check that no scope is sent
// - notes: SAML Jackson (now Ory Polis). client_id can be tenant={tenant}&product={product} with client_secret dummy, or the connection client id/secret. An OIDC mode exists when scope openid is sent.
// - options: required ['issuer'] optional ['tenant', 'product', 'idp_hint']
// - aliases: ['ory-polis', 'jackson']
// - pkce: supported; docs https://boxyhq.com/docs/jackson/saml-flow
