/**
 * Sign in with 42 School.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at 42 School. */
export interface School42Profile extends Profile {
  /** TODO. */
  usual_full_name?: string | null | undefined;
  /** TODO. */
  displayname?: string | null | undefined;
  /** TODO. */
  login?: string | null | undefined;
  /** TODO. */
  image?:
    | {
      link?: string | null | undefined;
    }
    | null
    | undefined;
}

/**
 * Signs people in with 42 School.
 *
 * - Register: {@link https://api.intra.42.fr/apidoc/guides/web_application_flow | TODO: name of the console}: TODO
 *   what to click. The redirect URI is `https://<your site>/auth/callback/42-school`.
 * - Environment: `AUTH_42_SCHOOL_ID`, `AUTH_42_SCHOOL_SECRET`.
 * - Scopes: `public`.
 * - Email: TODO path {"path": "$.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { school42 } from "@x/auth/providers/42-school";
 *
 * const { handler } = createAuth({ providers: [school42()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://api.intra.42.fr/apidoc/guides/web_application_flow | TODO}
 */
export function school42<Id extends string = "42-school">(
  options: OAuthOptions<School42Profile, Id> = {},
): OAuthProvider<School42Profile, Id> {
  return oauthProvider({
    id: "42-school",
    name: "42 School",
    authorization: { url: "https://api.intra.42.fr/oauth/authorize", params: { scope: "public" } },
    token: "https://api.intra.42.fr/oauth/token",
    userinfo: "https://api.intra.42.fr/v2/me",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#000000", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.id),
      name: profile.usual_full_name ?? profile.displayname ?? profile.login,
      email: profile.email,
      image: profile.image?.link,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - notes: Doorkeeper-based server; Basic is accepted too. Numeric user id.
// - aliases: ['42']
// - pkce: unknown; docs https://api.intra.42.fr/apidoc/guides/web_application_flow
