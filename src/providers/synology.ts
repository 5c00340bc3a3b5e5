/**
 * Sign in with Synology.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Synology. */
export interface SynologyProfile extends Profile {
  /** TODO. */
  data?:
    | {
      user_id?: string | null | undefined;
      user_name?: string | null | undefined;
    }
    | null
    | undefined;
  /** TODO. */
  username?: string | null | undefined;
}

/** Options of {@linkcode synology}. */
export interface SynologyOptions<Id extends string = string> extends OAuthOptions<SynologyProfile, Id> {
  /** TODO. */
  baseUrl: string;
}

/**
 * Signs people in with Synology.
 *
 * - Register: {@link https://kb.synology.com/en-global/DSM/help/SSOServer/sso_server_desc | TODO: name of the
 *   console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/synology`.
 * - Environment: `AUTH_SYNOLOGY_ID`, `AUTH_SYNOLOGY_SECRET`.
 * - Scopes: `openid`, `email`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { synology } from "@x/auth/providers/synology";
 *
 * const { handler } = createAuth({ providers: [synology({ issuer: "https://id.example.com" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://kb.synology.com/en-global/DSM/help/SSOServer/sso_server_desc | TODO}
 */
export function synology<Id extends string = "synology">(
  options: SynologyOptions<Id>,
): OAuthProvider<SynologyProfile, Id> {
  return oauthProvider({
    id: "synology",
    name: "Synology",
    authorization: { url: "{base_url}/webman/sso/SSOOauth.cgi", params: { scope: "openid email" } },
    token: "{base_url}/webman/sso/SSOAccessToken.cgi",
    userinfo: "{base_url}/webman/sso/SSOUserInfo.cgi",
    checks: ["state", "pkce"],
    style: { bg: "#B5B5B6", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.sub ?? profile.data?.user_id),
      name: profile.username ?? profile.name ?? profile.data?.user_name,
      email: profile.email,
      image: null,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - variant: {"when": "OIDC mode", "discovery_url": "{base_url}/webman/sso/.well-known/openid-configuration"}
// - notes: SSO Server package on the NAS. Available scopes are listed in the discovery document.
// - options: required ['base_url'] optional []
// - optional scopes: ['groups']
// - pkce: supported; docs https://kb.synology.com/en-global/DSM/help/SSOServer/sso_server_desc
