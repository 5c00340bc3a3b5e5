/**
 * Sign in with WorkOS.
 *
 * @module
 */
import { joinName, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at WorkOS. */
export interface WorkOSProfile extends Profile {
  /** TODO. */
  first_name?: string | null | undefined;
  /** TODO. */
  last_name?: string | null | undefined;
  /** TODO. */
  raw_attributes?:
    | {
      picture?: string | null | undefined;
    }
    | null
    | undefined;
}

/** Options of {@linkcode workos}. */
export interface WorkOSOptions<Id extends string = string> extends OAuthOptions<WorkOSProfile, Id> {
  /** TODO. */
  connectionOrganizationProvider: string;
  /** TODO. */
  domainHint?: string | undefined;
  /** TODO. */
  loginHint?: string | undefined;
}

/**
 * Signs people in with WorkOS.
 *
 * - Register: {@link https://workos.com/docs/reference/sso | TODO: name of the console}: TODO what to click. The
 *   redirect URI is `https://<your site>/auth/callback/workos`.
 * - Environment: `AUTH_WORKOS_ID`, `AUTH_WORKOS_SECRET`.
 * - Scopes: none.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { workos } from "@x/auth/providers/workos";
 *
 * const { handler } = createAuth({ providers: [workos({ issuer: "https://id.example.com" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://workos.com/docs/reference/sso | TODO}
 */
export function workos<Id extends string = "workos">(
  options: WorkOSOptions<Id> = {},
): OAuthProvider<WorkOSProfile, Id> {
  return oauthProvider({
    id: "workos",
    name: "WorkOS",
    authorization: { url: "https://api.workos.com/sso/authorize", params: {} },
    token: "https://api.workos.com/sso/token",
    userinfo: "https://api.workos.com/sso/profile",
    checks: ["state", "pkce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#6363f1", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: joinName(profile.first_name, profile.last_name),
      email: profile.email,
      image: profile.raw_attributes?.picture,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - authorization param connection={connection}
// - no scope: `authorization.params.scope` must be "" (empty: none is sent) or the URL is enough; check that no scope is sent
// - token quirk: profile object is included in the token response
// - token quirk: client_secret is the API key
// - notes: One of connection, organization or provider (GoogleOAuth, MicrosoftOAuth, GitHubOAuth, AppleOAuth, authkit) selects the identity provider. scopes are ignored unless provider scopes are configured.
// - options: required ['connection|organization|provider'] optional ['issuer', 'domain_hint', 'login_hint']
// - pkce: supported; docs https://workos.com/docs/reference/sso
