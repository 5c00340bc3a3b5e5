/**
 * Sign in with ZITADEL.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at ZITADEL. */
export interface ZitadelProfile extends Profile {
  /** Id of the organization of the person, with the scope `urn:zitadel:iam:user:resourceowner`. */
  "urn:zitadel:iam:user:resourceowner:id"?: string | null | undefined;
  /** Roles of the person in the project, with the scope `urn:zitadel:iam:org:projects:roles`. */
  "urn:zitadel:iam:org:project:roles"?: Readonly<Record<string, unknown>> | null | undefined;
}

/**
 * Signs people in with an instance of ZITADEL, in its cloud or your own.
 *
 * - Register: {@link https://zitadel.com/docs/guides/integrate/login/oidc/login-users | ZITADEL Console}: open
 *   `https://<your instance>/ui/console`, create a project and in it an application of the type "Web" with the method
 *   "Code". Its redirect URI is `https://<your site>/auth/callback/zitadel`.
 * - Environment: `AUTH_ZITADEL_ID`, `AUTH_ZITADEL_SECRET`, `AUTH_ZITADEL_ISSUER`.
 * - Scopes: `openid`, `profile`, `email`; `offline_access` adds a refresh token.
 * - Email: an address with `email_verified`.
 * - Refresh: a refresh token comes with the scope `offline_access`, if the application has the grant type "Refresh
 *   Token".
 * - Logout: `logout: true` works. Add `https://<your site>/auth/signout/zitadel` to the post logout URIs.
 *
 * The issuer is required: `https://<your instance>`.
 *
 * An application with the method "PKCE" has no secret: leave it out, and set
 * `client: { token_endpoint_auth_method: "none" }`. Redirect URIs must be https unless the application is in
 * development mode.
 *
 * If the setting "User Info inside ID Token" is on, no further request for the profile is sent.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { zitadel } from "@x/auth/providers/zitadel";
 *
 * const { handler } = createAuth({ providers: [zitadel({ issuer: "https://example-abc123.zitadel.cloud" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The issuer, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://zitadel.com/docs/apis/openidoauth/endpoints | OpenID Connect at ZITADEL}
 */
export function zitadel<const Id extends string = "zitadel">(
  options: OidcOptions<ZitadelProfile, Id> = {},
): OidcProvider<ZitadelProfile, Id> {
  return oidcProvider({
    id: "zitadel",
    name: "ZITADEL",
    requiredOptions: ["issuer"],
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#333", text: "#fff" },
  }, options);
}

export default zitadel;
