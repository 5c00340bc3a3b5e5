/**
 * Sign in with AniList.
 *
 * @module
 */
import { type ProfileContext, profileError, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

const GRAPHQL = "https://graphql.anilist.co";

/** The profile of a person at AniList. */
export interface AniListProfile extends Profile {
  /** Account id. */
  id?: number | string | null | undefined;
  /** The user name. It can change. */
  name?: string | null | undefined;
  /** The picture. */
  avatar?: { readonly large?: string | null } | null | undefined;
}

/**
 * Signs people in with AniList.
 *
 * - Register: {@link https://anilist.co/settings/developer | Developer settings of AniList}. Create a new client. The
 *   redirect URL is `https://<your site>/auth/callback/anilist`.
 * - Environment: `AUTH_ANILIST_ID`, `AUTH_ANILIST_SECRET`.
 * - Scopes: none.
 * - Email: AniList gives no address.
 * - Refresh: no refresh token. Access tokens live one year.
 * - Logout: no page for it.
 *
 * The profile is the `Viewer` of the GraphQL API.
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
 * @see {@link https://docs.anilist.co/guide/auth/authorization-code | OAuth 2.0 at AniList}
 */
export function anilist<const Id extends string = "anilist">(
  options: OAuthOptions<AniListProfile, Id> = {},
): OAuthProvider<AniListProfile, Id> {
  return oauthProvider({
    id: "anilist",
    name: "AniList",
    authorization: { url: "https://anilist.co/api/v2/oauth/authorize", params: { scope: "" } },
    token: "https://anilist.co/api/v2/oauth/token",
    userinfo: { url: GRAPHQL, request: readProfile },
    checks: ["state"],
    style: {
      bg: "#02A9FF",
      text: "#000",
      mark:
        "m24 17.53v2.42c0 .71-.39 1.1-1.1 1.1h-5l-.06-.16-6-17.15c.11-.51.46-.79 1.05-.79h2.43c.71 0 1.1.39 1.1 1.1v12.38h6.48c.71 0 1.1.39 1.1 1.1zm-12.97-14.58 6.34 18.1h-4.92l-1.05-3.13h-5.38l-1.08 3.13h-4.94l6.36-18.1h4.67zm-.66 10.96-1.69-5.02-1.54 5.02h3.23z",
    },
    profile: ({ id, name, avatar }) => ({ id: textId(id), name, email: null, image: avatar?.large }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<AniListProfile> {
  const query = "query { Viewer { id name avatar { large } } }";
  const { data } = await readJson<ViewerAnswer>(context, GRAPHQL, { body: { query } });
  if (data?.Viewer) return data.Viewer;
  throw profileError(context, "answered without a viewer");
}

interface ViewerAnswer {
  readonly data?: { readonly Viewer?: AniListProfile | null } | null;
}

export default anilist;
