/**
 * Sign in with Todoist.
 *
 * @module
 */
import { conformJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

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
export function todoist<const Id extends string = "todoist">(
  options: OAuthOptions<TodoistProfile, Id> = {},
): OAuthProvider<TodoistProfile, Id> {
  return oauthProvider({
    id: "todoist",
    name: "Todoist",
    authorization: { url: "https://todoist.com/oauth/authorize", params: { scope: "data:read" }, scopeSeparator: "," },
    token: {
      url: "https://todoist.com/oauth/access_token",
      // Todoist has its own name for the error.
      conform: conformJson((body) => {
        return body.error === "bad_authorization_code" ? { ...body, error: "invalid_grant" } : body;
      }),
    },
    userinfo: "https://api.todoist.com/api/v1/user",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: {
      bg: "#E44332",
      text: "#000",
      mark:
        "m21 0h-18c-1.65 0-3 1.35-3 3v3.86s3.85 2.24 4.1 2.38c.31.18.69.18 1 0 .26-.15 8.02-4.61 8.14-4.68.28-.16.58-.1.75-.01.16.1.6.35.84.48.23.14.22.5.01.63l-9.71 5.58c-.35.21-.69.21-1.05.01-.6-.34-3.08-1.79-4.08-2.37v2.02l4.1 2.38c.31.18.69.18 1 0 .26-.14 8.02-4.61 8.14-4.67.28-.16.58-.11.75-.01.16.09.6.35.84.48.23.13.22.5.01.62-.21.12-9.29 5.34-9.71 5.59-.35.2-.69.2-1.05 0-.6-.34-3.08-1.78-4.08-2.36v2.02l4.1 2.38c.31.18.69.17 1 0 .26-.15 8.02-4.61 8.14-4.68.28-.16.58-.11.75-.01.16.1.6.35.84.48.23.13.22.5.01.62l-9.71 5.59c-.35.2-.69.21-1.05 0-.6-.34-3.08-1.78-4.08-2.36v4.03c0 1.65 1.35 3 3 3h18c1.65 0 3-1.35 3-3v-18c0-1.65-1.35-3-3-3z",
    },
    profile: ({ id, full_name, email, avatar_big, avatar_medium }) => ({
      id: textId(id),
      name: full_name,
      email,
      image: avatar_big ?? avatar_medium,
    }),
  }, options);
}

export default todoist;
