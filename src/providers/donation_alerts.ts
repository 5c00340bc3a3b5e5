/**
 * Sign in with DonationAlerts.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at DonationAlerts. */
export interface DonationAlertsProfile extends Profile {
  /** TODO. */
  data?:
    | {
      id?: string | null | undefined;
      name?: string | null | undefined;
      code?: string | null | undefined;
      email?: string | null | undefined;
      avatar?: string | null | undefined;
    }
    | null
    | undefined;
}

/**
 * Signs people in with DonationAlerts.
 *
 * - Register: {@link https://www.donationalerts.com/apidoc | TODO: name of the console}: TODO what to click. The
 *   redirect URI is `https://<your site>/auth/callback/donation-alerts`.
 * - Environment: `AUTH_DONATION_ALERTS_ID`, `AUTH_DONATION_ALERTS_SECRET`.
 * - Scopes: `oauth-user-show`.
 * - Email: TODO path {"path": "$.data.email", "fallbacks": []} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { donationAlerts } from "@x/auth/providers/donation-alerts";
 *
 * const { handler } = createAuth({ providers: [donationAlerts()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://www.donationalerts.com/apidoc | TODO}
 */
export function donationAlerts<Id extends string = "donation-alerts">(
  options: OAuthOptions<DonationAlertsProfile, Id> = {},
): OAuthProvider<DonationAlertsProfile, Id> {
  return oauthProvider({
    id: "donation-alerts",
    name: "DonationAlerts",
    authorization: { url: "https://www.donationalerts.com/oauth/authorize", params: { scope: "oauth-user-show" } },
    token: "https://www.donationalerts.com/oauth/token",
    userinfo: "https://www.donationalerts.com/api/v1/user/oauth",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    profile: (profile) => ({
      id: textId(profile.data?.id),
      name: profile.data?.name ?? profile.data?.code,
      email: profile.data?.email,
      image: profile.data?.avatar,
    }),
  }, options);
}

// TODO (remove this list when each is done or does not apply):
// - no brand colours: choose neutral ones
// - token quirk: scope is sent again on refresh
// - notes: Arctic sends no state parameter; whether the server echoes it is undocumented: test before relying on it.
// - aliases: ['donationalerts']
// - pkce: unsupported; docs https://www.donationalerts.com/apidoc
