/**
 * Sign in with Threads.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Threads. */
export interface ThreadsProfile extends Profile {
  /** TODO. */
  username?: string | null | undefined;
  /** TODO. */
  threads_profile_picture_url?: string | null | undefined;
}

/**
 * Signs people in with Threads.
 *
 * - Register: {@link https://developers.facebook.com/docs/threads/get-started/get-access-tokens-and-permissions |
 *   TODO: name of the console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/threads`.
 * - Environment: `AUTH_THREADS_ID`, `AUTH_THREADS_SECRET`.
 * - Scopes: `threads_basic`.
 * - Email: TODO path null verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { threads } from "@x/auth/providers/threads";
 *
 * const { handler } = createAuth({ providers: [threads()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.facebook.com/docs/threads/get-started/get-access-tokens-and-permissions | TODO}
 */
export function threads<Id extends string = "threads">(
  options: OAuthOptions<ThreadsProfile, Id> = {},
): OAuthProvider<ThreadsProfile, Id> {
  return oauthProvider({
    id: "threads",
    name: "Threads",
    authorization: {
      url: "https://threads.net/oauth/authorize",
      params: { scope: "threads_basic" },
      scopeSeparator: ",",
    },
    token: "https://graph.threads.net/oauth/access_token",
    userinfo: "https://graph.threads.net/v1.0/me?fields=id,username,name,threads_profile_picture_url",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#000", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: profile.username ?? profile.name,
      email: null,
      image: profile.threads_profile_picture_url,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - token quirk: documented sample: access_token and user_id only, no token_type
// - notes: Profile is a flat object (vendor sample); Auth.js destructures a non-existent data wrapper. Newer vendor pages use the hosts threads.com and graph.threads.com. Redirect URI must be https.
// - pkce: unsupported; docs https://developers.facebook.com/docs/threads/get-started/get-access-tokens-and-permissions
