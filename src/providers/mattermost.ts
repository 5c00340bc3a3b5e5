/**
 * Sign in with Mattermost.
 *
 * @module
 */
import { belowIssuer } from "../contract/endpoint_url.ts";
import { joinName, textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

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
 * - Email: the address of the account, with `email_verified`. It is not a proof: it is also true for every account that
 *   came by the single sign-on of the server. Set `vouches: "yes"` if yours proves every address.
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
export function mattermost<const Id extends string = "mattermost">(
  options: OAuthOptions<MattermostProfile, Id> = {},
): OAuthProvider<MattermostProfile, Id> {
  const { issuer } = optionsFor("mattermost", options);
  return oauthProvider({
    id: "mattermost",
    name: "Mattermost",
    requiredOptions: ["issuer"],
    authorization: { url: belowIssuer(issuer, "/oauth/authorize"), params: { scope: "" } },
    token: belowIssuer(issuer, "/oauth/access_token"),
    userinfo: belowIssuer(issuer, "/api/v4/users/me"),
    checks: ["state"],
    // `CreateOAuthUser` calls every address verified:
    // https://github.com/mattermost/mattermost/blob/master/server/channels/app/user.go
    vouches: "no",
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: {
      bg: "#000",
      text: "#fff",
      mark:
        "m12.08 0c-5.03-.03-9.74 3.13-11.44 8.15-2.13 6.28 1.24 13.09 7.51 15.21 6.28 2.13 13.09-1.24 15.21-7.51 1.73-5.1-.17-10.55-4.31-13.56l.13 2.55c2.06 2.28 2.88 5.51 1.85 8.55-1.53 4.53-6.59 6.91-11.3 5.32-4.71-1.6-7.28-6.56-5.75-11.1 1.04-3.04 3.66-5.12 6.7-5.67l1.64-1.94a4.87 4.87 0 0 0-.24 0zm3.53 1.09a.28.28 0 0 0-.12.03l-.01 0a.33.33 0 0 0-.11.07c-.14.14-.65.83-.65.83l-1.12 1.38-1.3 1.58-2.23 2.78s-1.03 1.28-.8 2.85c.23 1.58 1.4 2.34 2.3 2.65.91.31 2.31.41 3.44-.7 1.14-1.12 1.1-2.75 1.1-2.75l-.09-3.56-.07-2.05-.04-1.78s.01-.86-.02-1.06a.33.33 0 0 0-.04-.1l-.01-.02 0-.01a.28.28 0 0 0-.23-.14z",
    },
    profile: ({ id, username, first_name, last_name, email }) => ({
      id: textId(id),
      name: username || joinName(first_name, last_name),
      email,
      image: null,
    }),
  }, options);
}

export default mattermost;
