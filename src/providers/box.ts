/**
 * Sign in with Box.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Box. */
export interface BoxProfile extends Profile {
  /** Account id. */
  id?: string | null | undefined;
  /** The primary email address. */
  login?: string | null | undefined;
  /** URL of a picture. */
  avatar_url?: string | null | undefined;
  /** Job title. */
  job_title?: string | null | undefined;
  /** Language, such as `en`. */
  language?: string | null | undefined;
  /** Time zone, such as `Europe/London`. */
  timezone?: string | null | undefined;
  /** `active`, `inactive` or what else the account may be. */
  status?: string | undefined;
}

/**
 * Signs people in with Box.
 *
 * - Register: {@link https://app.box.com/developers/console | Developer console of Box}. Create a platform app of the
 *   type Custom App with User Authentication (OAuth 2.0). The redirect URI is `https://<your site>/auth/callback/box`.
 * - Environment: `AUTH_BOX_ID`, `AUTH_BOX_SECRET`.
 * - Scopes: none. Tokens have the scopes of the app.
 * - Email: the address that the person signs in with. Box does not say whether it is verified.
 * - Refresh: a refresh token comes with each sign-in. It is valid once and for 60 days, and gives a new one. Access
 *   tokens live about one hour.
 * - Logout: no page for it.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { box } from "@x/auth/providers/box";
 *
 * const { handler } = createAuth({ providers: [box()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.box.com/guides/authentication/oauth2/ | OAuth 2.0 at Box}
 */
export function box<Id extends string = "box">(
  options: OAuthOptions<BoxProfile, Id> = {},
): OAuthProvider<BoxProfile, Id> {
  return oauthProvider({
    id: "box",
    name: "Box",
    authorization: { url: "https://account.box.com/api/oauth2/authorize", params: { scope: "" } },
    token: "https://api.box.com/oauth2/token",
    userinfo: "https://api.box.com/2.0/users/me",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#0075C9", text: "#fff" },
    profile: ({ id, name, login, avatar_url }) => ({ id: textId(id), name, email: login, image: avatar_url }),
  }, options);
}
