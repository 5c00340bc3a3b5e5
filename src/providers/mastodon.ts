/**
 * Sign in with Mastodon.
 *
 * @module
 */
import { belowIssuer } from "../contract/endpoint_url.ts";
import { textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

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
 * an instance only: for a second instance, add the provider again with another `id`.
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
export function mastodon<const Id extends string = "mastodon">(
  options: OAuthOptions<MastodonProfile, Id> = {},
): OAuthProvider<MastodonProfile, Id> {
  const { issuer } = optionsFor("mastodon", options);
  return oauthProvider({
    id: "mastodon",
    name: "Mastodon",
    requiredOptions: ["issuer"],
    authorization: { url: belowIssuer(issuer, "/oauth/authorize"), params: { scope: "read" } },
    token: belowIssuer(issuer, "/oauth/token"),
    userinfo: belowIssuer(issuer, "/api/v1/accounts/verify_credentials"),
    checks: ["state", "pkce"],
    style: {
      bg: "#6364FF",
      text: "#000",
      mark:
        "m23.27 5.31c-.35-2.57-2.62-4.61-5.31-5-.45-.07-2.17-.31-6.15-.31h-.03c-3.98 0-4.83.24-5.29.31-2.61.38-4.99 2.21-5.57 4.82-.28 1.28-.31 2.71-.26 4.01.07 1.88.09 3.75.26 5.61.12 1.24.33 2.47.62 3.68.55 2.24 2.78 4.1 4.96 4.86 2.34.79 4.85.92 7.26.38.26-.06.52-.13.78-.21.59-.19 1.27-.39 1.78-.75a.06.06 0 0 0 .02-.05v-1.81a.05.05 0 0 0-.02-.04.05.05 0 0 0-.05-.01 20.28 20.28 0 0 1-4.7.55c-2.73 0-3.47-1.29-3.68-1.82a5.59 5.59 0 0 1-.32-1.43.05.05 0 0 1 .07-.06c1.52.36 3.07.55 4.63.55.38 0 .75 0 1.13-.01 1.57-.05 3.22-.13 4.76-.42.04-.01.08-.02.11-.03 2.44-.46 4.76-1.92 4.99-5.6.01-.15.03-1.52.03-1.67 0-.51.17-3.63-.02-5.55zm-3.75 9.2h-2.56v-6.22c0-1.31-.55-1.98-1.67-1.98-1.23 0-1.85.79-1.85 2.35v3.41h-2.54v-3.41c0-1.56-.62-2.35-1.85-2.35-1.11 0-1.67.67-1.67 1.98v6.22h-2.56v-6.41c0-1.31.34-2.35 1.01-3.12.7-.77 1.61-1.16 2.74-1.16 1.31 0 2.3.5 2.96 1.5l.64 1.06.64-1.06c.66-1 1.65-1.5 2.96-1.5 1.13 0 2.04.39 2.74 1.16.68.77 1.01 1.81 1.01 3.12z",
    },
    profile: ({ id, username, display_name, avatar_static, avatar }) => ({
      id: textId(id),
      name: username || display_name,
      email: null,
      image: avatar_static || avatar,
    }),
  }, options);
}

export default mastodon;
