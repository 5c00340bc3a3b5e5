/**
 * Sign in with Twitter, which is called X now.
 *
 * @module
 */
import { conformJson, type ProfileContext, readJson, readOptionalJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Twitter. */
export interface TwitterProfile extends Profile {
  /** What the profile is wrapped in. */
  data?: TwitterUser | null | undefined;
}

/** The person in a {@linkcode TwitterProfile}. */
export interface TwitterUser {
  /** Account id: a 64-bit number as text. */
  readonly id?: string | null | undefined;
  /** The name to show. */
  readonly name?: string | null | undefined;
  /** The user name, without `@`. It can change. */
  readonly username?: string | null | undefined;
  /** Email address that Twitter has verified, with the scope `users.email`. Repeated as `email` of the profile. */
  readonly confirmed_email?: string | null | undefined;
  /** URL of a picture of 48 pixels. */
  readonly profile_image_url?: string | null | undefined;
}

/**
 * Signs people in with Twitter, which is called X now.
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
 * How many profiles can be read a day depends on what you pay for the API.
 *
 * The same provider under its present name is `x` of `@x/auth/providers/x`. Its id is `twitter`, too: accounts,
 * callback URL and environment variables are the same.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { twitter } from "@x/auth/providers/twitter";
 *
 * const { handler } = createAuth({ providers: [twitter()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code | OAuth 2.0 at X}
 */
export function twitter<const Id extends string = "twitter">(
  options: OAuthOptions<TwitterProfile, Id> = {},
): OAuthProvider<TwitterProfile, Id> {
  return oauthProvider({
    id: "twitter",
    name: "Twitter",
    authorization: {
      url: "https://x.com/i/oauth2/authorize",
      params: { scope: "users.read tweet.read offline.access" },
    },
    token: { url: "https://api.x.com/2/oauth2/token", conform: conformJson(withError) },
    userinfo: { url: ME, request: readProfile },
    checks: ["state", "pkce"],
    style: {
      bg: "#000",
      text: "#fff",
      mark:
        "m14.23 10.16 8.75-10.16h-2.07l-7.6 8.82-6.06-8.82h-6.99l9.17 13.34-9.17 10.66h2.07l8.02-9.32 6.4 9.32h6.99zm-2.83 3.3-.93-1.33-7.39-10.57h3.18l5.96 8.53.93 1.33 7.76 11.09h-3.19z",
    },
    profile: ({ data }) => ({
      id: textId(data?.id),
      name: data?.name || data?.username,
      email: data?.confirmed_email,
      image: data?.profile_image_url,
    }),
  }, options);
}

const ME = "https://api.x.com/2/users/me?user.fields=profile_image_url";

async function readProfile(context: ProfileContext): Promise<TwitterProfile> {
  const profile = await readJson<TwitterProfile>(context, context.provider.userinfo.url ?? ME);
  // A separate request: without the permission of the app the whole response would be an error.
  const email = context.tokens.scope?.split(" ").includes("users.email")
    ? await readOptionalJson<TwitterProfile>(context, ME, { query: { "user.fields": "confirmed_email" } })
    : null;
  const confirmed = email?.data?.confirmed_email || null;
  return {
    ...profile,
    data: { ...profile.data, confirmed_email: confirmed },
    ...(confirmed !== null && { email: confirmed, email_verified: true }),
  };
}

// A code or a refresh token that has expired is an error of the request there.
function withError(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isSpent = body.error === "invalid_request" &&
    /authorization code|for the token was invalid/i.test(String(body.error_description));
  return isSpent ? { ...body, error: "invalid_grant" } : body;
}

export default twitter;
