/**
 * Sign in with Trakt.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Trakt. */
export interface TraktProfile extends Profile {
  /** Ids of the account. */
  ids?: { readonly slug?: string | null | undefined } | null | undefined;
  /** The user name. It can change. */
  username?: string | null | undefined;
  /** Whether the profile is private. */
  private?: boolean | undefined;
  /** Whether the person pays for Trakt. */
  vip?: boolean | undefined;
  /** Pictures. */
  images?:
    | { readonly avatar?: { readonly full?: string | null | undefined } | null | undefined }
    | null
    | undefined;
}

/**
 * Signs people in with Trakt.
 *
 * - Register: {@link https://trakt.tv/oauth/applications | Your API Apps}: create a new application. Its redirect URI
 *   is `https://<your site>/auth/callback/trakt`.
 * - Environment: `AUTH_TRAKT_ID`, `AUTH_TRAKT_SECRET`.
 * - Scopes: none.
 * - Email: none.
 * - Refresh: a refresh token comes with each sign-in.
 * - Logout: no page for it.
 *
 * The account id is the slug of the user name. It changes with the name, and somebody else may get a name that is free
 * again: do not protect with it what such a person must not see.
 *
 * Trakt does not allow pictures to be shown from its own address: copy them to your site.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { trakt } from "@x/auth/providers/trakt";
 *
 * const { handler } = createAuth({ providers: [trakt()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://trakt.docs.apiary.io/#reference/authentication-oauth | OAuth at Trakt}
 */
export function trakt<const Id extends string = "trakt">(
  options: OAuthOptions<TraktProfile, Id> = {},
): OAuthProvider<TraktProfile, Id> {
  return oauthProvider({
    id: "trakt",
    name: "Trakt",
    authorization: { url: "https://trakt.tv/oauth/authorize", params: { scope: "" } },
    token: "https://api.trakt.tv/oauth/token",
    userinfo: { url: USERINFO, request: readProfile },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: {
      bg: "#ED2224",
      text: "#000",
      mark:
        "m15.08 15.11-.73-.73 9.58-9.59a4.5 4.5 0 0 0-.11-.57l-10.16 10.16 1.08 1.08-.73.73-1.81-1.81 11.22-11.24c-.07-.15-.15-.3-.25-.44l-11.66 11.68 2.15 2.15-.73.73-7.19-7.2.73-.73 4.31 4.31 11.77-11.78a5.62 5.62 0 0 0-4.19-1.86h-12.72a5.64 5.64 0 0 0-5.64 5.63v12.74a5.63 5.63 0 0 0 5.64 5.63h12.73c3.11 0 5.63-2.52 5.63-5.63v-12.18l-8.91 8.92zm-4.31-2.16-3.96-3.96.73-.73 3.96 3.96zm1.07-1.08-3.95-3.96.73-.73 3.96 3.96zm9.86 5.69a4.14 4.14 0 0 1-4.14 4.14h-11.12a4.14 4.14 0 0 1-4.14-4.14v-11.12a4.14 4.14 0 0 1 4.14-4.14h10.39v1.04h-10.39c-1.71 0-3.1 1.39-3.1 3.1v11.11c0 1.71 1.39 3.11 3.1 3.11h11.12c1.71 0 3.1-1.4 3.1-3.11v-1.75h1.04v1.75z",
    },
    profile: ({ ids, name, username, images }) => ({
      id: textId(ids?.slug),
      name: name || username,
      email: null,
      image: images?.avatar?.full,
    }),
  }, options);
}

const USERINFO = "https://api.trakt.tv/users/me?extended=full";

function readProfile(context: ProfileContext): Promise<TraktProfile> {
  const { clientId } = context.provider;
  return readJson(context, USERINFO, { headers: { "trakt-api-version": "2", "trakt-api-key": clientId } });
}

export default trakt;
