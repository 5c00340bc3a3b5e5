/**
 * Sign in with Reddit.
 *
 * @module
 */
import { readJson, textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

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
export function reddit<const Id extends string = "reddit">(
  options: RedditOptions<Id> = {},
): OAuthProvider<RedditProfile, Id> {
  return oauthProvider({
    id: "reddit",
    name: "Reddit",
    authorization: {
      url: "https://www.reddit.com/api/v1/authorize",
      params: { scope: "identity", duration: optionsFor("reddit", options).duration },
      scopeSeparator: ",",
    },
    token: "https://www.reddit.com/api/v1/access_token",
    // Reddit refuses requests that do not say what they come from, as those of a runtime.
    userinfo: { url: USERINFO, request: (context) => readJson<RedditProfile>(context, USERINFO) },
    checks: ["state"],
    style: {
      bg: "#FF4500",
      text: "#000",
      mark:
        "m12 0c-6.63 0-12 5.37-12 12 0 3.31 1.34 6.31 3.52 8.48l-2.29 2.29c-.45.46-.13 1.23.51 1.23h10.26c6.63 0 12-5.37 12-12s-5.37-12-12-12zm4.39 3.2c1.1 0 2 .89 2 2 0 1.1-.9 2-2 2-.95 0-1.74-.66-1.95-1.54v0c-1.15.16-2.03 1.15-2.03 2.34v.01c1.77.07 3.4.57 4.68 1.36.48-.36 1.07-.58 1.71-.58 1.55 0 2.8 1.26 2.8 2.8 0 1.12-.65 2.08-1.6 2.54-.09 3.25-3.63 5.87-7.99 5.87-4.37 0-7.91-2.62-8-5.87-.96-.45-1.62-1.41-1.62-2.54 0-1.54 1.26-2.8 2.81-2.8.64 0 1.24.22 1.71.59 1.27-.79 2.88-1.29 4.64-1.37v-.01c0-1.66 1.26-3.03 2.88-3.21.19-.91.99-1.59 1.96-1.59zm-8.09 8.38c-.78-.01-1.46.77-1.5 1.79-.05 1.02.64 1.43 1.42 1.43.79 0 1.37-.37 1.42-1.38.05-1.02-.55-1.85-1.34-1.85zm7.41-.01c-.79 0-1.39.83-1.34 1.85.05 1.01.63 1.38 1.42 1.38.78 0 1.47-.41 1.42-1.43-.04-1.02-.72-1.8-1.5-1.8zm-3.7 4.02c-.98 0-1.91.05-2.77.13-.15.02-.25.17-.19.31.49 1.15 1.62 1.96 2.96 1.96 1.33 0 2.47-.81 2.95-1.96.06-.14-.04-.29-.19-.31-.86-.08-1.79-.13-2.76-.13z",
    },
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

export default reddit;
