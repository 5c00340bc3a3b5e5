/**
 * Sign in with Okta.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at Okta. */
export interface OktaProfile extends Profile {
  /** Account id. */
  sub: string;
  /** Full name. */
  name?: string | undefined;
  /** The name that the person signs in with. */
  preferred_username?: string | undefined;
  /** Email address. */
  email?: string | undefined;
  /** URL of a picture. */
  picture?: string | undefined;
  /** The groups of the person, if the authorization server has that claim. */
  groups?: string[] | undefined;
}

/**
 * Signs people in with an organization at Okta.
 *
 * - Register: {@link https://login.okta.com | Okta Admin Console}: under "Applications", create an app integration of
 *   the type "OIDC", "Web application", and enter the sign-in redirect URI `https://<your site>/auth/callback/okta`.
 * - Environment: `AUTH_OKTA_ID`, `AUTH_OKTA_SECRET`, `AUTH_OKTA_ISSUER`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: the address of the account, if it has one, with `email_verified`.
 * - Refresh: add the scope `offline_access`, and the grant type "Refresh Token" in the app. Access tokens live an hour
 *   unless the authorization server says otherwise.
 * - Logout: works with `logout: true`.
 *
 * The issuer is required and names the authorization server: `https://<your domain>/oauth2/default`, another one of
 * your organization, or `https://<your domain>` for that of the organization itself.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { okta } from "@x/auth/providers/okta";
 *
 * const { handler } = createAuth({ providers: [okta({ issuer: "https://example.okta.com/oauth2/default" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The issuer, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.okta.com/docs/api/openapi/okta-oauth/guides/overview/ | OpenID Connect at Okta}
 */
export function okta<const Id extends string = "okta">(
  options: OidcOptions<OktaProfile, Id> = {},
): OidcProvider<OktaProfile, Id> {
  return oidcProvider({
    id: "okta",
    name: "Okta",
    requiredOptions: ["issuer"],
    checks: ["state", "pkce", "nonce"],
    style: {
      bg: "#000",
      text: "#fff",
      mark:
        "m12 0c-6.61 0-12 5.35-12 12s5.35 12 12 12 12-5.35 12-12-5.39-12-12-12zm0 18c-3.32 0-6-2.68-6-6s2.68-6 6-6 6 2.68 6 6-2.68 6-6 6z",
    },
  }, options);
}

export default okta;
