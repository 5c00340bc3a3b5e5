/**
 * Sign in with Twitter.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Twitter. */
export interface TwitterProfile extends Profile {
  /** TODO. */
  data?:
    | {
      id?: string | null | undefined;
      name?: string | null | undefined;
      username?: string | null | undefined;
      confirmed_email?: string | null | undefined;
      profile_image_url?: string | null | undefined;
    }
    | null
    | undefined;
}

/**
 * Signs people in with Twitter.
 *
 * - Register: {@link https://docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code | TODO:
 *   name of the console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/twitter`.
 * - Environment: `AUTH_TWITTER_ID`, `AUTH_TWITTER_SECRET`.
 * - Scopes: `users.read`, `tweet.read`, `offline.access`.
 * - Email: TODO path {"path": "$.data.confirmed_email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
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
 * @see {@link https://docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code | TODO}
 */
export function twitter<Id extends string = "twitter">(
  options: OAuthOptions<TwitterProfile, Id> = {},
): OAuthProvider<TwitterProfile, Id> {
  return oauthProvider({
    id: "twitter",
    name: "Twitter",
    authorization: {
      url: "https://x.com/i/oauth2/authorize",
      params: { scope: "users.read tweet.read offline.access" },
    },
    token: "https://api.x.com/2/oauth2/token",
    userinfo: { url: "https://api.x.com/2/users/me?user.fields=profile_image_url", request: readProfile },
    checks: ["state", "pkce"],
    style: { bg: "#1da1f2", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.data?.id),
      name: profile.data?.name ?? profile.data?.username,
      email: profile.data?.confirmed_email,
      image: profile.data?.profile_image_url,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<TwitterProfile> {
  const profile = await readJson<TwitterProfile>(context, "https://api.x.com/2/users/me?user.fields=profile_image_url");
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - extra request: {"method": "GET", "url": "https://api.x.com/2/users/me?user.fields=confirmed_email", "purpose": "confirmed email; needs scope users.email and the app permission to request email", "optional": true}
// - notes: A non-null confirmed_email is verified by definition. twitter.com and api.twitter.com are the previous host names. expires after 2 h without offline.access.
// - optional scopes: ['users.email']
// - revocation endpoint: https://api.x.com/2/oauth2/revoke
// - aliases: ['x']
// - pkce: required; docs https://docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code
