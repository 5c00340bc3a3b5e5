/**
 * Sign in with Concept2.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Concept2. */
export interface Concept2Profile extends Profile {
  /** TODO. */
  data?:
    | {
      id?: string | null | undefined;
      username?: string | null | undefined;
      email?: string | null | undefined;
      profile_image?: string | null | undefined;
    }
    | null
    | undefined;
}

/**
 * Signs people in with Concept2.
 *
 * - Register: {@link https://log.concept2.com/developers/documentation/ | TODO: name of the console}: TODO what to
 *   click. The redirect URI is `https://<your site>/auth/callback/concept2`.
 * - Environment: `AUTH_CONCEPT2_ID`, `AUTH_CONCEPT2_SECRET`.
 * - Scopes: `user:read`.
 * - Email: TODO path {"path": "$.data.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { concept2 } from "@x/auth/providers/concept2";
 *
 * const { handler } = createAuth({ providers: [concept2()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://log.concept2.com/developers/documentation/ | TODO}
 */
export function concept2<Id extends string = "concept2">(
  options: OAuthOptions<Concept2Profile, Id> = {},
): OAuthProvider<Concept2Profile, Id> {
  return oauthProvider({
    id: "concept2",
    name: "Concept2",
    authorization: {
      url: "https://log.concept2.com/oauth/authorize",
      params: { scope: "user:read" },
      scopeSeparator: ",",
    },
    token: "https://log.concept2.com/oauth/access_token",
    userinfo: "https://log.concept2.com/api/users/me",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    profile: (profile) => ({
      id: textId(profile.data?.id),
      name: profile.data?.username,
      email: profile.data?.email,
      image: profile.data?.profile_image,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - no brand colours: choose neutral ones
// - notes: Comma-separated scopes. Auth.js asks for results:write, which sign-in does not need.
// - optional scopes: ['results:read']
// - pkce: undocumented; docs https://log.concept2.com/developers/documentation/
