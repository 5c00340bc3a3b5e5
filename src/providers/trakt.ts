/**
 * Sign in with Trakt.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

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
export function trakt<Id extends string = "trakt">(
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
    style: { bg: "#ED2224", text: "#fff" },
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
