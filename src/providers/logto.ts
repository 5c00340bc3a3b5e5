/**
 * Sign in with Logto.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Logto. */
export interface LogtoProfile extends Profile {
  /** TODO. */
  username?: string | null | undefined;
}

/**
 * Signs people in with Logto.
 *
 * - Register: {@link https://docs.logto.io/quick-starts/next-auth | TODO: name of the console}: TODO what to click.
 *   The redirect URI is `https://<your site>/auth/callback/logto`.
 * - Environment: `AUTH_LOGTO_ID`, `AUTH_LOGTO_SECRET`, `AUTH_LOGTO_ISSUER`.
 * - Scopes: `offline_access`, `openid`, `email`, `profile`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
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
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.logto.io/quick-starts/next-auth | TODO}
 */
export function logto<Id extends string = "logto">(
  options: OidcOptions<LogtoProfile, Id> = {},
): OidcProvider<LogtoProfile, Id> {
  return oidcProvider({
    id: "logto",
    name: "Logto",
    authorization: { params: { scope: "offline_access openid email profile" } },
    checks: ["state", "pkce", "nonce"],
    client: { id_token_signed_response_alg: "ES384" },
    profile: (profile) => ({
      id: textId(profile.sub),
      name: profile.name ?? profile.username,
      email: profile.email,
      image: profile.picture,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - no brand colours: choose neutral ones
// - notes: Cloud tenants sign with ES384 by default, so the client must allow it; self-hosted base URL replaces the host. offline_access also needs prompt=consent.
// - revocation endpoint: https://{tenant_id}.logto.app/oidc/token/revocation
// - pkce: supported; docs https://docs.logto.io/quick-starts/next-auth
