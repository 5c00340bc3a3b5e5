/**
 * Sign in with Logto.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OidcProvider } from "../contract/provider.ts";

/** The profile of a person at Logto. */
export interface LogtoProfile extends Profile {
  /** The name the person signs in with, if they have one. */
  username?: string | null | undefined;
  /** URL of a picture. */
  picture?: string | null | undefined;
}

/**
 * Signs people in with a tenant of Logto.
 *
 * - Register: {@link https://cloud.logto.io | Logto Console}: under "Applications", create a "Traditional web"
 *   application and enter the redirect URI `https://<your site>/auth/callback/logto`.
 * - Environment: `AUTH_LOGTO_ID`, `AUTH_LOGTO_SECRET`, `AUTH_LOGTO_ISSUER`.
 * - Scopes: `offline_access`, `openid`, `email`, `profile`.
 * - Email: the primary address of the account, if it has one, with `email_verified`. It is not a proof: Logto says true of
 *   every address, also of one that an administrator or another provider gave it. Set `vouches: "yes"` if all of yours
 *   are proven.
 * - Refresh: a refresh token comes if the parameter `prompt: "consent"` is set too.
 * - Logout: works with `logout: true`.
 *
 * The issuer is required: `https://<tenant>.logto.app/oidc`, or `https://<host>/oidc` of a Logto of your own.
 *
 * Logto signs with ES384. For a tenant whose signing key is RSA, set
 * `client: { id_token_signed_response_alg: "RS256" }`.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { logto } from "@x/auth/providers/logto";
 *
 * const { handler } = createAuth({ providers: [logto({ issuer: "https://example.logto.app/oidc" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The issuer, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.logto.io/quick-starts/next-auth | Sign-in with Logto}
 */
export function logto<const Id extends string = "logto">(
  options: OidcOptions<LogtoProfile, Id> = {},
): OidcProvider<LogtoProfile, Id> {
  return oidcProvider({
    id: "logto",
    name: "Logto",
    requiredOptions: ["issuer"],
    authorization: { params: { scope: "offline_access openid email profile" } },
    checks: ["state", "pkce", "nonce"],
    // `email_verified` is whether there is an address:
    // https://github.com/logto-io/logto/blob/master/packages/core/src/oidc/scope.ts
    vouches: "no",
    client: { id_token_signed_response_alg: "ES384" },
    style: { bg: "#24292f", text: "#fff" },
    profile: ({ sub, name, username, email, picture }) => ({
      id: textId(sub),
      name: name || username,
      email,
      image: picture,
    }),
  }, options);
}

export default logto;
