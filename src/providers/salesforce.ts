/**
 * Sign in with Salesforce.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at Salesforce. */
export interface SalesforceProfile extends Profile {
  /** Id of the person. `sub` is a URL with this at its end. */
  user_id?: string | null | undefined;
  /** Id of the organization. */
  organization_id?: string | null | undefined;
  /** URL of a picture. */
  picture?: string | null | undefined;
  /** URLs of pictures. */
  photos?:
    | {
      /** A picture. */
      readonly picture?: string | null | undefined;
      /** A small picture. */
      readonly thumbnail?: string | null | undefined;
    }
    | null
    | undefined;
}

/** Options of {@linkcode salesforce}. */
export interface SalesforceOptions<Id extends string = string> extends OidcOptions<SalesforceProfile, Id> {
  /** The name in My Domain: `example` for `https://example.my.salesforce.com`. @default none */
  domain?: string | undefined;
}

/**
 * Signs people in with Salesforce.
 *
 * - Register: {@link https://login.salesforce.com | Salesforce}: in "Setup", create an External Client App with OAuth,
 *   the scopes for `openid`, `profile` and `email`, and the callback URL
 *   `https://<your site>/auth/callback/salesforce`.
 * - Environment: `AUTH_SALESFORCE_ID`, `AUTH_SALESFORCE_SECRET`, `AUTH_SALESFORCE_ISSUER`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: the address of the account, with `email_verified`.
 * - Refresh: add the scope `refresh_token`. Access tokens live as long as sessions in the organization.
 * - Logout: works with `logout: true` if the app has single logout.
 *
 * Set `domain`, or the issuer `https://<domain>.my.salesforce.com`, if people sign in at My Domain, and the issuer
 * `https://test.salesforce.com` for sandboxes. Without them it is `https://login.salesforce.com`.
 *
 * The picture needs a session at Salesforce: other people do not see it.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { salesforce } from "@x/auth/providers/salesforce";
 *
 * const { handler } = createAuth({ providers: [salesforce()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options Whose accounts these are, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://help.salesforce.com/s/articleView?id=sf.remoteaccess_using_openid.htm | OpenID Connect at Salesforce}
 */
export function salesforce<const Id extends string = "salesforce">(
  options: SalesforceOptions<Id> = {},
): OidcProvider<SalesforceProfile, Id> {
  const { domain, issuer = domain && `https://${domain}.my.salesforce.com` } = optionsFor("salesforce", options);
  return oidcProvider({
    id: "salesforce",
    name: "Salesforce",
    issuer: "https://login.salesforce.com",
    idToken: false,
    checks: ["state", "pkce", "nonce"],
    style: {
      bg: "#00a1e0",
      text: "#000",
      mark:
        "m10 5.41a4.21 4.21 0 0 1 3.05-1.3c1.56 0 2.96.9 3.69 2.21.63-.3 1.35-.46 2.1-.46 2.85 0 5.16 2.34 5.16 5.23 0 2.88-2.31 5.21-5.18 5.21a5.47 5.47 0 0 1-1.01-.1 3.75 3.75 0 0 1-3.3 1.95 3.97 3.97 0 0 1-1.65-.37 4.32 4.32 0 0 1-3.98 2.62 4.3 4.3 0 0 1-4.05-2.82 3.75 3.75 0 0 1-.82.08c-2.21 0-4.01-1.8-4.01-4.05 0-1.5.81-2.81 2.01-3.51a4.57 4.57 0 0 1-.39-1.85c0-2.58 2.1-4.65 4.65-4.65 1.53 0 2.85.71 3.72 1.8z",
    },
    profile: ({ sub, name, nickname, preferred_username, email, picture, photos }) => ({
      id: textId(sub),
      name: name || nickname || preferred_username,
      email,
      image: picture || photos?.picture || photos?.thumbnail,
    }),
  }, { ...options, issuer });
}

export default salesforce;
