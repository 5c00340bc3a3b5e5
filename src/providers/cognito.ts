/**
 * Sign in with Cognito.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Cognito. */
export interface CognitoProfile extends Profile {
  /** TODO. */
  "cognito:username"?: string | null | undefined;
  /** TODO. */
  username?: string | null | undefined;
}

/** Options of {@linkcode cognito}. */
export interface CognitoOptions<Id extends string = string> extends OidcOptions<CognitoProfile, Id> {
  /** TODO. */
  issuerDomainRegionUserPoolId: string;
  /** TODO. */
  identityProvider?: string | undefined;
}

/**
 * Signs people in with Cognito.
 *
 * - Register: {@link
 *   https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-userpools-server-contract-reference.html |
 *   TODO: name of the console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/cognito`.
 * - Environment: `AUTH_COGNITO_ID`, `AUTH_COGNITO_SECRET`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { cognito } from "@x/auth/providers/cognito";
 *
 * const { handler } = createAuth({ providers: [cognito({ issuer: "https://cognito-idp.example.amazonaws.com/example" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-userpools-server-contract-reference.html | TODO}
 */
export function cognito<Id extends string = "cognito">(
  options: CognitoOptions<Id> = {},
): OidcProvider<CognitoProfile, Id> {
  return oidcProvider({
    id: "cognito",
    name: "Cognito",
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#C17B9E", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.sub),
      name: profile.name ?? profile.given_name ?? profile["cognito:username"] ?? profile.username,
      email: profile.email,
      image: profile.picture,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - issuer template https://cognito-idp.{region}.amazonaws.com/{user_pool_id}
// - notes: Hosted UI domain ({prefix}.auth.{region}.amazoncognito.com or custom) differs from the issuer host. email_verified is a boolean in the id_token but a string in userinfo. better-auth re-encodes scope spaces as %20. PKCE is not advertised in discovery although supported.
// - options: required ['issuer|domain+region+user_pool_id'] optional ['identity_provider']
// - revocation endpoint: https://{domain}/oauth2/revoke
// - aliases: ['amazon-cognito']
// - pkce: supported; docs https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-userpools-server-contract-reference.html
