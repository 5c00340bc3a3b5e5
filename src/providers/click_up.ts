/**
 * Sign in with ClickUp.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at ClickUp. */
export interface ClickUpProfile extends Profile {
  /** TODO. */
  user?:
    | {
      id?: string | null | undefined;
      username?: string | null | undefined;
      email?: string | null | undefined;
      profilePicture?: string | null | undefined;
    }
    | null
    | undefined;
}

/**
 * Signs people in with ClickUp.
 *
 * - Register: {@link https://developer.clickup.com/docs/authentication | TODO: name of the console}: TODO what to
 *   click. The redirect URI is `https://<your site>/auth/callback/click-up`.
 * - Environment: `AUTH_CLICK_UP_ID`, `AUTH_CLICK_UP_SECRET`.
 * - Scopes: none.
 * - Email: TODO path {"path": "$.user.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { clickUp } from "@x/auth/providers/click-up";
 *
 * const { handler } = createAuth({ providers: [clickUp()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.clickup.com/docs/authentication | TODO}
 */
export function clickUp<Id extends string = "click-up">(
  options: OAuthOptions<ClickUpProfile, Id> = {},
): OAuthProvider<ClickUpProfile, Id> {
  return oauthProvider({
    id: "click-up",
    name: "ClickUp",
    authorization: { url: "https://app.clickup.com/api", params: {} },
    token: "https://api.clickup.com/api/v2/oauth/token",
    userinfo: "https://api.clickup.com/api/v2/user",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#24292f", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.user?.id),
      name: profile.user?.username,
      email: profile.user?.email,
      image: profile.user?.profilePicture,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - no scope: `authorization.params.scope` must be "" (empty: none is sent) or the URL is enough; check that no scope is sent
// - token quirk: access tokens do not expire; no expires_in, no refresh_token
// - notes: No scope concept: the user picks workspaces. response_type is not needed. Auth.js mapping returns profilePicture/color keys and drops email and image although the API returns both.
// - aliases: ['clickup']
// - pkce: unsupported; docs https://developer.clickup.com/docs/authentication
