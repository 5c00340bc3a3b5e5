/**
 * Sign in with Mastodon.
 *
 * @module
 */
import { belowIssuer } from "../contract/endpoint_url.ts";
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Mastodon. */
export interface MastodonProfile extends Profile {
  /** The name the person signs in with. */
  username?: string | null | undefined;
  /** The name of the account: `username`, and for an account of another server with that server. */
  acct?: string | null | undefined;
  /** The name to show. */
  display_name?: string | null | undefined;
  /** URL of a picture that does not move. */
  avatar_static?: string | null | undefined;
  /** URL of a picture, which may be animated. */
  avatar?: string | null | undefined;
  /** URL of the profile page. */
  url?: string | null | undefined;
}

/**
 * Signs people in with an instance of Mastodon.
 *
 * - Register: {@link https://mastodon.social/settings/applications | Development in the preferences of an account}, at
 *   the same path of every instance: create an application with the scope `read` and the redirect URI
 *   `https://<your site>/auth/callback/mastodon`.
 * - Environment: `AUTH_MASTODON_ID`, `AUTH_MASTODON_SECRET`, `AUTH_MASTODON_ISSUER`.
 * - Scopes: `read`. `read:accounts` is enough to sign in, if the application has it.
 * - Email: none.
 * - Refresh: no refresh token: access tokens do not expire.
 * - Logout: no page for it.
 *
 * The issuer is required: the URL of the instance, such as `https://mastodon.social`. Ids of people are unique within
 * an instance only: for a second instance, add the provider again with an `id` of its own.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { mastodon } from "@x/auth/providers/mastodon";
 *
 * const { handler } = createAuth({ providers: [mastodon({ issuer: "https://mastodon.social" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The URL of the instance, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.joinmastodon.org/methods/oauth/ | OAuth 2.0 at Mastodon}
 */
export function mastodon<Id extends string = "mastodon">(
  options: OAuthOptions<MastodonProfile, Id> = {},
): OAuthProvider<MastodonProfile, Id> {
  const { issuer } = options;
  return oauthProvider({
    id: "mastodon",
    name: "Mastodon",
    requiredOptions: ["issuer"],
    authorization: { url: belowIssuer(issuer, "/oauth/authorize"), params: { scope: "read" } },
    token: belowIssuer(issuer, "/oauth/token"),
    userinfo: belowIssuer(issuer, "/api/v1/accounts/verify_credentials"),
    checks: ["state", "pkce"],
    style: { bg: "#6364FF", text: "#000" },
    profile: ({ id, username, display_name, avatar_static, avatar }) => ({
      id: textId(id),
      name: username || display_name,
      email: null,
      image: avatar_static || avatar,
    }),
  }, options);
}
