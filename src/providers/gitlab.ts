/**
 * Sign in with GitLab.
 *
 * @module
 */
import { OAuthProviderError } from "../kernel/errors.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider, type UserinfoHandler } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at GitLab. */
export interface GitLabProfile extends Profile {
  /** Account id. */
  id?: number | string | null | undefined;
  /** The user name. It can change. */
  username?: string | undefined;
  /** URL of a picture. */
  avatar_url?: string | null | undefined;
  /** When the email address was confirmed. Repeated as `email_verified`. */
  confirmed_at?: string | null | undefined;
}

/** Options of {@linkcode gitlab}. */
export interface GitLabOptions extends OAuthOptions<GitLabProfile> {
  /** The URL of a self-managed GitLab, with its path if it has one. @default `issuer`, else `https://gitlab.com` */
  baseUrl?: string | undefined;
}

/**
 * Signs people in with GitLab.com, or with a self-managed GitLab.
 *
 * Reads `AUTH_GITLAB_ID` and `AUTH_GITLAB_SECRET`. The redirect URI to register is
 * `https://<your site>/auth/callback/gitlab`; the application needs the scope `read_user`.
 *
 * `email_verified` in the profile is true if GitLab has a date for the confirmation of the address. A self-managed
 * GitLab that does not require confirmation has one for every address.
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
export function gitlab(options: GitLabOptions = {}): OAuthProvider<GitLabProfile> {
  const { baseUrl = options.issuer ?? "https://gitlab.com", ...overrides } = options;
  const base = baseUrl.replace(/\/$/, "");
  const user = `${base}/api/v4/user`;
  return oauthProvider({
    id: "gitlab",
    name: "GitLab",
    authorization: { url: `${base}/oauth/authorize`, params: { scope: "read_user" } },
    token: `${base}/oauth/token`,
    userinfo: { url: user, request: (context) => readProfile(user, context) },
    checks: ["state", "pkce"],
    style: {
      bg: "#FC6D26",
      text: "#000",
      mark:
        "m23.6004 9.5927-.0337-.0862L20.3.9814a.851.851 0 0 0-.3362-.405.8748.8748 0 0 0-.9997.0539.8748.8748 0 0 0-.29.4399l-2.2055 6.748H7.5375l-2.2057-6.748a.8573.8573 0 0 0-.29-.4412.8748.8748 0 0 0-.9997-.0537.8585.8585 0 0 0-.3362.4049L.4332 9.5015l-.0325.0862a6.0657 6.0657 0 0 0 2.0119 7.0105l.0113.0087.03.0213 4.976 3.7264 2.462 1.8633 1.4995 1.1321a1.0085 1.0085 0 0 0 1.2197 0l1.4995-1.1321 2.4619-1.8633 5.006-3.7489.0125-.01a6.0682 6.0682 0 0 0 2.0094-7.003z",
    },
    profile: ({ id, name, username, email, avatar_url }) => ({
      id: id && (typeof id === "number" || typeof id === "string") ? String(id) : undefined,
      name: name ?? username,
      email,
      image: avatar_url,
    }),
  }, overrides);
}

async function readProfile(url: string, context: Parameters<UserinfoHandler>[0]): Promise<GitLabProfile> {
  const response = await context.fetch(url, {
    headers: { Accept: "application/json", Authorization: `Bearer ${context.tokens.access_token}` },
  });
  if (!response.ok) throw new OAuthProviderError(`Cannot read profile: GitLab answered ${response.status}`);
  const profile: GitLabProfile = await response.json();
  return { ...profile, email_verified: Boolean(profile.confirmed_at) };
}
