/**
 * Sign in with Yahoo.
 *
 * @module
 */
import { joinName, textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at Yahoo. */
export interface YahooProfile extends Profile {
  /** URL of a picture. */
  picture?: string | null | undefined;
}

/**
 * Signs people in with Yahoo.
 *
 * - Register: {@link https://developer.yahoo.com/apps/ | My Apps}: create an app with the OpenID Connect permissions
 *   "Email" and "Profile". Its redirect URI is `https://<your site>/auth/callback/yahoo`.
 * - Environment: `AUTH_YAHOO_ID`, `AUTH_YAHOO_SECRET`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: an address with `email_verified`.
 * - Refresh: a refresh token comes with each sign-in; access tokens live an hour.
 * - Logout: no page for it.
 *
 * Redirect URIs must be https, and their port must be the registered one. Older apps are limited to the permissions
 * that were ticked when they were created.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { yahoo } from "@x/auth/providers/yahoo";
 *
 * const { handler } = createAuth({ providers: [yahoo()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.yahoo.com/sign-in-with-yahoo/ | Sign in with Yahoo}
 */
export function yahoo<const Id extends string = "yahoo">(
  options: OidcOptions<YahooProfile, Id> = {},
): OidcProvider<YahooProfile, Id> {
  return oidcProvider({
    id: "yahoo",
    name: "Yahoo",
    issuer: "https://api.login.yahoo.com",
    idToken: false,
    checks: ["state", "pkce", "nonce"],
    client: { id_token_signed_response_alg: "ES256" },
    style: {
      bg: "#6001D2",
      text: "#fff",
      mark:
        "m13.51 24s-.84-.15-1.52-.15c-.61 0-1.52.15-1.52.15l.19-10.19c-1.42-2.45-5.57-9.9-8.17-13.81 1.31.3 1.85.28 3.17 0l.02.04c1.65 2.92 4.18 7 6.31 10.53 2.11-3.47 5.43-8.89 6.33-10.57 1.02.27 2.05.26 3.19 0-1.2 1.62-5.57 9.17-8.2 13.81l.19 10.19z",
    },
    profile: ({ sub, name, given_name, family_name, nickname, email, picture }) => ({
      id: textId(sub),
      name: name || joinName(given_name, family_name) || nickname,
      email,
      image: picture,
    }),
  }, options);
}

export default yahoo;
