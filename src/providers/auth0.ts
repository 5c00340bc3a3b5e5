/**
 * Sign in with Auth0.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Auth0. */
export interface Auth0Profile extends Profile {
  /** URL of a picture. */
  picture?: string | null | undefined;
  /** Id of the organization that the person signed in to, if any. */
  org_id?: string | undefined;
}

/**
 * Signs people in with a tenant of Auth0.
 *
 * Reads `AUTH_AUTH0_ID`, `AUTH_AUTH0_SECRET` and `AUTH_AUTH0_ISSUER`. The issuer is required: the URL of the tenant,
 * such as `https://example.eu.auth0.com`, or of its custom domain. The callback URL to register is
 * `https://<your site>/auth/callback/auth0`.
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
export function auth0(options: OidcOptions<Auth0Profile> = {}): OidcProvider<Auth0Profile> {
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
        "M21.98 7.448L19.62 0H4.347L2.02 7.448c-1.352 4.312.03 9.206 3.815 12.015L12.007 24l6.157-4.552c3.755-2.81 5.182-7.688 3.815-12.015l-6.16 4.58 2.343 7.45-6.157-4.597-6.158 4.58 2.358-7.433-6.188-4.55 7.63-.045L12.008 0l2.356 7.404 7.615.044z",
    },
    profile: ({ sub, name, nickname, preferred_username, email, picture }) => ({
      id: sub || undefined,
      name: name ?? nickname ?? preferred_username,
      email,
      image: picture,
    }),
  }, options);
}
