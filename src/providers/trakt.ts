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
  /** TODO. */
  ids?:
    | {
      slug?: string | null | undefined;
    }
    | null
    | undefined;
  /** TODO. */
  username?: string | null | undefined;
  /** TODO. */
  images?:
    | {
      avatar?:
        | {
          full?: string | null | undefined;
        }
        | null
        | undefined;
    }
    | null
    | undefined;
}

/**
 * Signs people in with Trakt.
 *
 * - Register: {@link https://trakt.docs.apiary.io/#reference/authentication-oauth | TODO: name of the console}: TODO
 *   what to click. The redirect URI is `https://<your site>/auth/callback/trakt`.
 * - Environment: `AUTH_TRAKT_ID`, `AUTH_TRAKT_SECRET`.
 * - Scopes: none.
 * - Email: TODO path null verified null
 * - Refresh: TODO.
 * - Logout: TODO.
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
 * @see {@link https://trakt.docs.apiary.io/#reference/authentication-oauth | TODO}
 */
export function trakt<Id extends string = "trakt">(
  options: OAuthOptions<TraktProfile, Id> = {},
): OAuthProvider<TraktProfile, Id> {
  return oauthProvider({
    id: "trakt",
    name: "Trakt",
    authorization: { url: "https://trakt.tv/oauth/authorize", params: {} },
    token: "https://api.trakt.tv/oauth/token",
    userinfo: { url: "https://api.trakt.tv/users/me?extended=full", request: readProfile },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#ED2224", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.ids?.slug),
      name: profile.name ?? profile.username,
      email: null,
      image: profile.images?.avatar?.full,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<TraktProfile> {
  const profile = await readJson<TraktProfile>(context, "https://api.trakt.tv/users/me?extended=full");
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - no scope: `authorization.params.scope` must be "" (empty: none is sent) or the URL is enough; check that no scope is sent
// - userinfo quirks: {"headers": {"trakt-api-version": "2", "trakt-api-key": "{client_id}", "User-Agent": "recommended"}}
// - notes: Hotlinking avatars is not allowed. No email. slug can change with the username. Token body may be JSON or form.
// - revocation endpoint: https://api.trakt.tv/oauth/revoke
// - pkce: undocumented; docs https://trakt.docs.apiary.io/#reference/authentication-oauth
