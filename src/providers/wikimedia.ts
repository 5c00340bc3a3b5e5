/**
 * Sign in with Wikimedia.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Wikimedia. */
export interface WikimediaProfile extends Profile {
  /** TODO. */
  username?: string | null | undefined;
  /** TODO. */
  realname?: string | null | undefined;
  /** TODO. */
  confirmed_email?: string | null | undefined;
}

/**
 * Signs people in with Wikimedia.
 *
 * - Register: {@link https://www.mediawiki.org/wiki/Extension:OAuth | TODO: name of the console}: TODO what to click.
 *   The redirect URI is `https://<your site>/auth/callback/wikimedia`.
 * - Environment: `AUTH_WIKIMEDIA_ID`, `AUTH_WIKIMEDIA_SECRET`.
 * - Scopes: none.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified {"path": "$.confirmed_email", "fallbacks": []}
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { wikimedia } from "@x/auth/providers/wikimedia";
 *
 * const { handler } = createAuth({ providers: [wikimedia()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://www.mediawiki.org/wiki/Extension:OAuth | TODO}
 */
export function wikimedia<Id extends string = "wikimedia">(
  options: OAuthOptions<WikimediaProfile, Id> = {},
): OAuthProvider<WikimediaProfile, Id> {
  return oauthProvider({
    id: "wikimedia",
    name: "Wikimedia",
    authorization: { url: "https://meta.wikimedia.org/w/rest.php/oauth2/authorize", params: {} },
    token: "https://meta.wikimedia.org/w/rest.php/oauth2/access_token",
    userinfo: { url: "https://meta.wikimedia.org/w/rest.php/oauth2/resource/profile", request: readProfile },
    checks: ["state", "pkce"],
    style: { bg: "#000", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.sub),
      name: profile.username ?? profile.realname,
      email: profile.email,
      image: null,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<WikimediaProfile> {
  const profile = await readJson<WikimediaProfile>(
    context,
    "https://meta.wikimedia.org/w/rest.php/oauth2/resource/profile",
  );
  return { ...profile, email_verified: Boolean(profile.confirmed_email) };
}

// TODO (remove this list when each is done or does not apply):
// - no scope: `authorization.params.scope` must be "" (empty: none is sent) or the URL is enough; check that no scope is sent
// - userinfo quirks: {"headers": {"User-Agent": "required by Wikimedia policy"}}
// - notes: Grants come from the consumer registration. email only with the corresponding grant. Any MediaWiki host with Extension:OAuth works by swapping the base URL.
// - pkce: supported; docs https://www.mediawiki.org/wiki/Extension:OAuth
