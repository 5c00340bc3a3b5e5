/**
 * Sign in with Twitch.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OidcOptions, type OidcProvider, oidcProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/**
 * Signs people in with Twitch.
 *
 * - Register: {@link https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/ | TODO: name of the console}:
 *   TODO what to click. The redirect URI is `https://<your site>/auth/callback/twitch`.
 * - Environment: `AUTH_TWITCH_ID`, `AUTH_TWITCH_SECRET`.
 * - Scopes: `openid`, `user:read:email`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.email_verified", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { twitch } from "@x/auth/providers/twitch";
 *
 * const { handler } = createAuth({ providers: [twitch()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/ | TODO}
 */
export function twitch<Id extends string = "twitch">(
  options: OidcOptions<Profile, Id> = {},
): OidcProvider<Profile, Id> {
  return oidcProvider({
    id: "twitch",
    name: "Twitch",
    issuer: "https://id.twitch.tv/oauth2",
    authorization: {
      params: {
        scope: "openid user:read:email",
        claims: '{"id_token":{"email":null,"email_verified":null,"picture":null,"preferred_username":null}}',
      },
    },
    checks: ["state", "nonce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#65459B", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.sub),
      name: profile.preferred_username,
      email: profile.email,
      image: profile.picture,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - token quirk: scope is an array instead of a space-separated string
// - token quirk: errors look like {"status":400,"message":"..."} without error code
// - notes: Claims must be requested explicitly; email_verified is not in the Auth.js claims set but in better-auth. Helix API calls need Client-Id.
// - revocation endpoint: https://id.twitch.tv/oauth2/revoke
// - pkce: unsupported; docs https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/
