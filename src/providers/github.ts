/**
 * Sign in with GitHub.
 *
 * @module
 */
import { OAuthProviderError } from "../kernel/errors.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider, type UserinfoHandler } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at GitHub. */
export interface GitHubProfile extends Profile {
  /** Account id. */
  id?: number | string | null | undefined;
  /** The user name. It can change. */
  login?: string | undefined;
  /** URL of a picture. */
  avatar_url?: string | null | undefined;
}

/** Options of {@linkcode github}. */
export interface GitHubOptions extends OAuthOptions<GitHubProfile> {
  /** The GitHub Enterprise Server to sign in with, by the URL of its pages. @default GitHub.com */
  enterprise?: { readonly baseUrl: string } | undefined;
}

type GitHubEmail = Readonly<{ email: string; primary: boolean; verified: boolean }>;

/**
 * Signs people in with GitHub.com, or with a GitHub Enterprise Server.
 *
 * Reads `AUTH_GITHUB_ID` and `AUTH_GITHUB_SECRET`. The authorization callback URL to register is
 * `https://<your site>/auth/callback/github`. A GitHub App needs the account permission "Email addresses: read-only".
 *
 * The email address is the public one of the profile, or else the primary one. `email_verified` in the profile is true
 * only if that address is verified in GitHub's list of the person's addresses.
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
export function github(options: GitHubOptions = {}): OAuthProvider<GitHubProfile> {
  const { enterprise, ...overrides } = options;
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
    style: {
      bg: "#24292f",
      text: "#fff",
      mark:
        "M12 .297c-6.63 0-12 5.373-12 12 0 5.303 3.438 9.8 8.205 11.385.6.113.82-.258.82-.577 0-.285-.01-1.04-.015-2.04-3.338.724-4.042-1.61-4.042-1.61C4.422 18.07 3.633 17.7 3.633 17.7c-1.087-.744.084-.729.084-.729 1.205.084 1.838 1.236 1.838 1.236 1.07 1.835 2.809 1.305 3.495.998.108-.776.417-1.305.76-1.605-2.665-.3-5.466-1.332-5.466-5.93 0-1.31.465-2.38 1.235-3.22-.135-.303-.54-1.523.105-3.176 0 0 1.005-.322 3.3 1.23.96-.267 1.98-.399 3-.405 1.02.006 2.04.138 3 .405 2.28-1.552 3.285-1.23 3.285-1.23.645 1.653.24 2.873.12 3.176.765.84 1.23 1.91 1.23 3.22 0 4.61-2.805 5.625-5.475 5.92.42.36.81 1.096.81 2.22 0 1.606-.015 2.896-.015 3.286 0 .315.21.69.825.57C20.565 22.092 24 17.592 24 12.297c0-6.627-5.373-12-12-12",
    },
    profile: ({ id, name, login, email, avatar_url }) => ({
      id: id && (typeof id === "number" || typeof id === "string") ? String(id) : undefined,
      name: name ?? login,
      email,
      image: avatar_url,
    }),
  }, overrides);
}

async function readProfile(url: string, context: Parameters<UserinfoHandler>[0]): Promise<GitHubProfile> {
  const headers = {
    Accept: "application/vnd.github+json",
    Authorization: `Bearer ${context.tokens.access_token}`,
    "User-Agent": "x-auth", // GitHub answers 403 without one.
  };
  const response = await context.fetch(url, { headers });
  if (!response.ok) throw new OAuthProviderError(`Cannot read profile: GitHub answered ${response.status}`);
  const profile: GitHubProfile = await response.json();
  const answer = await context.fetch(`${url}/emails`, { headers });
  const emails: readonly GitHubEmail[] = answer.ok ? await answer.json() : [];
  const chosen = emails.find(({ email, primary }) => profile.email ? email === profile.email : primary);
  // People can remove the scope user:email from the request. An address that is not in the list is unverified.
  return { ...profile, email: profile.email || chosen?.email || null, email_verified: chosen?.verified === true };
}
