/**
 * Sign in with Notion.
 *
 * @module
 */
import { type ProfileContext, profileError, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

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
export function notion<const Id extends string = "notion">(
  options: OAuthOptions<NotionProfile, Id> = {},
): OAuthProvider<NotionProfile, Id> {
  return oauthProvider({
    id: "notion",
    name: "Notion",
    authorization: { url: "https://api.notion.com/v1/oauth/authorize", params: { scope: "", owner: "user" } },
    token: "https://api.notion.com/v1/oauth/token",
    userinfo: { url: USERINFO, request: readProfile },
    checks: ["state"],
    style: {
      bg: "#fff",
      text: "#000",
      mark:
        "m4.46 4.21c.75.6 1.02.56 2.43.46l13.21-.79c.28 0 .05-.28-.04-.32l-2.2-1.59c-.42-.33-.98-.7-2.06-.61l-12.79.94c-.47.04-.56.28-.37.46zm.79 3.08v13.9c0 .75.38 1.03 1.22.98l14.52-.84c.84-.04.93-.56.93-1.17v-13.81c0-.6-.23-.93-.74-.88l-15.18.88c-.56.05-.75.33-.75.94zm14.34.74c.09.42 0 .84-.42.89l-.7.14v10.26c-.61.33-1.17.52-1.64.52-.74 0-.93-.24-1.49-.93l-4.58-7.19v6.95l1.45.33s0 .84-1.17.84l-3.22.19c-.09-.19 0-.66.33-.75l.84-.23v-9.2l-1.17-.09c-.09-.42.14-1.03.8-1.07l3.45-.24 4.77 7.28v-6.44l-1.22-.14c-.09-.51.28-.88.75-.93zm-17.65-6.99 13.31-.98c1.63-.14 2.05-.05 3.08.7l4.25 2.98c.7.51.93.65.93 1.21v16.38c0 1.03-.37 1.64-1.68 1.73l-15.46.93c-.98.05-1.45-.09-1.96-.74l-3.13-4.06c-.56-.75-.79-1.31-.79-1.96v-14.56c0-.84.37-1.54 1.45-1.64z",
    },
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

export default notion;
