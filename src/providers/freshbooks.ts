/**
 * Sign in with Freshbooks.
 *
 * @module
 */
import { joinName, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Freshbooks. */
export interface FreshbooksProfile extends Profile {
  /** TODO. */
  response?:
    | {
      id?: string | null | undefined;
      first_name?: string | null | undefined;
      last_name?: string | null | undefined;
      email?: string | null | undefined;
    }
    | null
    | undefined;
}

/**
 * Signs people in with Freshbooks.
 *
 * - Register: {@link https://www.freshbooks.com/api/authentication | TODO: name of the console}: TODO what to click.
 *   The redirect URI is `https://<your site>/auth/callback/freshbooks`.
 * - Environment: `AUTH_FRESHBOOKS_ID`, `AUTH_FRESHBOOKS_SECRET`.
 * - Scopes: none.
 * - Email: TODO path {"path": "$.response.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { freshbooks } from "@x/auth/providers/freshbooks";
 *
 * const { handler } = createAuth({ providers: [freshbooks()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://www.freshbooks.com/api/authentication | TODO}
 */
export function freshbooks<Id extends string = "freshbooks">(
  options: OAuthOptions<FreshbooksProfile, Id> = {},
): OAuthProvider<FreshbooksProfile, Id> {
  return oauthProvider({
    id: "freshbooks",
    name: "Freshbooks",
    authorization: { url: "https://auth.freshbooks.com/oauth/authorize", params: {} },
    token: "https://api.freshbooks.com/auth/oauth/token",
    userinfo: "https://api.freshbooks.com/auth/api/v1/users/me",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#0075dd", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.response?.id),
      name: joinName(profile.response?.first_name, profile.response?.last_name),
      email: profile.response?.email,
      image: null,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - no scope: `authorization.params.scope` must be "" (empty: none is sent) or the URL is enough; check that no scope is sent
// - token quirk: refresh tokens are single-use and rotate
// - notes: Auth.js uses https://auth.freshbooks.com/service/auth/oauth/authorize; both paths are seen in the wild. redirect URI must be https.
// - optional scopes: ['user:profile:read']
// - pkce: unsupported; docs https://www.freshbooks.com/api/authentication
