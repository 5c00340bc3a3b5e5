/**
 * Sign in with Mastodon.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Mastodon. */
export interface MastodonProfile extends Profile {
  /** TODO. */
  username?: string | null | undefined;
  /** TODO. */
  display_name?: string | null | undefined;
  /** TODO. */
  avatar_static?: string | null | undefined;
  /** TODO. */
  avatar?: string | null | undefined;
}

/**
 * Signs people in with Mastodon.
 *
 * - Register: {@link https://docs.joinmastodon.org/methods/oauth/ | TODO: name of the console}: TODO what to click.
 *   The redirect URI is `https://<your site>/auth/callback/mastodon`.
 * - Environment: `AUTH_MASTODON_ID`, `AUTH_MASTODON_SECRET`, `AUTH_MASTODON_ISSUER`.
 * - Scopes: `read`.
 * - Email: TODO path null verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { mastodon } from "@x/auth/providers/mastodon";
 *
 * const { handler } = createAuth({ providers: [mastodon({ issuer: "https://id.example.com" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.joinmastodon.org/methods/oauth/ | TODO}
 */
export function mastodon<Id extends string = "mastodon">(
  options: OAuthOptions<MastodonProfile, Id> = {},
): OAuthProvider<MastodonProfile, Id> {
  return oauthProvider({
    id: "mastodon",
    name: "Mastodon",
    authorization: { url: "https://{host}/oauth/authorize", params: { scope: "read" } },
    token: "https://{host}/oauth/token",
    userinfo: "https://{host}/api/v1/accounts/verify_credentials",
    checks: ["state", "pkce"],
    style: { bg: "#6364FF", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: profile.username ?? profile.display_name,
      email: null,
      image: profile.avatar_static ?? profile.avatar,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - notes: Scope profile with userinfo {host}/oauth/userinfo exists from 4.3/4.4. RFC 8414 metadata at /.well-known/oauth-authorization-server from 4.3; PKCE from 4.3. Apps are registered per instance via POST /api/v1/apps. Arctic 3.7.0 wrongly inserts /api/v1 before /oauth. Ids are only unique per instance.
// - optional scopes: ['profile', 'read:accounts']
// - revocation endpoint: https://{host}/oauth/revoke
// - pkce: supported; docs https://docs.joinmastodon.org/methods/oauth/
