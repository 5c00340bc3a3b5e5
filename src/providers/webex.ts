/**
 * Sign in with Webex.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { optionsFor } from "../contract/options_for.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Webex. */
export interface WebexProfile extends Profile {
  /** Account id. */
  id?: string | null | undefined;
  /** Full name. */
  displayName?: string | null | undefined;
  /** Nickname. */
  nickName?: string | null | undefined;
  /** First name. */
  firstName?: string | null | undefined;
  /** Last name. */
  lastName?: string | null | undefined;
  /** Email addresses. */
  emails?: readonly string[] | null | undefined;
  /** URL of a picture. */
  avatar?: string | null | undefined;
  /** Id of the organization. */
  orgId?: string | null | undefined;
}

/** Options of {@linkcode webex}. */
export interface WebexOptions<Id extends string = string> extends OAuthOptions<WebexProfile, Id> {
  /** URL of the API, which is another one for governments (FedRAMP). @default {"https://webexapis.com/v1"} */
  apiBaseUrl?: string | undefined;
}

/**
 * Signs people in with Webex.
 *
 * - Register: {@link https://developer.webex.com/my-apps | My Webex Apps}: create an integration with the scope
 *   `spark:people_read`. Its redirect URI is `https://<your site>/auth/callback/webex`.
 * - Environment: `AUTH_WEBEX_ID`, `AUTH_WEBEX_SECRET`.
 * - Scopes: `spark:kms`, `spark:people_read`.
 * - Email: an address that nobody vouches for.
 * - Refresh: a refresh token comes with each sign-in; access tokens live 14 days.
 * - Logout: no page for it.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { webex } from "@x/auth/providers/webex";
 *
 * const { handler } = createAuth({ providers: [webex()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options The URL of the API, and what differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.webex.com/docs/integrations | Integrations of Webex}
 */
export function webex<const Id extends string = "webex">(
  options: WebexOptions<Id> = {},
): OAuthProvider<WebexProfile, Id> {
  const { apiBaseUrl = "https://webexapis.com/v1", ...overrides } = optionsFor("webex", options);
  const base = apiBaseUrl.replace(/\/+$/, "");
  return oauthProvider({
    id: "webex",
    name: "Webex",
    authorization: { url: `${base}/authorize`, params: { scope: "spark:kms spark:people_read" } },
    token: `${base}/access_token`,
    userinfo: `${base}/people/me`,
    checks: ["state", "pkce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: {
      bg: "#000000",
      text: "#fff",
      mark:
        "m21.8 7.4c.5 1.2 0 2.6-1.1 3.1-2.2.9-3-1.3-3-1.3-.3-.6-.8-1.5-1.4-1.5-.2 0-.5 0-.9.8-.2.5-.4 1.2-.6 1.9l-.1.3c-.4-1.6-.8-3.5-1.5-4.8-.2-.4-.5-.8-.7-1.1a5.1 5.1 0 0 1 1.7-1.3 4.9 4.9 0 0 1 2.1-.5c1.1 0 2.8.3 4.3 2.2.1.2.3.4.4.7.3.4.5.9.7 1.4l.1.1zm-21.8 1c-.1-1.3.8-2.6 2-2.6 1.7-.2 2.3 1.3 2.4 1.8l0 .2c.1.4.3 1.8.5 2.7.1.4.3 1 .4 1.4l0 .1 0 .1c.1.4.2.8.4 1.1.1.6.4 1.1.6 1.7.5.9.9 1.4 1.4 1.4.2 0 .5 0 .9-.9.3-.6.5-1.2.7-1.8.4 1.6.8 3.1 1.5 4.4.2.4.4.8.7 1.2a5.1 5.1 0 0 1-1.7 1.3 4.9 4.9 0 0 1-2.1.5c-1.6 0-3.8-.7-5.4-4a22.4 22.4 0 0 1-1.1-2.8 26.8 26.8 0 0 1-.6-2.7 48.6 48.6 0 0 1-.3-1.1c-.1-.8-.2-1.5-.3-2zm22.1-2.6-.2-.1h-.1c.2.4.4.8.6 1.2l.1.2c.3.7.3 1.6 0 2.4a3.1 3.1 0 0 1-1.5 1.7 2.9 2.9 0 0 1-1.2.3 3.1 3.1 0 0 1-.9-.2c-.3 1.2-.8 2.7-1.2 3.6-.4.8-.9 1.4-1.4 1.4-.2 0-.5 0-.9-.9a10.7 10.7 0 0 1-.7-1.8 38.7 38.7 0 0 1-.4-1.6 12.7 12.7 0 0 1-.1-.6l0 0c-.4-1.8-.9-3.6-1.7-5.1a8.3 8.3 0 0 0-1-1.5 5.1 5.1 0 0 0-1.7-1.3 4.9 4.9 0 0 0-2.1-.5c-1.1 0-2.8.3-4.3 2.2.5.3.9.6 1.2 1 .3.4.5.9.6 1.5 0 .5.2 1.6.4 2.7l0 0c.1.1.1.2.1.3.1-.3.3-.6.4-.9l.1-.3.1-.3c.3-.6.8-1.5 1.4-1.5.2 0 .5 0 .9.8.3.6.5 1.3.7 1.9.1.5.3 1.1.4 1.6 0 .2.1.3.1.5l0 0c.4 1.9.9 3.7 1.7 5.2.1.3.3.6.5.9.1.2.3.4.5.6 1.2 1.5 2.7 1.8 3.8 1.8 1.6 0 3.8-.7 5.4-4 .8-1.7 1.5-4.2 1.7-5.5.3-1.3.5-2.4.6-3.1 0-.3 0-.6-.1-.9 0-.3-.2-.6-.4-.8a2.2 2.2 0 0 0-.6-.6 2.1 2.1 0 0 0-.8-.3z",
    },
    profile: ({ id, displayName, nickName, emails, avatar }) => ({
      id: textId(id),
      name: displayName || nickName,
      email: emails?.[0],
      image: avatar,
    }),
  }, overrides);
}

export default webex;
