/**
 * Sign in with GitHub.
 *
 * @module
 */
import { type ProfileContext, readJson, readOptionalJson, textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at GitHub. */
export interface GitHubProfile extends Profile {
  /** Account id. */
  id: number;
  /** The user name. It can change. */
  login: string;
  /** Account id in the GraphQL API. */
  node_id: string;
  /** The name to show. */
  name: string | null;
  /** The public address of the profile, or else the primary one. */
  email: string | null;
  /** URL of a picture. */
  avatar_url: string;
  /** URL of the page of the person. */
  html_url: string;
  /** Kind of the account, such as `User`. */
  type: string;
  /** Whether the person works for GitHub, or manages the Enterprise Server. */
  site_admin: boolean;
  /** The company, as the person writes it. */
  company: string | null;
  /** URL of a website. */
  blog: string | null;
  /** The place, as the person writes it. */
  location: string | null;
  /** Whether the person looks for work. */
  hireable: boolean | null;
  /** What the person writes about themselves. */
  bio: string | null;
  /** The user name at X. */
  twitter_username?: string | null | undefined;
  /** How many public repositories there are. */
  public_repos: number;
  /** How many public gists there are. */
  public_gists: number;
  /** How many people follow. */
  followers: number;
  /** How many people are followed. */
  following: number;
  /** When the account was made (ISO 8601). */
  created_at: string;
  /** When the profile last changed (ISO 8601). */
  updated_at: string;
  /** Whether a second factor is set up. With the scope `user` only. */
  two_factor_authentication?: boolean | undefined;
  /** The plan of the account. With the scope `user` only. */
  plan?: {
    readonly name: string;
    readonly space: number;
    readonly private_repos: number;
    readonly collaborators: number;
  } | undefined;
}

/** Options of {@linkcode github}. */
export interface GitHubOptions<Id extends string = string> extends OAuthOptions<GitHubProfile, Id> {
  /** The GitHub Enterprise Server to sign in with, by the URL of its pages. @default GitHub.com */
  enterprise?: { readonly baseUrl: string } | undefined;
}

type GitHubEmail = Readonly<{ email: string; primary: boolean; verified: boolean }>;

/**
 * Signs people in with GitHub.com, or with a GitHub Enterprise Server.
 *
 * - Register: {@link https://github.com/settings/developers | OAuth apps}: create an OAuth app. Its authorization
 *   callback URL is `https://<your site>/auth/callback/github`.
 * - Environment: `AUTH_GITHUB_ID`, `AUTH_GITHUB_SECRET`.
 * - Scopes: `read:user`, `user:email`.
 * - Email: the public address of the profile, or else the primary one. `email_verified` is true only if that address is
 *   verified in GitHub's list of the person's addresses. It is a proof at GitHub.com only: set `vouches: "yes"` if your
 *   Enterprise Server has people confirm every address by email.
 * - Refresh: none for OAuth apps, whose access tokens do not expire. GitHub Apps give a refresh token if their tokens
 *   expire.
 * - Logout: no page for it.
 *
 * A GitHub App needs the account permission "Email addresses: read-only".
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { github } from "@x/auth/providers/github";
 *
 * const { handler } = createAuth({ providers: [github()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The Enterprise Server, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps | OAuth at GitHub}
 */
export function github<const Id extends string = "github">(
  options: GitHubOptions<Id> = {},
): OAuthProvider<GitHubProfile, Id> {
  const { enterprise, ...overrides } = optionsFor("github", options);
  const base = enterprise?.baseUrl.replace(/\/$/, "") ?? "https://github.com";
  const user = enterprise ? `${base}/api/v3/user` : "https://api.github.com/user";
  return oauthProvider({
    id: "github",
    name: "GitHub",
    // For `iss` in responses (RFC 9207). There is no metadata at this URL.
    issuer: `${base}/login/oauth`,
    authorization: { url: `${base}/login/oauth/authorize`, params: { scope: "read:user user:email" } },
    token: `${base}/login/oauth/access_token`,
    userinfo: { url: user, request: (context) => readProfile(user, context) },
    checks: ["state", "pkce"],
    // https://docs.github.com/en/enterprise-server/admin/managing-iam: its administrators, LDAP or SAML say who has which
    // address.
    vouches: enterprise ? "no" : "yes",
    style: {
      bg: "#24292f",
      text: "#fff",
      mark:
        "m12 .3c-6.63 0-12 5.37-12 12 0 5.3 3.44 9.8 8.21 11.38.59.12.81-.26.81-.57 0-.29-.01-1.04-.01-2.04-3.34.72-4.04-1.61-4.04-1.61-.55-1.39-1.34-1.76-1.34-1.76-1.08-.74.09-.73.09-.73 1.2.09 1.83 1.24 1.83 1.24 1.07 1.83 2.81 1.3 3.5 1 .11-.78.42-1.31.76-1.61-2.67-.3-5.47-1.33-5.47-5.93 0-1.31.47-2.38 1.24-3.22-.14-.3-.54-1.52.1-3.18 0 0 1.01-.32 3.3 1.23.96-.26 1.98-.39 3-.4 1.02.01 2.04.14 3 .4 2.28-1.55 3.29-1.23 3.29-1.23.64 1.66.24 2.88.12 3.18.76.84 1.23 1.91 1.23 3.22 0 4.61-2.81 5.63-5.48 5.92.42.36.81 1.1.81 2.22 0 1.61-.01 2.9-.01 3.29 0 .31.21.69.82.57 4.8-1.58 8.24-6.08 8.24-11.37 0-6.63-5.37-12-12-12",
    },
    profile: ({ id, name, login, email, avatar_url }) => ({
      id: textId(id),
      name: name ?? login,
      email,
      image: avatar_url,
    }),
  }, overrides);
}

async function readProfile(url: string, context: ProfileContext): Promise<GitHubProfile> {
  const request = { headers: { accept: "application/vnd.github+json" } };
  const [profile, answer] = await Promise.all([
    readJson<GitHubProfile>(context, url, request),
    readOptionalJson<readonly GitHubEmail[]>(context, `${url}/emails`, request),
  ]);
  const emails = Array.isArray(answer) ? answer as readonly GitHubEmail[] : [];
  const chosen = emails.find(({ email, primary }) => profile.email ? email === profile.email : primary);
  // People can remove the scope user:email from the request. An address that is not in the list is unverified.
  return { ...profile, email: profile.email || chosen?.email || null, email_verified: chosen?.verified === true };
}

export default github;
