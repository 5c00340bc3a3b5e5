/**
 * Sign in with Hydra.
 *
 * @module
 */
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with Hydra.
 *
 * - Register: {@link https://www.ory.sh/docs/hydra/5min-tutorial | TODO: name of the console}: TODO what to click.
 *   The redirect URI is `https://<your site>/auth/callback/hydra`.
 * - Environment: `AUTH_HYDRA_ID`, `AUTH_HYDRA_SECRET`, `AUTH_HYDRA_ISSUER`.
 * - Scopes: `openid`, `profile`, `email`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { hydra } from "@x/auth/providers/hydra";
 *
 * const { handler } = createAuth({ providers: [hydra({ issuer: "example" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://www.ory.sh/docs/hydra/5min-tutorial | TODO}
 */
export function hydra<Id extends string = "hydra">(options: OidcOptions<Profile, Id> = {}): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "hydra",
    name: "Hydra",
    checks: ["state", "pkce", "nonce"],
    style: { bg: "#fff", text: "#0F172A" },
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - notes: Module name ory-hydra, provider id hydra. Default client auth is client_secret_basic. profile/email scopes must be allowed on the client and issued by the consent app.
// - revocation endpoint: {issuer}/oauth2/revoke
// - aliases: ['ory-hydra']
// - pkce: supported; docs https://www.ory.sh/docs/hydra/5min-tutorial
