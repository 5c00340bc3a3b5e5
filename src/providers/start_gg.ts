/**
 * Sign in with start.gg.
 *
 * @module
 */
import { type ProfileContext, profileError, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at start.gg: the answer of its GraphQL API. */
export interface StartGgProfile extends Profile {
  /** The answer to the query. */
  data?: { readonly currentUser?: StartGgUser | null | undefined } | null | undefined;
}

/** The person in a {@linkcode StartGgProfile}. */
export interface StartGgUser {
  /** Account id. */
  readonly id?: number | string | null | undefined;
  /** Name, if the person shows it. */
  readonly name?: string | null | undefined;
  /** Email address, if the scope `user.email` was granted. */
  readonly email?: string | null | undefined;
  /** Pictures. */
  readonly images?: readonly ({ readonly url?: string | null | undefined } | null)[] | null | undefined;
  /** The player. */
  readonly player?: { readonly gamerTag?: string | null | undefined } | null | undefined;
}

/**
 * Signs people in with start.gg.
 *
 * - Register: {@link https://start.gg/admin/profile/developer | Developer settings}: create a client among the OAuth
 *   applications. Its redirect URI is `https://<your site>/auth/callback/start-gg`.
 * - Environment: `AUTH_START_GG_ID`, `AUTH_START_GG_SECRET`.
 * - Scopes: `user.identity`, `user.email`.
 * - Email: an address that nobody vouches for.
 * - Refresh: a refresh token comes with each sign-in. start.gg demands the redirect URI with it: set
 *   `token: { form: { redirect_uri: "https://<your site>/auth/callback/start-gg" } }`.
 * - Logout: no page for it.
 *
 * start.gg demands the scopes in token requests, too. If you request others, set them in `authorization.params.scope`
 * and in `token.form.scope`.
 *
 * With `id: "startgg"` accounts, callback URL and environment variables are those of applications that call the
 * provider so.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { startGg } from "@x/auth/providers/start-gg";
 *
 * const { handler } = createAuth({ providers: [startGg()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.start.gg/docs/oauth/oauth-overview | OAuth at start.gg}
 */
export function startGg<const Id extends string = "start-gg">(
  options: OAuthOptions<StartGgProfile, Id> = {},
): OAuthProvider<StartGgProfile, Id> {
  const scope = "user.identity user.email";
  return oauthProvider({
    id: "start-gg",
    name: "start.gg",
    authorization: { url: "https://start.gg/oauth/authorize", params: { scope } },
    token: {
      url: "https://api.start.gg/oauth/access_token",
      refreshUrl: "https://api.start.gg/oauth/refresh",
      form: { scope },
    },
    userinfo: { url: API, request: readProfile },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: {
      bg: "#2E75BA",
      text: "#fff",
      mark:
        "m6 0a6 6 0 0 0-6 6v5.25a.75.75 0 0 0 .75.75h4.5a.75.75 0 0 0 .75-.75v-4.5c0-.42.34-.75.75-.75h16.5a.75.75 0 0 0 .74-.75v-4.5a.74.74 0 0 0-.74-.75zm12.75 12a.75.75 0 0 0-.75.75v4.5a.75.75 0 0 1-.75.75h-16.5a.75.75 0 0 0-.75.75v4.5a.75.75 0 0 0 .75.75h17.25a6 6 0 0 0 6-6v-5.25a.75.75 0 0 0-.75-.75z",
    },
    profile: ({ data }) => ({
      id: textId(data?.currentUser?.id),
      name: data?.currentUser?.name || data?.currentUser?.player?.gamerTag,
      email: data?.currentUser?.email,
      image: data?.currentUser?.images?.[0]?.url,
    }),
  }, options);
}

const API = "https://api.start.gg/gql/alpha";

const QUERY = 'query { currentUser { id name email images(type: "profile") { url } player { gamerTag } } }';

// Errors have the status 200, too.
async function readProfile(context: ProfileContext): Promise<StartGgProfile> {
  const profile = await readJson<StartGgProfile>(context, API, { body: { query: QUERY } });
  if (profile.data?.currentUser) return profile;
  throw profileError(context, "answered without the person");
}

export default startGg;
