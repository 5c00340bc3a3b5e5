/**
 * Sign in with Todoist.
 *
 * @module
 */
import { conformJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Todoist. */
export interface TodoistProfile extends Profile {
  /** Account id. */
  id?: string | null | undefined;
  /** Full name. */
  full_name?: string | null | undefined;
  /** Language of the person, such as `en`. */
  lang?: string | null | undefined;
  /** URL of a picture of 195 pixels. */
  avatar_big?: string | null | undefined;
  /** URL of a picture of 60 pixels. */
  avatar_medium?: string | null | undefined;
}

/**
 * Signs people in with Todoist.
 *
 * - Register: {@link https://app.todoist.com/app/settings/integrations/app-management | App Management Console}: create
 *   an app. Its OAuth redirect URL is `https://<your site>/auth/callback/todoist`.
 * - Environment: `AUTH_TODOIST_ID`, `AUTH_TODOIST_SECRET`.
 * - Scopes: `data:read`, the smallest one that shows who the person is. It also allows to read all tasks.
 * - Email: an address that nobody vouches for.
 * - Refresh: none; access tokens do not expire.
 * - Logout: no page for it.
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
 * @see {@link https://developer.todoist.com/api/v1/#tag/Authorization/OAuth | OAuth at Todoist}
 */
export function todoist<Id extends string = "todoist">(
  options: OAuthOptions<TodoistProfile, Id> = {},
): OAuthProvider<TodoistProfile, Id> {
  return oauthProvider({
    id: "todoist",
    name: "Todoist",
    authorization: { url: "https://todoist.com/oauth/authorize", params: { scope: "data:read" }, scopeSeparator: "," },
    token: {
      url: "https://todoist.com/oauth/access_token",
      // Todoist has a name of its own for the error.
      conform: conformJson((body) => {
        return body.error === "bad_authorization_code" ? { ...body, error: "invalid_grant" } : body;
      }),
    },
    userinfo: "https://api.todoist.com/api/v1/user",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#E44332", text: "#000" },
    profile: ({ id, full_name, email, avatar_big, avatar_medium }) => ({
      id: textId(id),
      name: full_name,
      email,
      image: avatar_big ?? avatar_medium,
    }),
  }, options);
}
