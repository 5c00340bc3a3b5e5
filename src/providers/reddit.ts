/**
 * Sign in with Reddit.
 *
 * @module
 */
import { readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Reddit. */
export interface RedditProfile extends Profile {
  /** What Reddit shows about the person. */
  subreddit?:
    | {
      /** The name to show. */
      readonly title?: string | null | undefined;
    }
    | null
    | undefined;
  /** URL of a picture, with `&amp;` between its parameters. */
  icon_img?: string | null | undefined;
  /** URL of a picture of the person's avatar. */
  snoovatar_img?: string | null | undefined;
  /** Whether the person has a verified address. Reddit does not tell which one. */
  has_verified_email?: boolean | null | undefined;
}

/** Options of {@linkcode reddit}. */
export interface RedditOptions<Id extends string = string> extends OAuthOptions<RedditProfile, Id> {
  /** Whether there is a refresh token, with `"permanent"`. @default {"temporary"} */
  duration?: "temporary" | "permanent" | undefined;
}

/**
 * Signs people in with Reddit.
 *
 * - Register: {@link https://www.reddit.com/prefs/apps | apps in the preferences of an account}: create an app of the
 *   type "web app" and enter the redirect URI `https://<your site>/auth/callback/reddit`.
 * - Environment: `AUTH_REDDIT_ID`, `AUTH_REDDIT_SECRET`.
 * - Scopes: `identity`.
 * - Email: none. `profile.has_verified_email` says whether the person has a verified address that Reddit keeps to
 *   itself.
 * - Refresh: set the option `duration` to `"permanent"`. Access tokens live a day.
 * - Logout: no page for it.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { reddit } from "@x/auth/providers/reddit";
 *
 * const { handler } = createAuth({ providers: [reddit()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://github.com/reddit-archive/reddit/wiki/OAuth2 | OAuth 2.0 at Reddit}
 */
export function reddit<Id extends string = "reddit">(
  options: RedditOptions<Id> = {},
): OAuthProvider<RedditProfile, Id> {
  return oauthProvider({
    id: "reddit",
    name: "Reddit",
    authorization: {
      url: "https://www.reddit.com/api/v1/authorize",
      params: { scope: "identity", duration: options.duration },
      scopeSeparator: ",",
    },
    token: "https://www.reddit.com/api/v1/access_token",
    // Reddit refuses requests that do not say what they come from, as those of a runtime.
    userinfo: { url: USERINFO, request: (context) => readJson<RedditProfile>(context, USERINFO) },
    checks: ["state"],
    style: { bg: "#FF4500", text: "#000" },
    profile: ({ id, name, subreddit, icon_img, snoovatar_img }) => ({
      id: textId(id),
      name: name || subreddit?.title,
      email: null,
      // The query asks for a size, and is escaped for HTML.
      image: icon_img?.split("?")[0] || snoovatar_img,
    }),
  }, options);
}

const USERINFO = "https://oauth.reddit.com/api/v1/me";
