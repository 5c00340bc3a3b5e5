/**
 * Sign in with Amazon Cognito.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person in a user pool. */
export interface CognitoProfile extends Profile {
  /** Account id. */
  sub: string;
  /** Full name. */
  name?: string | undefined;
  /** Email address. */
  email?: string | undefined;
  /** The user name in the pool. */
  "cognito:username"?: string | undefined;
  /** The groups that the person belongs to. */
  "cognito:groups"?: readonly string[] | undefined;
  /** What the userinfo endpoint calls the user name. */
  username?: string | undefined;
  /** URL of a picture. */
  picture?: string | null | undefined;
}

/** Options of {@linkcode cognito}. */
export interface CognitoOptions<Id extends string = string> extends OidcOptions<CognitoProfile, Id> {
  /** Region of the user pool, such as `eu-west-1`. */
  region?: string | undefined;
  /** Id of the user pool. It begins with the region. */
  userPoolId?: string | undefined;
  /** Where people sign in without the page of Cognito, such as `Google` or the name of a SAML provider of the pool. */
  identityProvider?: string | undefined;
}

/**
 * Signs people in with a user pool of Amazon Cognito.
 *
 * - Register: {@link https://console.aws.amazon.com/cognito/v2/idp/user-pools | User pools in the AWS console}. In a
 *   user pool with a domain, create an app client with a secret, the grant type Authorization code and the OpenID
 *   Connect scopes `openid`, `profile` and `email`. The allowed callback URL is
 *   `https://<your site>/auth/callback/cognito`.
 * - Environment: `AUTH_COGNITO_ID`, `AUTH_COGNITO_SECRET` and `AUTH_COGNITO_ISSUER`. The issuer is required:
 *   `https://cognito-idp.<region>.amazonaws.com/<id of the user pool>`. Or set `region` and `userPoolId`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: the address of the person. `email_verified` is given to callbacks. It is a boolean, or text if it comes from
 *   the userinfo endpoint.
 * - Refresh: a refresh token comes with each sign-in. By default access tokens live one hour, and refresh tokens 30
 *   days.
 * - Logout: `logout: { returnParam: "logout_uri" }` works. Register `https://<your site>/auth/signout/cognito` as an
 *   allowed sign-out URL.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { cognito } from "@x/auth/providers/cognito";
 *
 * const { handler } = createAuth({ providers: [cognito({ region: "eu-west-1", userPoolId: "eu-west-1_AbCdEfGhI" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The user pool, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-userpools-server-contract-reference.html | OpenID Connect at Cognito}
 */
export function cognito<const Id extends string = "cognito">(
  options: CognitoOptions<Id> = {},
): OidcProvider<CognitoProfile, Id> {
  const { region, userPoolId, identityProvider, issuer, ...overrides } = options;
  const pool = region && userPoolId ? `https://cognito-idp.${region}.amazonaws.com/${userPoolId}` : undefined;
  return oidcProvider({
    id: "cognito",
    name: "Cognito",
    authorization: { params: { identity_provider: identityProvider } },
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#C17B9E", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.sub),
      name: profile.name || profile.given_name || profile["cognito:username"] || profile.username,
      email: profile.email,
      image: profile.picture,
    }),
  }, { ...overrides, issuer: issuer ?? pool });
}

export default cognito;
