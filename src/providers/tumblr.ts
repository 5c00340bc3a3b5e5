/**
 * Sign in with Tumblr.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Tumblr. */
export interface TumblrProfile extends Profile {
  /** What the profile is wrapped in. */
  response?: { readonly user?: TumblrUser | null | undefined } | null | undefined;
}

/** The person in a {@linkcode TumblrProfile}. */
export interface TumblrUser {
  /** The user name, which is the name of the primary blog. */
  readonly name?: string | null | undefined;
  /** The blogs of the person. */
  readonly blogs?: readonly TumblrBlog[] | null | undefined;
}

/** A blog of a {@linkcode TumblrUser}. */
export interface TumblrBlog {
  /** Its name. */
  readonly name?: string | null | undefined;
  /** Its title. */
  readonly title?: string | null | undefined;
  /** Its URL. */
  readonly url?: string | null | undefined;
  /** Whether it is the primary one. */
  readonly primary?: boolean | undefined;
}

/**
 * Signs people in with Tumblr.
 *
 * - Register: {@link https://www.tumblr.com/oauth/apps | Applications}: register an application. Its OAuth2 redirect
 *   URL is `https://<your site>/auth/callback/tumblr`.
 * - Environment: `AUTH_TUMBLR_ID` (the consumer key), `AUTH_TUMBLR_SECRET` (the consumer secret).
 * - Scopes: `basic`; `offline_access` adds a refresh token.
 * - Email: none.
 * - Refresh: a refresh token comes with the scope `offline_access`.
 * - Logout: no page for it.
 *
 * Tumblr gives no id of the account: the account id is the user name. It can change, and somebody else may get a name
 * that is free again: do not protect with it what such a person must not see.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { tumblr } from "@x/auth/providers/tumblr";
 *
 * const { handler } = createAuth({ providers: [tumblr()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://www.tumblr.com/docs/en/api/v2 | OAuth 2.0 at Tumblr}
 */
export function tumblr<const Id extends string = "tumblr">(
  options: OAuthOptions<TumblrProfile, Id> = {},
): OAuthProvider<TumblrProfile, Id> {
  return oauthProvider({
    id: "tumblr",
    name: "Tumblr",
    authorization: { url: "https://www.tumblr.com/oauth2/authorize", params: { scope: "basic" } },
    token: "https://api.tumblr.com/v2/oauth2/token",
    userinfo: "https://api.tumblr.com/v2/user/info",
    checks: ["state"],
    style: {
      bg: "#36465D",
      text: "#fff",
      mark:
        "m14.56 24c-5.09 0-7.03-3.76-7.03-6.41v-7.84h-2.41v-3.1c3.63-1.32 4.51-4.6 4.71-6.47.01-.13.11-.18.17-.18h3.52v6.11h4.8v3.64h-4.82v7.47c.01 1 .37 2.37 2.2 2.37h.09c.64-.02 1.49-.21 1.94-.42l1.16 3.42c-.44.64-2.4 1.38-4.16 1.41h-.18l.01 0z",
    },
    profile: ({ response }) => {
      const name = textId(response?.user?.name);
      const image = name && `https://api.tumblr.com/v2/blog/${encodeURIComponent(name)}/avatar/128`;
      return { id: name, name, email: null, image };
    },
  }, options);
}

export default tumblr;
