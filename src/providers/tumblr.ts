/**
 * Sign in with Tumblr.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

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
export function tumblr<Id extends string = "tumblr">(
  options: OAuthOptions<TumblrProfile, Id> = {},
): OAuthProvider<TumblrProfile, Id> {
  return oauthProvider({
    id: "tumblr",
    name: "Tumblr",
    authorization: { url: "https://www.tumblr.com/oauth2/authorize", params: { scope: "basic" } },
    token: "https://api.tumblr.com/v2/oauth2/token",
    userinfo: "https://api.tumblr.com/v2/user/info",
    checks: ["state"],
    style: { bg: "#36465D", text: "#fff" },
    profile: ({ response }) => {
      const name = textId(response?.user?.name);
      const image = name && `https://api.tumblr.com/v2/blog/${encodeURIComponent(name)}/avatar/128`;
      return { id: name, name, email: null, image };
    },
  }, options);
}
