/**
 * Sign in with Mailchimp.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

/** The profile of a person at Mailchimp. */
export interface MailchimpProfile extends Profile {
  /** TODO. */
  login?:
    | {
      login_id?: string | null | undefined;
      login_name?: string | null | undefined;
      email?: string | null | undefined;
      login_email?: string | null | undefined;
      avatar?: string | null | undefined;
    }
    | null
    | undefined;
  /** TODO. */
  user_id?: string | null | undefined;
  /** TODO. */
  accountname?: string | null | undefined;
}

/**
 * Signs people in with Mailchimp.
 *
 * - Register: {@link https://mailchimp.com/developer/marketing/guides/access-user-data-oauth-2/ | TODO: name of the
 *   console}: TODO what to click. The redirect URI is `https://<your site>/auth/callback/mailchimp`.
 * - Environment: `AUTH_MAILCHIMP_ID`, `AUTH_MAILCHIMP_SECRET`.
 * - Scopes: none.
 * - Email: TODO path {"path": "$.login.email", "fallbacks": ["$.login.login_email"]} verified null
 * - Refresh: TODO.
 * - Logout: TODO.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { mailchimp } from "@x/auth/providers/mailchimp";
 *
 * const { handler } = createAuth({ providers: [mailchimp()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://mailchimp.com/developer/marketing/guides/access-user-data-oauth-2/ | TODO}
 */
export function mailchimp<Id extends string = "mailchimp">(
  options: OAuthOptions<MailchimpProfile, Id> = {},
): OAuthProvider<MailchimpProfile, Id> {
  return oauthProvider({
    id: "mailchimp",
    name: "Mailchimp",
    authorization: { url: "https://login.mailchimp.com/oauth2/authorize", params: {} },
    token: "https://login.mailchimp.com/oauth2/token",
    userinfo: { url: "https://login.mailchimp.com/oauth2/metadata", request: readProfile },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#000", text: "#fff" },
    profile: (profile) => ({
      id: textId(profile.login?.login_id ?? profile.user_id),
      name: profile.accountname ?? profile.login?.login_name,
      email: profile.login?.email ?? profile.login?.login_email,
      image: profile.login?.avatar,
    }),
  }, options);
}

async function readProfile(context: ProfileContext): Promise<MailchimpProfile> {
  const profile = await readJson<MailchimpProfile>(context, "https://login.mailchimp.com/oauth2/metadata");
  return profile;
}

// TODO (remove this list when each is done or does not apply):
// - no scope: `authorization.params.scope` must be "" (empty: none is sent) or the URL is enough; check that no scope is sent
// - token quirk: expires_in is 0 (tokens do not expire)
// - token quirk: scope is null
// - token quirk: token_type may be missing
// - userinfo quirks: {"authorization_scheme": "OAuth"}
// - notes: metadata also returns dc and api_endpoint for later API calls. Bearer works as well as OAuth in current libraries (Auth.js sends Bearer).
// - pkce: unsupported; docs https://mailchimp.com/developer/marketing/guides/access-user-data-oauth-2/
