/**
 * Sign in with Kick.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** A person at Kick. */
export interface KickUser {
  /** Account id. */
  readonly user_id?: number | string | null | undefined;
  /** The user name. */
  readonly name?: string | null | undefined;
  /** Email address. */
  readonly email?: string | null | undefined;
  /** URL of a picture. */
  readonly profile_picture?: string | null | undefined;
}

/** The profile of a person at Kick. */
export interface KickProfile extends Profile {
  /** The person, alone in a list. */
  data?: readonly KickUser[] | null | undefined;
  /** What Kick says about its answer. */
  message?: string | undefined;
}

/**
 * Signs people in with Kick.
 *
 * - Register: {@link https://kick.com/settings/developer | Settings, Developer}: create an app with the scope
 *   `user:read`. Its redirect URL is `https://<your site>/auth/callback/kick`.
 * - Environment: `AUTH_KICK_ID`, `AUTH_KICK_SECRET`.
 * - Scopes: `user:read`.
 * - Email: an address that nobody vouches for.
 * - Refresh: a refresh token comes with each sign-in.
 * - Logout: no page for it.
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
 * @see {@link https://docs.kick.com/getting-started/generating-tokens-oauth2-flow | OAuth 2.1 at Kick}
 */
export function kick<const Id extends string = "kick">(
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
    style: {
      bg: "#53FC19",
      text: "#000",
      mark:
        "M1.333 0h8v5.333H12V2.667h2.667V0h8v8H20v2.667h-2.667v2.666H20V16h2.667v8h-8v-2.667H12v-2.666H9.333V24h-8Z",
    },
    profile: ({ data }) => ({
      id: textId(data?.[0]?.user_id),
      name: data?.[0]?.name,
      email: data?.[0]?.email,
      image: data?.[0]?.profile_picture,
    }),
  }, options);
}

export default kick;
