/**
 * Sign in with GitLab.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at GitLab. */
export interface GitLabProfile extends Profile {
  /** Account id. */
  id: number;
  /** The user name. It can change. */
  username: string;
  /** The name to show. */
  name: string;
  /** Email address. */
  email?: string | null | undefined;
  /** The address that everybody sees. */
  public_email?: string | null | undefined;
  /** URL of a picture. */
  avatar_url: string | null;
  /** URL of the page of the person. */
  web_url: string;
  /** State of the account, such as `active` or `blocked`. */
  state?: string | undefined;
  /** When the email address was confirmed. Repeated as `email_verified`. */
  confirmed_at?: string | null | undefined;
  /** When the account was made (ISO 8601). */
  created_at?: string | undefined;
  /** What the person writes about themselves. */
  bio?: string | null | undefined;
  /** The place, as the person writes it. */
  location?: string | null | undefined;
  /** The company, as the person writes it. */
  organization?: string | null | undefined;
  /** The job, as the person writes it. */
  job_title?: string | null | undefined;
  /** URL of a website. */
  website_url?: string | null | undefined;
  /** Whether the person is no member of the organisation. */
  external?: boolean | undefined;
  /** Whether a second factor is set up. */
  two_factor_enabled?: boolean | undefined;
}

/** Options of {@linkcode gitlab}. */
export interface GitLabOptions<Id extends string = string> extends OAuthOptions<GitLabProfile, Id> {
  /** The URL of a self-managed GitLab, with its path if it has one. @default `issuer`, else `https://gitlab.com` */
  baseUrl?: string | undefined;
}

/**
 * Signs people in with GitLab.com, or with a self-managed GitLab.
 *
 * - Register: {@link https://gitlab.com/-/user_settings/applications | Applications}: add an application with the scope
 *   `read_user`. Its redirect URI is `https://<your site>/auth/callback/gitlab`.
 * - Environment: `AUTH_GITLAB_ID`, `AUTH_GITLAB_SECRET`.
 * - Scopes: `read_user`.
 * - Email: with `email_verified`, which is true if GitLab has a date for the confirmation of the address. It is a proof
 *   at GitLab.com only: a self-managed GitLab that does not require confirmation has a date for every address. Set
 *   `vouches: "yes"` if yours does require it.
 * - Refresh: a refresh token comes with each sign-in; access tokens live two hours.
 * - Logout: no page for it.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { gitlab } from "@x/auth/providers/gitlab";
 *
 * const { handler } = createAuth({ providers: [gitlab({ baseUrl: "https://gitlab.example.com" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The URL of GitLab, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.gitlab.com/api/oauth2/ | OAuth 2.0 at GitLab}
 */
export function gitlab<const Id extends string = "gitlab">(
  options: GitLabOptions<Id> = {},
): OAuthProvider<GitLabProfile, Id> {
  const { baseUrl, ...overrides } = optionsFor("gitlab", options);
  const base = (baseUrl ?? overrides.issuer ?? "https://gitlab.com").replace(/\/$/, "");
  const user = `${base}/api/v4/user`;
  return oauthProvider({
    id: "gitlab",
    name: "GitLab",
    authorization: { url: `${base}/oauth/authorize`, params: { scope: "read_user" } },
    token: `${base}/oauth/token`,
    userinfo: { url: user, request: (context) => readProfile(user, context) },
    checks: ["state", "pkce"],
    // https://docs.gitlab.com/security/user_email_confirmation/: new accounts need not confirm their address by default.
    vouches: URL.parse(base)?.origin === "https://gitlab.com" ? "yes" : "no",
    style: {
      bg: "#FC6D26",
      text: "#000",
      mark:
        "m23.6 9.59-.03-.08-3.27-8.53a.85.85 0 0 0-.34-.4.87.87 0 0 0-1 .05.87.87 0 0 0-.29.44l-2.2 6.75h-8.93l-2.21-6.75a.86.86 0 0 0-.29-.44.87.87 0 0 0-1-.05.86.86 0 0 0-.33.4l-3.28 8.52-.03.09a6.07 6.07 0 0 0 2.01 7.01l.01.01.03.02 4.98 3.72 2.46 1.87 1.5 1.13a1.01 1.01 0 0 0 1.22 0l1.5-1.13 2.46-1.87 5.01-3.74.01-.01a6.07 6.07 0 0 0 2.01-7.01z",
    },
    profile: ({ id, name, username, email, avatar_url }) => ({
      id: textId(id),
      name: name ?? username,
      email,
      image: avatar_url,
    }),
  }, overrides);
}

async function readProfile(url: string, context: ProfileContext): Promise<GitLabProfile> {
  const profile = await readJson<GitLabProfile>(context, url);
  return { ...profile, email_verified: Boolean(profile.confirmed_at) };
}

export default gitlab;
