/**
 * Sign in with Kick.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Kick. */
export interface KickProfile extends Profile {
  /** TODO. */
  data?:
    | readonly ({
      user_id?: string | null | undefined;
      name?: string | null | undefined;
      email?: string | null | undefined;
      profile_picture?: string | null | undefined;
    } | null)[]
    | null
    | undefined;
}

/**
 * Signs people in with Kick.
 *
 * - Register: {@link https://docs.kick.com/getting-started/generating-tokens-oauth2-flow | TODO: name of the
 *   console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/kick`.
 * - Environment: `AUTH_KICK_ID`, `AUTH_KICK_SECRET`.
 * - Scopes: `user:read`.
 * - Email: TODO path {"path": "$.data[0].email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { kick } from "@x/auth/providers/kick";
 *
 * const { handler } = createAuth({ providers: [kick()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.kick.com/getting-started/generating-tokens-oauth2-flow | TODO}
 */
export function kick<Id extends string = "kick">(
  options: OAuthOptions<KickProfile, Id> = {},
): OAuthProvider<KickProfile, Id> {
  return oauthProvider({
    id: "kick",
    name: "Kick",
    authorization: { url: "https://id.kick.com/oauth/authorize", params: { scope: "user:read" } },
    token: "https://id.kick.com/oauth/token",
    userinfo: "https://api.kick.com/public/v1/users",
    checks: ["state", "pkce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#53FC19", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.data?.[0]?.user_id),
      name: profile.data?.[0]?.name,
      email: profile.data?.[0]?.email,
      image: profile.data?.[0]?.profile_picture,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - revocation endpoint: https://id.kick.com/oauth/revoke
// - pkce: required; docs https://docs.kick.com/getting-started/generating-tokens-oauth2-flow
