/**
 * Sign in with Ping Identity.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at Ping Identity. */
export interface PingProfile extends Profile {
  /** Account id. */
  sub: string;
}

/**
 * Signs people in with an environment of PingOne.
 *
 * - Register: {@link https://console.pingone.com | PingOne}: in your environment, under "Applications", add an "OIDC
 *   Web App", enter the redirect URI `https://<your site>/auth/callback/ping-id`, allow the scopes `profile` and
 *   `email`, and switch the application on.
 * - Environment: `AUTH_PING_ID_ID`, `AUTH_PING_ID_SECRET`, `AUTH_PING_ID_ISSUER`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: the address of the person. `email_verified` is there if the application maps it.
 * - Refresh: a refresh token comes if the grant type "Refresh Token" is switched on in the application.
 * - Logout: works with `logout: true`.
 *
 * The issuer is required: `https://auth.pingone.<region>/<environment id>/as`. The region is `com` for North America,
 * `ca`, `eu`, `asia`, `com.au` or `sg`.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { pingId } from "@x/auth/providers/ping-id";
 *
 * const { handler } = createAuth({
 *   providers: [pingId({ issuer: "https://auth.pingone.com/5a0c1b2d-3e4f-4a5b-8c6d-7e8f9a0b1c2d/as" })],
 * });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The issuer, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.pingidentity.com/pingone-api/auth/introduction.html | OpenID Connect at PingOne}
 */
export function pingId<const Id extends string = "ping-id">(
  options: OidcOptions<PingProfile, Id> = {},
): OidcProvider<PingProfile, Id> {
  return oidcProvider({
    id: "ping-id",
    name: "Ping Identity",
    requiredOptions: ["issuer"],
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#24292f", text: "#fff" },
  }, options);
}

export default pingId;
