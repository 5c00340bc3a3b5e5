/**
 * Sign in with X, which was called Twitter.
 *
 * @module
 */
import type { OAuthOptions, OAuthProvider } from "../contract/provider.ts";
import { twitter, type TwitterProfile } from "./twitter.ts";

export type { OAuthProvider } from "../contract/provider.ts";
export type { TwitterProfile } from "./twitter.ts";

/**
 * Signs people in with X, which was called Twitter. It is {@linkcode twitter} under its present name.
 *
 * - Register: {@link https://developer.x.com/en/portal/dashboard | Developer Portal}: create a project with an app and
 *   set up its user authentication as a web app. Its callback URI is `https://<your site>/auth/callback/twitter`. The
 *   client id and secret are those of OAuth 2.0, not the API key.
 * - Environment: `AUTH_TWITTER_ID`, `AUTH_TWITTER_SECRET`.
 * - Scopes: `users.read`, `tweet.read`, `offline.access`; `users.email` adds the email address.
 * - Email: with the scope `users.email`, and "Request email from users" switched on for the app, an address with
 *   `email_verified`; otherwise none.
 * - Refresh: a refresh token comes with the scope `offline.access`; access tokens live two hours.
 * - Logout: no page for it.
 *
 * Its id is `twitter`, so that accounts, callback URL and environment variables are those of Twitter.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { x } from "@x/auth/providers/x";
 *
 * const { handler } = createAuth({ providers: [x()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code | OAuth 2.0 at X}
 */
export function x<const Id extends string = "twitter">(
  options: OAuthOptions<TwitterProfile, Id> = {},
): OAuthProvider<TwitterProfile, Id> {
  return { ...twitter(options), name: "X" };
}

export default x;
