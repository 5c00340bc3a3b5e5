/**
 * Sign in with Box.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

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
export function box<const Id extends string = "box">(
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
    style: {
      bg: "#0075C9",
      text: "#fff",
      mark:
        "m.96 5.52c-.54 0-.96.42-.96.9v7.55a4.59 4.59 0 0 0 4.61 4.5 4.72 4.72 0 0 0 4.14-2.46c.78 1.44 2.34 2.46 4.07 2.46 2.58 0 4.68-2.04 4.68-4.62.06-2.45-2.04-4.49-4.62-4.49-1.73 0-3.29.96-4.07 2.39-.78-1.43-2.34-2.39-4.14-2.39-1.07 0-2.03.36-2.81.9v-3.84a.92.92 0 0 0-.9-.9zm16.64 3.74a.95.95 0 0 0-.7.16c-.36.3-.48.9-.18 1.32l2.39 3.11-2.39 3.12c-.3.42-.24.96.18 1.26.42.3 1.01.29 1.31-.13l2.04-2.63 2.1 2.7c.3.36.9.41 1.32.12.36-.3.42-.84.12-1.26l-2.34-3.12 2.34-3.05c.3-.42.3-1.02-.12-1.32-.48-.3-1.02-.24-1.32.18l-2.1 2.57-2.04-2.69c-.15-.18-.37-.3-.61-.34zm-12.99 1.89c1.56 0 2.82 1.26 2.82 2.76 0 1.56-1.26 2.76-2.82 2.76-1.56 0-2.81-1.2-2.81-2.76 0-1.5 1.25-2.76 2.81-2.76zm8.27 0c1.56 0 2.82 1.26 2.82 2.76-.06 1.56-1.32 2.76-2.82 2.76-1.56 0-2.81-1.2-2.81-2.76 0-1.5 1.25-2.76 2.81-2.76z",
    },
    profile: ({ id, name, login, avatar_url }) => ({ id: textId(id), name, email: login, image: avatar_url }),
  }, options);
}

export default box;
