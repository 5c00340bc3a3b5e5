/**
 * Sign in with Asgardeo.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

const ORGANIZATION = /^https:\/\/api\.(?:\w+\.)?asgardeo\.io\/t\/[^/]+\/?$/;

/** The profile of a person at Asgardeo. */
export interface AsgardeoProfile extends Profile {
  /** URL of a picture. */
  picture?: string | null | undefined;
  /** Id of the organization that the person belongs to. */
  org_id?: string | undefined;
  /** Name of that organization. */
  org_name?: string | undefined;
  /** The groups of the person, if the application requests them. */
  groups?: readonly string[] | undefined;
}

/**
 * Signs people in with an organization of Asgardeo, the identity service of WSO2.
 *
 * - Register: {@link https://console.asgardeo.io | Asgardeo Console}. Under Applications, make a Traditional Web
 *   Application with OpenID Connect. The authorized redirect URL is `https://<your site>/auth/callback/asgardeo`. Under
 *   User Attributes, request the name, the email address and the picture, or people have none here.
 * - Environment: `AUTH_ASGARDEO_ID`, `AUTH_ASGARDEO_SECRET` and `AUTH_ASGARDEO_ISSUER`. The issuer is required: it is
 *   on the Info tab of the application, such as `https://api.asgardeo.io/t/<organization>/oauth2/token`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: the address of the account. `email_verified` is given to callbacks if the application requests that
 *   attribute.
 * - Refresh: a refresh token comes with each sign-in if the application has the grant type Refresh Token.
 * - Logout: `logout: true` works: the metadata has an `end_session_endpoint`. Register
 *   `https://<your site>/auth/signout/asgardeo` as an authorized redirect URL, too.
 *
 * The option `issuer` may end with the organization, as it does for Auth.js.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { asgardeo } from "@x/auth/providers/asgardeo";
 *
 * const { handler } = createAuth({
 *   providers: [asgardeo({ issuer: "https://api.asgardeo.io/t/example/oauth2/token" })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The issuer, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://wso2.com/asgardeo/docs/guides/authentication | Authentication at Asgardeo}
 */
export function asgardeo<const Id extends string = "asgardeo">(
  options: OidcOptions<AsgardeoProfile, Id> = {},
): OidcProvider<AsgardeoProfile, Id> {
  const { issuer } = optionsFor("asgardeo", options);
  return oidcProvider({
    id: "asgardeo",
    name: "Asgardeo",
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#000", text: "#fff" },
    profile: ({ sub, name, nickname, preferred_username, email, picture }) => ({
      id: textId(sub),
      name: name || nickname || preferred_username,
      email,
      image: picture,
    }),
  }, {
    ...options,
    issuer: issuer && ORGANIZATION.test(issuer) ? `${issuer.replace(/\/$/, "")}/oauth2/token` : issuer,
  });
}

export default asgardeo;
