/**
 * Sign in with Bitbucket.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Bitbucket. */
export interface BitbucketProfile extends Profile {
  /** TODO. */
  account_id?: string | null | undefined;
  /** TODO. */
  uuid?: string | null | undefined;
  /** TODO. */
  display_name?: string | null | undefined;
  /** TODO. */
  username?: string | null | undefined;
  /** TODO. */
  links?:
    | {
      avatar?:
        | {
          href?: string | null | undefined;
        }
        | null
        | undefined;
    }
    | null
    | undefined;
}

/**
 * Signs people in with Bitbucket.
 *
 * - Register: {@link https://developer.atlassian.com/cloud/bitbucket/oauth-2/ | TODO: name of the console}: TODO what
 *   to click. The redirect URI is `https://<your site>/auth/callback/bitbucket`.
 * - Environment: `AUTH_BITBUCKET_ID`, `AUTH_BITBUCKET_SECRET`.
 * - Scopes: `account`.
 * - Email: TODO path {"path": "emails:$.values[?(@.is_primary)].email", "fallbacks": []} verified {"path":
 *   "emails:$.values[?(@.is_primary)].is_confirmed", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { bitbucket } from "@x/auth/providers/bitbucket";
 *
 * const { handler } = createAuth({ providers: [bitbucket()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.atlassian.com/cloud/bitbucket/oauth-2/ | TODO}
 */
export function bitbucket<Id extends string = "bitbucket">(
  options: OAuthOptions<BitbucketProfile, Id> = {},
): OAuthProvider<BitbucketProfile, Id> {
  return oauthProvider({
    id: "bitbucket",
    name: "Bitbucket",
    authorization: { url: "https://bitbucket.org/site/oauth2/authorize", params: { scope: "account" } },
    token: "https://bitbucket.org/site/oauth2/access_token",
    userinfo: { url: "https://api.bitbucket.org/2.0/user", request: readProfile },
    checks: ["state"],
    style: { bg: "#205081", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.account_id ?? profile.uuid),
      name: profile.display_name ?? profile.username,
      email: null,
      image: profile.links?.avatar?.href,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<BitbucketProfile> {
  const profile = await readJson<BitbucketProfile>(context, "https://api.bitbucket.org/2.0/user");
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - profile email: emails:$.values[?(@.is_primary)].email
// - profile email_verified: emails:$.values[?(@.is_primary)].is_confirmed
// - extra request: {"method": "GET", "url": "https://api.bitbucket.org/2.0/user/emails", "purpose": "email address and confirmation; needs scope email", "alias": "emails", "optional": true}
// - notes: Scopes come from the OAuth consumer configuration; the scope parameter is optional. The user object holds no email: Auth.js returns none, goth and django-allauth fetch /user/emails.
// - optional scopes: ['email']
// - pkce: undocumented; docs https://developer.atlassian.com/cloud/bitbucket/oauth-2/
