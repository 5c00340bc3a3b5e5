/**
 * Sign in with AniList.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at AniList. */
export interface AniListProfile extends Profile {
  /** TODO. */
  data?:
    | {
      Viewer?:
        | {
          id?: string | null | undefined;
          name?: string | null | undefined;
          avatar?:
            | {
              large?: string | null | undefined;
            }
            | null
            | undefined;
        }
        | null
        | undefined;
    }
    | null
    | undefined;
}

/**
 * Signs people in with AniList.
 *
 * - Register: {@link https://docs.anilist.co/guide/auth/authorization-code | TODO: name of the console}: TODO what to
 *   click. The redirect URI is `https://<your site>/auth/callback/anilist`.
 * - Environment: `AUTH_ANILIST_ID`, `AUTH_ANILIST_SECRET`.
 * - Scopes: none.
 * - Email: TODO path null verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { anilist } from "@x/auth/providers/anilist";
 *
 * const { handler } = createAuth({ providers: [anilist()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.anilist.co/guide/auth/authorization-code | TODO}
 */
export function anilist<Id extends string = "anilist">(
  options: OAuthOptions<AniListProfile, Id> = {},
): OAuthProvider<AniListProfile, Id> {
  return oauthProvider({
    id: "anilist",
    name: "AniList",
    authorization: { url: "https://anilist.co/api/v2/oauth/authorize", params: {} },
    token: "https://anilist.co/api/v2/oauth/token",
    userinfo: { url: "https://graphql.anilist.co", request: readProfile },
    checks: ["state"],
    style: { bg: "#02A9FF", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.data?.Viewer?.id),
      name: profile.data?.Viewer?.name,
      email: null,
      image: profile.data?.Viewer?.avatar?.large,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<AniListProfile> {
  const profile = await readJson<AniListProfile>(context, "https://graphql.anilist.co");
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - no scope: `authorization.params.scope` must be "" (empty: none is sent) or the URL is enough; check that no scope is sent
// - token quirk: tokens are JWTs valid one year; no refresh tokens
// - userinfo quirks: {"method": "POST", "content_type": "application/json", "graphql": "query { Viewer { id name avatar { large } } }"}
// - notes: No scopes, no email.
// - pkce: unsupported; docs https://docs.anilist.co/guide/auth/authorization-code
