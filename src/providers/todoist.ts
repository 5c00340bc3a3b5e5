/**
 * Sign in with Todoist.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Todoist. */
export interface TodoistProfile extends Profile {
  /** TODO. */
  full_name?: string | null | undefined;
  /** TODO. */
  avatar_big?: string | null | undefined;
  /** TODO. */
  avatar_medium?: string | null | undefined;
}

/**
 * Signs people in with Todoist.
 *
 * - Register: {@link https://developer.todoist.com/api/v1/#tag/Authorization/OAuth | TODO: name of the console}: TODO
 *   what to click. The redirect URI is `https://<your site>/auth/callback/todoist`.
 * - Environment: `AUTH_TODOIST_ID`, `AUTH_TODOIST_SECRET`.
 * - Scopes: `data:read`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { todoist } from "@x/auth/providers/todoist";
 *
 * const { handler } = createAuth({ providers: [todoist()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.todoist.com/api/v1/#tag/Authorization/OAuth | TODO}
 */
export function todoist<Id extends string = "todoist">(
  options: OAuthOptions<TodoistProfile, Id> = {},
): OAuthProvider<TodoistProfile, Id> {
  return oauthProvider({
    id: "todoist",
    name: "Todoist",
    authorization: { url: "https://todoist.com/oauth/authorize", params: { scope: "data:read" }, scopeSeparator: "," },
    token: "https://todoist.com/oauth/access_token",
    userinfo: "https://api.todoist.com/api/v1/user",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#E44332", text: "#000" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: profile.full_name,
      email: profile.email,
      image: profile.avatar_big ?? profile.avatar_medium,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - token quirk: tokens do not expire; no expires_in
// - variant: {"when": "sync endpoint", "userinfo_endpoint": "https://api.todoist.com/api/v1/sync", "userinfo_method": "POST", "userinfo_body": {"sync_token": "*", "resource_types": "[\"user\"]"}, "profile_root": "$.user"}
// - variant: {"when": "retired sync v9 (Auth.js)", "userinfo_endpoint": "https://api.todoist.com/sync/v9/sync"}
// - notes: Sync v9 shutdown was announced for 2026-02-10; Auth.js still calls it. OAuth paths unchanged in the vendor SDK for API v1.
// - pkce: undocumented; docs https://developer.todoist.com/api/v1/#tag/Authorization/OAuth
