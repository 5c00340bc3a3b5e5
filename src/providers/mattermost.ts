/**
 * Sign in with Mattermost.
 *
 * @module
 */
import { belowIssuer } from "../contract/endpoint_url.ts";
import { joinName, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Mattermost. */
export interface MattermostProfile extends Profile {
  /** The name the person signs in with. */
  username?: string | null | undefined;
  /** First name. */
  first_name?: string | null | undefined;
  /** Last name. */
  last_name?: string | null | undefined;
  /** Roles on the server, separated by spaces, such as `system_user`. */
  roles?: string | undefined;
}

/**
 * Signs people in with a Mattermost server.
 *
 * - Register:
 *   {@link https://developers.mattermost.com/integrate/apps/authentication/oauth2/ | applications of your server}: in
 *   the System Console, enable the OAuth 2.0 service provider; then, under "Integrations" in the product menu, add an
 *   OAuth 2.0 application with the callback URL `https://<your site>/auth/callback/mattermost`.
 * - Environment: `AUTH_MATTERMOST_ID`, `AUTH_MATTERMOST_SECRET`, `AUTH_MATTERMOST_ISSUER`.
 * - Scopes: none.
 * - Email: the address of the account, with `email_verified`.
 * - Refresh: a refresh token comes with each sign-in.
 * - Logout: no page for it.
 *
 * The issuer is required: the URL of the server, such as `https://chat.example.com`.
 *
 * `image` is always `null`: pictures at Mattermost need an access token.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { mattermost } from "@x/auth/providers/mattermost";
 *
 * const { handler } = createAuth({ providers: [mattermost({ issuer: "https://chat.example.com" })] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The URL of the server, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.mattermost.com/integrate/apps/authentication/oauth2/ | OAuth 2.0 at Mattermost}
 */
export function mattermost<Id extends string = "mattermost">(
  options: OAuthOptions<MattermostProfile, Id> = {},
): OAuthProvider<MattermostProfile, Id> {
  const { issuer } = options;
  return oauthProvider({
    id: "mattermost",
    name: "Mattermost",
    requiredOptions: ["issuer"],
    authorization: { url: belowIssuer(issuer, "/oauth/authorize"), params: { scope: "" } },
    token: belowIssuer(issuer, "/oauth/access_token"),
    userinfo: belowIssuer(issuer, "/api/v4/users/me"),
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#000", text: "#fff" },
    profile: ({ id, username, first_name, last_name, email }) => ({
      id: textId(id),
      name: username || joinName(first_name, last_name),
      email,
      image: null,
    }),
  }, options);
}
