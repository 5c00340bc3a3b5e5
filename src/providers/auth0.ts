/**
 * Sign in with Auth0.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at Auth0. */
export interface Auth0Profile extends Profile {
  /** Account id: the connection and the id in it, such as `google-oauth2|1`. */
  sub: string;
  /** Full name. */
  name?: string | undefined;
  /** Nickname. */
  nickname?: string | undefined;
  /** Email address. */
  email?: string | undefined;
  /** URL of a picture. */
  picture?: string | null | undefined;
  /** Id of the organization that the person signed in to, if any. */
  org_id?: string | undefined;
  /** Name of that organization. */
  org_name?: string | undefined;
}

/**
 * Signs people in with a tenant of Auth0.
 *
 * - Register: {@link https://manage.auth0.com | Auth0 Dashboard}. Under Applications, create a Regular Web Application.
 *   The allowed callback URL is `https://<your site>/auth/callback/auth0`.
 * - Environment: `AUTH_AUTH0_ID`, `AUTH_AUTH0_SECRET` and `AUTH_AUTH0_ISSUER`. The issuer is required: the URL of the
 *   tenant, such as `https://example.eu.auth0.com`, or of its custom domain.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: the address of the account. `email_verified` is given to callbacks.
 * - Refresh: with the scope `offline_access`. Access tokens live one day by default.
 * - Logout: `logout: true` works. Register `https://<your site>/auth/signout/auth0` as an allowed logout URL.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { auth0 } from "@x/auth/providers/auth0";
 *
 * const { handler } = createAuth({ providers: [auth0({ issuer: "https://example.eu.auth0.com" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The issuer, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://auth0.com/docs/authenticate | Authentication at Auth0}
 */
export function auth0<const Id extends string = "auth0">(
  options: OidcOptions<Auth0Profile, Id> = {},
): OidcProvider<Auth0Profile, Id> {
  return oidcProvider({
    id: "auth0",
    name: "Auth0",
    checks: ["state", "pkce", "nonce"],
    // The metadata of a tenant has an `end_session_endpoint` only if its settings say so.
    logoutFallback: { url: "/v2/logout", returnParam: "returnTo" },
    style: {
      bg: "#EB5424",
      text: "#000",
      mark:
        "m21.98 7.45-2.36-7.45h-15.27l-2.33 7.45c-1.35 4.31.03 9.2 3.81 12.01l6.18 4.54 6.15-4.55c3.76-2.81 5.19-7.69 3.82-12.02l-6.16 4.58 2.34 7.45-6.16-4.59-6.15 4.58 2.35-7.44-6.18-4.55 7.63-.04 2.36-7.42 2.35 7.4 7.62.05z",
    },
    profile: ({ sub, name, nickname, preferred_username, email, picture }) => ({
      id: textId(sub),
      name: name ?? nickname ?? preferred_username,
      email,
      image: picture,
    }),
  }, options);
}

export default auth0;
