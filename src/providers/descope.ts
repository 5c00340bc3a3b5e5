/**
 * Sign in with Descope.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at Descope. */
export interface DescopeProfile extends Profile {
  /** URL of a picture. */
  picture?: string | null | undefined;
  /** Whether Descope has verified the telephone number. */
  phone_number_verified?: boolean | undefined;
}

/**
 * Signs people in with a project of Descope.
 *
 * - Register: {@link https://app.descope.com/applications | Applications in the Descope Console}. The client id is the
 *   project id, or the last part of the issuer of a federated app. The client secret is an access key. Approve the
 *   redirect URL `https://<your site>/auth/callback/descope` in the application.
 * - Environment: `AUTH_DESCOPE_ID`, `AUTH_DESCOPE_SECRET` and `AUTH_DESCOPE_ISSUER`. The issuer is
 *   `https://api.descope.com/<project id>`. You can leave it out if you set `clientId` in the options, or give the
 *   factory itself: `providers: [descope]`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: the address of the account. `email_verified` is given to callbacks.
 * - Refresh: with the scope `offline_access`. The project says how long tokens live.
 * - Logout: `logout: true` works.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { descope } from "@x/auth/providers/descope";
 *
 * const { handler } = createAuth({
 *   providers: [descope({ issuer: "https://api.descope.com/P2abcDEFghiJKLmnoPQRstuVWXyz" })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.descope.com/auth-methods/sso/oidc | OpenID Connect at Descope}
 */
export function descope<const Id extends string = "descope">(
  options: OidcOptions<DescopeProfile, Id> = {},
): OidcProvider<DescopeProfile, Id> {
  const { issuer, clientId } = optionsFor("descope", options);
  return oidcProvider({
    id: "descope",
    name: "Descope",
    checks: ["state", "pkce", "nonce"],
    logoutFallback: { url: "/oauth2/v1/logout" },
    style: { bg: "#1C1C23", text: "#ffffff" },
    profile: ({ sub, name, nickname, preferred_username, email, picture }) => ({
      id: textId(sub),
      name: name || nickname || preferred_username,
      email,
      image: picture,
    }),
  }, { ...options, issuer: issuer ?? (clientId && `https://api.descope.com/${clientId}`) });
}

export default descope;
