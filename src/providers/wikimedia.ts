/**
 * Sign in with Wikimedia, or with another MediaWiki.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Wikimedia. */
export interface WikimediaProfile extends Profile {
  /** The user name. It can change. */
  username?: string | null | undefined;
  /** Real name, if the person has entered one and the consumer may see it. */
  realname?: string | null | undefined;
  /** Whether the email address is verified. Repeated as `email_verified`. */
  confirmed_email?: boolean | null | undefined;
  /** Whether the account is blocked. */
  blocked?: boolean | undefined;
  /** Number of edits. */
  editcount?: number | null | undefined;
  /** Groups of the account. */
  groups?: readonly string[] | null | undefined;
}

/** Options of {@linkcode wikimedia}. */
export interface WikimediaOptions<Id extends string = string> extends OAuthOptions<WikimediaProfile, Id> {
  /**
   * URL of `rest.php` of another MediaWiki, which needs the extension OAuth.
   *
   * @default {"https://meta.wikimedia.org/w/rest.php"}
   */
  baseUrl?: string | undefined;
}

/**
 * Signs people in with Wikimedia (Wikipedia and its sister projects), or with another MediaWiki.
 *
 * - Register: {@link https://meta.wikimedia.org/wiki/Special:OAuthConsumerRegistration/propose/oauth2 | Propose an
 *   OAuth 2.0 client}: propose a confidential client that verifies the identity of people, with access to real names
 *   and email addresses if you need them. Its callback URL is `https://<your site>/auth/callback/wikimedia`.
 * - Environment: `AUTH_WIKIMEDIA_ID`, `AUTH_WIKIMEDIA_SECRET`.
 * - Scopes: none; what a client may do is part of its registration.
 * - Email: an address with `email_verified`, if the client may see it and the account has one; otherwise none. It is a
 *   proof at Wikimedia only: a MediaWiki without `$wgEmailAuthentication` calls every address confirmed. Set
 *   `vouches: "yes"` if yours has it.
 * - Refresh: a refresh token comes with each sign-in if the client is registered for it; access tokens live four hours.
 * - Logout: no page for it.
 *
 * Until the proposal is approved, only you can sign in.
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
 * @param options Another MediaWiki, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://www.mediawiki.org/wiki/Extension:OAuth | OAuth at MediaWiki}
 */
export function wikimedia<const Id extends string = "wikimedia">(
  options: WikimediaOptions<Id> = {},
): OAuthProvider<WikimediaProfile, Id> {
  const { baseUrl = "https://meta.wikimedia.org/w/rest.php", ...overrides } = optionsFor("wikimedia", options);
  const base = `${baseUrl.replace(/\/+$/, "")}/oauth2`;
  const profileUrl = `${base}/resource/profile`;
  return oauthProvider({
    id: "wikimedia",
    name: "Wikimedia",
    authorization: { url: `${base}/authorize`, params: { scope: "" } },
    token: `${base}/access_token`,
    userinfo: { url: profileUrl, request: (context: ProfileContext) => readProfile(context, profileUrl) },
    checks: ["state", "pkce"],
    // https://www.mediawiki.org/wiki/Manual:$wgEmailAuthentication
    vouches: WIKIMEDIA.test(baseUrl) ? "yes" : "no",
    style: {
      bg: "#000",
      text: "#fff",
      mark:
        "m20.07 3.13c2.42 2.19 3.93 5.35 3.93 8.87 0 6.62-5.38 12-12 12s-12-5.38-12-12c0-3.52 1.51-6.68 3.93-8.87l2.26 2.26c-1.83 1.61-2.99 3.98-2.99 6.61 0 4.86 3.94 8.8 8.8 8.8s8.8-3.94 8.8-8.8c0-2.63-1.16-5-2.99-6.61zm-3.39 3.4c1.54 1.32 2.52 3.28 2.52 5.47 0 3.7-2.8 6.76-6.4 7.16v-8.76zm-5.48 12.63c-3.6-.4-6.4-3.46-6.4-7.16 0-2.19.98-4.15 2.53-5.47l3.87 3.87zm.8-19.16c2.21 0 4 1.79 4 4s-1.79 4-4 4-4-1.79-4-4 1.79-4 4-4",
    },
    profile: ({ sub, username, realname, email }) => ({
      id: textId(sub),
      name: username || realname,
      email,
      image: null,
    }),
  }, overrides);
}

const WIKIMEDIA = /^https:\/\/(?:[a-z-]+\.)+(?<=\.(?:mediawiki|wikidata|wikimedia|wikipedia)\.)org\//;

async function readProfile(context: ProfileContext, url: string): Promise<WikimediaProfile> {
  const profile = await readJson<WikimediaProfile>(context, url);
  return { ...profile, email_verified: profile.confirmed_email === true };
}

export default wikimedia;
