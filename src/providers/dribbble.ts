/**
 * Sign in with Dribbble.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Dribbble. */
export interface DribbbleProfile extends Profile {
  /** TODO. */
  login?: string | null | undefined;
  /** TODO. */
  avatar_url?: string | null | undefined;
}

/** Options of {@linkcode dribbble}. */
export interface DribbbleOptions<Id extends string = string> extends OAuthOptions<DribbbleProfile, Id> {
  /** TODO. */
  scope?: string | undefined;
}

/**
 * Signs people in with Dribbble.
 *
 * - Register: {@link https://developer.dribbble.com/v2/oauth/ | TODO: name of the console}: TODO what to click. The
 *   redirect URI is `https://<your site>/auth/callback/dribbble`.
 * - Environment: `AUTH_DRIBBBLE_ID`, `AUTH_DRIBBBLE_SECRET`.
 * - Scopes: `public`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { dribbble } from "@x/auth/providers/dribbble";
 *
 * const { handler } = createAuth({ providers: [dribbble()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.dribbble.com/v2/oauth/ | TODO}
 */
export function dribbble<Id extends string = "dribbble">(
  options: DribbbleOptions<Id> = {},
): OAuthProvider<DribbbleProfile, Id> {
  return oauthProvider({
    id: "dribbble",
    name: "Dribbble",
    authorization: { url: "https://dribbble.com/oauth/authorize", params: { scope: "public" } },
    token: "https://dribbble.com/oauth/token",
    userinfo: "https://api.dribbble.com/v2/user",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#000", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: profile.name ?? profile.login,
      email: profile.email,
      image: profile.avatar_url,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - notes: email is usually not returned by the v2 user resource. Auth.js passes the scope option through and sends the literal text undefined when it is missing.
// - options: required [] optional ['scope']
// - pkce: unsupported; docs https://developer.dribbble.com/v2/oauth/
