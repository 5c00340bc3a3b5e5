/**
 * Sign in with start.gg.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at start.gg. */
export interface StartggProfile extends Profile {
  /** TODO. */
  data?:
    | {
      currentUser?:
        | {
          id?: string | null | undefined;
          name?: string | null | undefined;
          player?:
            | {
              gamerTag?: string | null | undefined;
            }
            | null
            | undefined;
          email?: string | null | undefined;
          images?:
            | readonly ({
              url?: string | null | undefined;
            } | null)[]
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
 * Signs people in with start.gg.
 *
 * - Register: {@link https://developer.start.gg/docs/oauth/oauth-overview | TODO: name of the console}: TODO what to
 *   click. The redirect URI is `https://<your site>/auth/callback/start-gg`.
 * - Environment: `AUTH_START_GG_ID`, `AUTH_START_GG_SECRET`.
 * - Scopes: `user.identity`, `user.email`.
 * - Email: TODO path {"path": "$.data.currentUser.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
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
 * @see {@link https://developer.start.gg/docs/oauth/oauth-overview | TODO}
 */
export function startGg<Id extends string = "start-gg">(
  options: OAuthOptions<StartggProfile, Id> = {},
): OAuthProvider<StartggProfile, Id> {
  return oauthProvider({
    id: "start-gg",
    name: "start.gg",
    authorization: { url: "https://start.gg/oauth/authorize", params: { scope: "user.identity user.email" } },
    token: "https://api.start.gg/oauth/access_token",
    userinfo: { url: "https://api.start.gg/gql/alpha", request: readProfile },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#2E75BA", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.data?.currentUser?.id),
      name: profile.data?.currentUser?.name ?? profile.data?.currentUser?.player?.gamerTag,
      email: profile.data?.currentUser?.email,
      image: profile.data?.currentUser?.images?.[0]?.url,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<StartggProfile> {
  const profile = await readJson<StartggProfile>(context, "https://api.start.gg/gql/alpha");
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - token quirk: scope must be repeated in token and refresh requests
// - token quirk: refresh requests also carry redirect_uri
// - userinfo quirks: {"method": "POST", "content_type": "application/json", "graphql": "query { currentUser { id name email images(type: \"profile\") { url } player { gamerTag } } }"}
// - aliases: ['startgg']
// - pkce: unsupported; docs https://developer.start.gg/docs/oauth/oauth-overview
