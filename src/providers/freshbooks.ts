/**
 * Sign in with FreshBooks.
 *
 * @module
 */
import { joinName, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** A person at FreshBooks. */
export interface FreshbooksUser {
  /** Account id. */
  readonly id?: number | string | null | undefined;
  /** First name. */
  readonly first_name?: string | null | undefined;
  /** Last name. */
  readonly last_name?: string | null | undefined;
  /** Email address. */
  readonly email?: string | null | undefined;
}

/** The profile of a person at FreshBooks. */
export interface FreshbooksProfile extends Profile {
  /** What was asked for. */
  response?: FreshbooksUser | null | undefined;
}

/**
 * Signs people in with FreshBooks.
 *
 * - Register: {@link https://my.freshbooks.com/#/developer | Developer Portal}: create an app. Its redirect URI is
 *   `https://<your site>/auth/callback/freshbooks`.
 * - Environment: `AUTH_FRESHBOOKS_ID`, `AUTH_FRESHBOOKS_SECRET`.
 * - Scopes: none: the app gets those it is registered with, which should include `user:profile:read`.
 * - Email: an address that nobody vouches for.
 * - Refresh: a refresh token comes with each sign-in. It works once, and its answer has the next one.
 * - Logout: no page for it.
 *
 * The redirect URI must be https, also while you develop.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { freshbooks } from "@x/auth/providers/freshbooks";
 *
 * const { handler } = createAuth({ providers: [freshbooks()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://www.freshbooks.com/api/authentication | Authentication at FreshBooks}
 */
export function freshbooks<const Id extends string = "freshbooks">(
  options: OAuthOptions<FreshbooksProfile, Id> = {},
): OAuthProvider<FreshbooksProfile, Id> {
  return oauthProvider({
    id: "freshbooks",
    name: "FreshBooks",
    authorization: { url: "https://auth.freshbooks.com/oauth/authorize", params: { scope: "" } },
    token: "https://api.freshbooks.com/auth/oauth/token",
    userinfo: "https://api.freshbooks.com/auth/api/v1/users/me",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#0075dd", text: "#fff" },
    profile: ({ response }) => ({
      id: textId(response?.id),
      name: joinName(response?.first_name, response?.last_name),
      email: response?.email,
      image: null,
    }),
  }, options);
}

export default freshbooks;
