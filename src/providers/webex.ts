/**
 * Sign in with Webex.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

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
export function webex<Id extends string = "webex">(
  { apiBaseUrl = "https://webexapis.com/v1", ...options }: WebexOptions<Id> = {},
): OAuthProvider<WebexProfile, Id> {
  const base = apiBaseUrl.replace(/\/+$/, "");
  return oauthProvider({
    id: "webex",
    name: "Webex",
    authorization: { url: `${base}/authorize`, params: { scope: "spark:kms spark:people_read" } },
    token: `${base}/access_token`,
    userinfo: `${base}/people/me`,
    checks: ["state", "pkce"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#000000", text: "#fff" },
    profile: ({ id, displayName, nickName, emails, avatar }) => ({
      id: textId(id),
      name: displayName || nickName,
      email: emails?.[0],
      image: avatar,
    }),
  }, options);
}
