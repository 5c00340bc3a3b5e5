/**
 * Sign in with Box.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Box. */
export interface BoxProfile extends Profile {
  /** TODO. */
  login?: string | null | undefined;
  /** TODO. */
  avatar_url?: string | null | undefined;
}

/**
 * Signs people in with Box.
 *
 * - Register: {@link https://developer.box.com/guides/authentication/oauth2/ | TODO: name of the console}: TODO what
 *   to click. The redirect URI is `https://<your site>/auth/callback/box`.
 * - Environment: `AUTH_BOX_ID`, `AUTH_BOX_SECRET`.
 * - Scopes: none.
 * - Email: TODO path {"path": "$.login", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { box } from "@x/auth/providers/box";
 *
 * const { handler } = createAuth({ providers: [box()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.box.com/guides/authentication/oauth2/ | TODO}
 */
export function box<Id extends string = "box">(
  options: OAuthOptions<BoxProfile, Id> = {},
): OAuthProvider<BoxProfile, Id> {
  return oauthProvider({
    id: "box",
    name: "Box",
    authorization: { url: "https://account.box.com/api/oauth2/authorize", params: {} },
    token: "https://api.box.com/oauth2/token",
    userinfo: "https://api.box.com/2.0/users/me",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#0075C9", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: profile.name,
      email: profile.login,
      image: profile.avatar_url,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - no scope: `authorization.params.scope` must be "" (empty: none is sent) or the URL is enough; check that no scope is sent
// - notes: Scopes come from the app configuration when omitted. login is the primary email address.
// - optional scopes: ['root_readonly']
// - revocation endpoint: https://api.box.com/oauth2/revoke
// - pkce: unsupported; docs https://developer.box.com/guides/authentication/oauth2/
