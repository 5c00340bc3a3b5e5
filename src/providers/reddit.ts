/**
 * Sign in with Reddit.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Reddit. */
export interface RedditProfile extends Profile {
  /** TODO. */
  subreddit?:
    | {
      title?: string | null | undefined;
    }
    | null
    | undefined;
  /** TODO. */
  icon_img?: string | null | undefined;
  /** TODO. */
  snoovatar_img?: string | null | undefined;
  /** TODO. */
  has_verified_email?: string | null | undefined;
}

/** Options of {@linkcode reddit}. */
export interface RedditOptions<Id extends string = string> extends OAuthOptions<RedditProfile, Id> {
  /** TODO. */
  duration?: string | undefined;
}

/**
 * Signs people in with Reddit.
 *
 * - Register: {@link https://github.com/reddit-archive/reddit/wiki/OAuth2 | TODO: name of the console}: TODO what to
 *   click. The redirect URI is `https://<your site>/auth/callback/reddit`.
 * - Environment: `AUTH_REDDIT_ID`, `AUTH_REDDIT_SECRET`.
 * - Scopes: `identity`.
 * - Email: TODO path null verified {"path": "$.has_verified_email", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
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
 * @see {@link https://github.com/reddit-archive/reddit/wiki/OAuth2 | TODO}
 */
export function reddit<Id extends string = "reddit">(
  options: RedditOptions<Id> = {},
): OAuthProvider<RedditProfile, Id> {
  return oauthProvider({
    id: "reddit",
    name: "Reddit",
    authorization: {
      url: "https://www.reddit.com/api/v1/authorize",
      params: { scope: "identity" },
      scopeSeparator: ",",
    },
    token: "https://www.reddit.com/api/v1/access_token",
    userinfo: { url: "https://oauth.reddit.com/api/v1/me", request: readProfile },
    checks: ["state"],
    style: { bg: "#FF4500", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: profile.name ?? profile.subreddit?.title,
      email: null,
      image: profile.icon_img ?? profile.snoovatar_img,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<RedditProfile> {
  const profile = await readJson<RedditProfile>(context, "https://oauth.reddit.com/api/v1/me");
  return { ...profile, email_verified: Boolean(profile.has_verified_email) };
}

// TODO (remove this list when each is done or does not apply):
// - userinfo quirks: {"headers": {"User-Agent": "unique descriptive value required (429 otherwise)"}}
// - notes: duration=permanent for refresh tokens. No email through the API. icon_img is HTML-escaped and carries a resizing query. Auth.js default profile does not read icon_img. has_verified_email refers to an address that is not disclosed.
// - options: required [] optional ['duration']
// - revocation endpoint: https://www.reddit.com/api/v1/revoke_token
// - pkce: unsupported; docs https://github.com/reddit-archive/reddit/wiki/OAuth2
