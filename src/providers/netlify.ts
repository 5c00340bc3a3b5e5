/**
 * Sign in with Netlify.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Netlify. */
export interface NetlifyProfile extends Profile {
  /** TODO. */
  full_name?: string | null | undefined;
  /** TODO. */
  avatar_url?: string | null | undefined;
}

/**
 * Signs people in with Netlify.
 *
 * - Register: {@link https://docs.netlify.com/api/get-started/#authentication | TODO: name of the console}: TODO what
 *   to click. The redirect URI is `https://<your site>/auth/callback/netlify`.
 * - Environment: `AUTH_NETLIFY_ID`, `AUTH_NETLIFY_SECRET`.
 * - Scopes: none.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { netlify } from "@x/auth/providers/netlify";
 *
 * const { handler } = createAuth({ providers: [netlify()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.netlify.com/api/get-started/#authentication | TODO}
 */
export function netlify<Id extends string = "netlify">(
  options: OAuthOptions<NetlifyProfile, Id> = {},
): OAuthProvider<NetlifyProfile, Id> {
  return oauthProvider({
    id: "netlify",
    name: "Netlify",
    authorization: { url: "https://app.netlify.com/authorize", params: {} },
    token: "https://api.netlify.com/oauth/token",
    userinfo: "https://api.netlify.com/api/v1/user",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#32e6e2", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: profile.full_name,
      email: profile.email,
      image: profile.avatar_url,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - no scope: `authorization.params.scope` must be "" (empty: none is sent) or the URL is enough; check that no scope is sent
// - pkce: undocumented; docs https://docs.netlify.com/api/get-started/#authentication
