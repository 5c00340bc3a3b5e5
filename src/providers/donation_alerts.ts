/**
 * Sign in with DonationAlerts.
 *
 * @module
 */
import { textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

const SCOPE = "oauth-user-show";

/** The profile of a person at DonationAlerts. */
export interface DonationAlertsProfile extends Profile {
  /** The account. */
  data?: {
    readonly id?: number | string;
    readonly code?: string | null;
    readonly name?: string | null;
    readonly email?: string | null;
    readonly avatar?: string | null;
    readonly language?: string | null;
  } | undefined;
}

/**
 * Signs people in with DonationAlerts.
 *
 * - Register: {@link https://www.donationalerts.com/application/clients | API applications at DonationAlerts}. Create
 *   an application. The redirect URL is `https://<your site>/auth/callback/donation-alerts`.
 * - Environment: `AUTH_DONATION_ALERTS_ID`, `AUTH_DONATION_ALERTS_SECRET`.
 * - Scopes: `oauth-user-show`.
 * - Email: the address of the account. DonationAlerts does not say whether it is verified.
 * - Refresh: a refresh token comes with each sign-in. Requests for new tokens repeat the scope `oauth-user-show`; if
 *   you ask for more, set `token: { form: { scope } }`, too.
 * - Logout: no page for it.
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
 * @see {@link https://www.donationalerts.com/apidoc | OAuth 2.0 at DonationAlerts}
 */
export function donationAlerts<const Id extends string = "donation-alerts">(
  options: OAuthOptions<DonationAlertsProfile, Id> = {},
): OAuthProvider<DonationAlertsProfile, Id> {
  return oauthProvider({
    id: "donation-alerts",
    name: "DonationAlerts",
    authorization: { url: "https://www.donationalerts.com/oauth/authorize", params: { scope: SCOPE } },
    token: {
      url: "https://www.donationalerts.com/oauth/token",
      form: ({ grantType }) => ({ ...(grantType === "refresh_token" && { scope: SCOPE }) }),
    },
    userinfo: "https://www.donationalerts.com/api/v1/user/oauth",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#fff", text: "#000" },
    profile: ({ data }) => ({
      id: textId(data?.id),
      name: data?.name || data?.code,
      email: data?.email,
      image: data?.avatar,
    }),
  }, options);
}

export default donationAlerts;
