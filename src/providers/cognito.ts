/**
 * Sign in with Amazon Cognito.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

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
  const { region, userPoolId, identityProvider, issuer, ...overrides } = optionsFor("cognito", options);
  const pool = region && userPoolId ? `https://cognito-idp.${region}.amazonaws.com/${userPoolId}` : undefined;
  return oidcProvider({
    id: "cognito",
    name: "Cognito",
    authorization: { params: { identity_provider: identityProvider } },
    checks: ["state", "pkce", "nonce"],
    style: {
      bg: "#C17B9E",
      text: "#000",
      mark:
        "m6.8 10c0 .3 0 .6.1.7 0 .2.1.4.2.6a.3.3 0 0 1 .1.2q0 .1-.2.2l-.5.4a.4.4 0 0 1-.2.1q-.1 0-.2-.2a2.3 2.3 0 0 1-.3-.3 5.3 5.3 0 0 1-.3-.5q-.9 1.1-2.3 1.1c-.7 0-1.2-.2-1.6-.6-.4-.4-.6-.9-.6-1.5 0-.7.2-1.2.7-1.7s1.2-.6 2-.6c.2 0 .5 0 .8.1.3 0 .6.1.9.2v-.6q0-.9-.3-1.3c-.3-.2-.7-.4-1.3-.4-.3 0-.6.1-.9.1a6.8 6.8 0 0 0-.9.3c-.1.1-.1.1-.2.1a.8.8 0 0 1-.2 0q-.1 0-.1-.2v-.4c0-.1 0-.2 0-.3a.6.6 0 0 1 .2-.1 4.5 4.5 0 0 1 1-.4 4.8 4.8 0 0 1 1.3-.2c.9 0 1.6.3 2.1.7.4.4.6 1.1.6 1.9v2.6zm-3.3 1.3q.4 0 .8-.2a1.7 1.7 0 0 0 .8-.5c.1-.2.2-.3.3-.5s.1-.4.1-.7v-.3a6.8 6.8 0 0 0-.8-.2 6 6 0 0 0-.7 0c-.6 0-1 .1-1.2.3-.3.2-.4.5-.4.9 0 .4.1.7.3.9q.3.3.8.2zm6.4.8c-.1 0-.2 0-.3-.1 0 0-.1-.1-.1-.3l-1.9-6.1a1.4 1.4 0 0 1-.1-.4c0-.1.1-.2.2-.2h.8c.1 0 .2.1.3.1.1.1.1.2.2.3l1.3 5.3 1.2-5.3c.1-.1.1-.2.2-.3a.5.5 0 0 1 .3-.1h.7c.1 0 .2.1.3.1 0 .1.1.2.1.3l1.3 5.4 1.4-5.4q0-.2.1-.3a.5.5 0 0 1 .3-.1h.8c.1 0 .2.1.2.2 0 .1 0 .1 0 .2a1.5 1.5 0 0 1-.1.2l-1.9 6.1q-.1.3-.2.3a.5.5 0 0 1-.3.1h-.7c-.1 0-.2 0-.3-.1-.1 0-.1-.1-.1-.3l-1.3-5.1-1.2 5.1c0 .2-.1.3-.2.3 0 .1-.1.1-.3.1zm10.3.2c-.4 0-.8 0-1.2-.1s-.7-.2-1-.3c-.1-.1-.2-.2-.2-.3a.5.5 0 0 1-.1-.2v-.4c0-.2.1-.2.2-.2q.1 0 .2 0c0 0 .1 0 .2.1q.4.1.9.2c.3.1.6.1.9.1.5 0 .9 0 1.2-.2.2-.2.4-.5.4-.8a.8.8 0 0 0-.2-.5c-.2-.2-.4-.3-.8-.5l-1.2-.3c-.6-.2-1-.5-1.3-.8a1.9 1.9 0 0 1-.4-1.2c0-.3.1-.6.2-.9.2-.2.4-.4.6-.6a2.5 2.5 0 0 1 .8-.4c.4-.1.7-.2 1.1-.2.1 0 .3 0 .5.1.2 0 .3 0 .5 0 .2.1.3.1.5.2s.2.1.3.1a.7.7 0 0 1 .2.2.4.4 0 0 1 .1.3v.4c0 .1-.1.2-.2.2a.8.8 0 0 1-.3-.1 3.6 3.6 0 0 0-1.5-.3c-.5 0-.8.1-1.1.2-.2.2-.3.4-.3.7 0 .3 0 .5.2.6s.5.3.9.4l1.1.4c.6.2 1 .4 1.2.8.3.3.4.7.4 1.1 0 .3-.1.6-.2.9a2.3 2.3 0 0 1-.6.7c-.2.2-.5.4-.9.5a3.9 3.9 0 0 1-1.1.1zm1.5 3.9c-2.6 1.9-6.4 3-9.7 3-4.6 0-8.8-1.7-11.9-4.6-.2-.2 0-.5.3-.3 3.4 2 7.5 3.2 11.9 3.2 2.9 0 6.1-.7 9-1.9.5-.2.8.3.4.6zm1.1-1.2c-.3-.5-2.2-.2-3.1-.1-.2 0-.3-.2 0-.4 1.5-1.1 3.9-.8 4.2-.4.3.4-.1 2.8-1.5 4-.2.2-.4.1-.3-.1.3-.8 1-2.6.7-3z",
    },
    profile: (profile) => ({
      id: textId(profile.sub),
      name: profile.name || profile.given_name || profile["cognito:username"] || profile.username,
      email: profile.email,
      image: profile.picture,
    }),
  }, { ...overrides, issuer: issuer ?? pool });
}

export default cognito;
