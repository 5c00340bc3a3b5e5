/**
 * Sign in with Gitea.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Gitea. */
export interface GiteaProfile extends Profile {
  /** TODO. */
  full_name?: string | null | undefined;
  /** TODO. */
  login?: string | null | undefined;
  /** TODO. */
  avatar_url?: string | null | undefined;
}

/** Options of {@linkcode gitea}. */
export interface GiteaOptions<Id extends string = string> extends OAuthOptions<GiteaProfile, Id> {
  /** TODO. */
  baseUrl: string;
}

/**
 * Signs people in with Gitea.
 *
 * - Register: {@link https://docs.gitea.com/development/oauth2-provider | TODO: name of the console}: TODO what to
 *   click. The redirect URI is `https://<your site>/auth/callback/gitea`.
 * - Environment: `AUTH_GITEA_ID`, `AUTH_GITEA_SECRET`.
 * - Scopes: `read:user`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { gitea } from "@x/auth/providers/gitea";
 *
 * const { handler } = createAuth({ providers: [gitea({ issuer: "https://id.example.com" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.gitea.com/development/oauth2-provider | TODO}
 */
export function gitea<Id extends string = "gitea">(options: GiteaOptions<Id>): OAuthProvider<GiteaProfile, Id> {
  return oauthProvider({
    id: "gitea",
    name: "Gitea",
    authorization: { url: "{base_url}/login/oauth/authorize", params: { scope: "read:user" } },
    token: "{base_url}/login/oauth/access_token",
    userinfo: "{base_url}/api/v1/user",
    checks: ["state", "pkce"],
    style: { bg: "#609926", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: profile.full_name ?? profile.login,
      email: profile.email,
      image: profile.avatar_url,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - variant: {"when": "OIDC mode", "issuer": "{base_url}/", "discovery_url": "{base_url}/.well-known/openid-configuration", "userinfo_endpoint": "{base_url}/login/oauth/userinfo", "scopes": ["openid", "profile", "email"]}
// - notes: Forgejo/Codeberg use the same paths. Arctic documentation gives https://gitea.com/user, which is not the API path.
// - options: required ['base_url'] optional []
// - aliases: ['forgejo', 'codeberg']
// - pkce: supported; docs https://docs.gitea.com/development/oauth2-provider
