/**
 * Sign in with Concept2.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Concept2. */
export interface Concept2Profile extends Profile {
  /** The account. */
  data?: {
    readonly id?: number | string;
    readonly username?: string | null;
    readonly first_name?: string | null;
    readonly last_name?: string | null;
    readonly email?: string | null;
    readonly country?: string | null;
    readonly dob?: string | null;
    readonly gender?: string | null;
    readonly profile_image?: string | null;
  } | undefined;
}

/**
 * Signs people in with the Logbook of Concept2, where rowers record their workouts.
 *
 * - Register: {@link https://log.concept2.com/developers/keys | API keys at the Logbook}. Create an application. The
 *   redirect URI is `https://<your site>/auth/callback/concept2`.
 * - Environment: `AUTH_CONCEPT2_ID`, `AUTH_CONCEPT2_SECRET`.
 * - Scopes: `user:read`. For the workouts of the person, add `results:read`.
 * - Email: the address of the account. Concept2 does not say whether it is verified.
 * - Refresh: a refresh token comes with each sign-in.
 * - Logout: no page for it.
 *
 * Concept2 separates scopes by commas. Write them with spaces here.
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
 * @see {@link https://log.concept2.com/developers/documentation/ | OAuth 2.0 at Concept2}
 */
export function concept2<const Id extends string = "concept2">(
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
    style: { bg: "#fff", text: "#000" },
    profile: ({ data }) => ({
      id: textId(data?.id),
      name: data?.username,
      email: data?.email,
      image: data?.profile_image,
    }),
  }, options);
}

export default concept2;
