/**
 * Sign in with Notion.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Notion. */
export interface NotionProfile extends Profile {
  /** TODO. */
  bot?:
    | {
      owner?:
        | {
          user?:
            | {
              id?: string | null | undefined;
              name?: string | null | undefined;
              person?:
                | {
                  email?: string | null | undefined;
                }
                | null
                | undefined;
              avatar_url?: string | null | undefined;
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
 * Signs people in with Notion.
 *
 * - Register: {@link https://developers.notion.com/docs/authorization | TODO: name of the console}: TODO what to
 *   click. The redirect URI is `https://<your site>/auth/callback/notion`.
 * - Environment: `AUTH_NOTION_ID`, `AUTH_NOTION_SECRET`.
 * - Scopes: none.
 * - Email: TODO path {"path": "$.bot.owner.user.person.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { notion } from "@x/auth/providers/notion";
 *
 * const { handler } = createAuth({ providers: [notion()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.notion.com/docs/authorization | TODO}
 */
export function notion<Id extends string = "notion">(
  options: OAuthOptions<NotionProfile, Id> = {},
): OAuthProvider<NotionProfile, Id> {
  return oauthProvider({
    id: "notion",
    name: "Notion",
    authorization: { url: "https://api.notion.com/v1/oauth/authorize", params: { owner: "user" } },
    token: "https://api.notion.com/v1/oauth/token",
    userinfo: { url: "https://api.notion.com/v1/users/me", request: readProfile },
    checks: ["state"],
    style: { bg: "#fff", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.bot?.owner?.user?.id),
      name: profile.bot?.owner?.user?.name,
      email: profile.bot?.owner?.user?.person?.email,
      image: profile.bot?.owner?.user?.avatar_url,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<NotionProfile> {
  const profile = await readJson<NotionProfile>(context, "https://api.notion.com/v1/users/me");
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - no scope: `authorization.params.scope` must be "" (empty: none is sent) or the URL is enough; check that no scope is sent
// - token quirk: owner.user object is also in the token response
// - token quirk: no expires_in in older integrations
// - userinfo quirks: {"headers": {"Notion-Version": "2022-06-28"}}
// - notes: Capabilities replace scopes. email needs the capability to read user information including email. users/me returns the bot; the person is bot.owner.user.
// - pkce: undocumented; docs https://developers.notion.com/docs/authorization
