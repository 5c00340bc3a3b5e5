/**
 * Sign in with Notion.
 *
 * @module
 */
import { type ProfileContext, profileError, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Notion. */
export interface NotionProfile extends Profile {
  /** The part of the profile that has the email address. */
  person?:
    | {
      /** Email address. */
      readonly email?: string | null | undefined;
    }
    | null
    | undefined;
  /** URL of a picture. */
  avatar_url?: string | null | undefined;
}

/**
 * Signs people in with Notion.
 *
 * - Register: {@link https://www.notion.so/profile/integrations | Integrations at Notion}: create a public integration
 *   that can read user information including email addresses, and enter the redirect URI
 *   `https://<your site>/auth/callback/notion`.
 * - Environment: `AUTH_NOTION_ID`, `AUTH_NOTION_SECRET`.
 * - Scopes: none: what the integration can do is set in it.
 * - Email: the address of the account, if the integration can read it; nobody says whether it is verified.
 * - Refresh: no refresh token in older integrations, whose access tokens do not expire.
 * - Logout: no page for it.
 *
 * At the sign-in people choose which pages the integration can read: Notion has no sign-in without that.
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
 * @see {@link https://developers.notion.com/docs/authorization | OAuth 2.0 at Notion}
 */
export function notion<Id extends string = "notion">(
  options: OAuthOptions<NotionProfile, Id> = {},
): OAuthProvider<NotionProfile, Id> {
  return oauthProvider({
    id: "notion",
    name: "Notion",
    authorization: { url: "https://api.notion.com/v1/oauth/authorize", params: { scope: "", owner: "user" } },
    token: "https://api.notion.com/v1/oauth/token",
    userinfo: { url: USERINFO, request: readProfile },
    checks: ["state"],
    style: { bg: "#fff", text: "#000" },
    profile: ({ id, name, person, avatar_url }) => ({
      id: textId(id),
      name,
      email: person?.email,
      image: avatar_url,
    }),
  }, options);
}

const USERINFO = "https://api.notion.com/v1/users/me";

/** What an access token belongs to: a bot, which acts for a person or for a workspace. */
interface Bot {
  readonly bot?: { readonly owner?: { readonly user?: NotionProfile | null } | null } | null;
}

async function readProfile(context: ProfileContext): Promise<NotionProfile> {
  const { bot } = await readJson<Bot>(context, USERINFO, { headers: { "Notion-Version": "2022-06-28" } });
  if (bot?.owner?.user) return bot.owner.user;
  throw profileError(context, "answered without a person: the integration must be public");
}
