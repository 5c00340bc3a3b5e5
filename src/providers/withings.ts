/**
 * Sign in with Withings.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Withings. */
export interface WithingsProfile extends Profile {
  /** TODO. */
  body?:
    | {
      userid?: string | null | undefined;
    }
    | null
    | undefined;
}

/**
 * Signs people in with Withings.
 *
 * - Register: {@link
 *   https://developer.withings.com/developer-guide/v3/integration-guide/public-health-data-api/get-access/oauth-authorization-url
 *   | TODO: name of the console}: TODO what to click. The redirect URI is `https://<your
 *   site>/auth/callback/withings`.
 * - Environment: `AUTH_WITHINGS_ID`, `AUTH_WITHINGS_SECRET`.
 * - Scopes: `user.info`.
 * - Email: TODO path null verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { withings } from "@x/auth/providers/withings";
 *
 * const { handler } = createAuth({ providers: [withings()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developer.withings.com/developer-guide/v3/integration-guide/public-health-data-api/get-access/oauth-authorization-url | TODO}
 */
export function withings<Id extends string = "withings">(
  options: OAuthOptions<WithingsProfile, Id> = {},
): OAuthProvider<WithingsProfile, Id> {
  return oauthProvider({
    id: "withings",
    name: "Withings",
    authorization: {
      url: "https://account.withings.com/oauth2_user/authorize2",
      params: { scope: "user.info" },
      scopeSeparator: ",",
    },
    token: "https://wbsapi.withings.net/v2/oauth2",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    profile: (profile) => ({
      id: textId(profile.body?.userid),
      name: null,
      email: null,
      image: null,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - no brand colours: choose neutral ones
// - token quirk: extra form field action=requesttoken is mandatory
// - token quirk: HTTP 200 for every outcome: status 0 means success
// - token quirk: token set is wrapped in body
// - token quirk: refresh uses the same endpoint with action=requesttoken
// - notes: No profile endpoint suited to sign-in: only the numeric userid from the token response. The authorization code lives 30 s.
// - pkce: unsupported; docs https://developer.withings.com/developer-guide/v3/integration-guide/public-health-data-api/get-access/oauth-authorization-url
