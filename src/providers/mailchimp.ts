/**
 * Sign in with Mailchimp.
 *
 * @module
 */
import { conformJson, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Mailchimp. */
export interface MailchimpProfile extends Profile {
  /** The person who signed in. An account may have several. */
  login?:
    | {
      /** Id of the person. */
      readonly login_id?: number | string | null | undefined;
      /** The name the person signs in with. */
      readonly login_name?: string | null | undefined;
      /** Email address. */
      readonly email?: string | null | undefined;
      /** Email address, in another place. */
      readonly login_email?: string | null | undefined;
      /** URL of a picture. */
      readonly avatar?: string | null | undefined;
    }
    | null
    | undefined;
  /** Name of the account, often of a company. */
  accountname?: string | null | undefined;
  /** What the person may do in the account, such as `owner`. */
  role?: string | undefined;
  /** The data centre of the account, such as `us6`. */
  dc?: string | undefined;
  /** Where the API answers for the account. */
  api_endpoint?: string | undefined;
}

/**
 * Signs people in with Mailchimp.
 *
 * - Register: {@link https://admin.mailchimp.com/account/oauth2/ | Registered apps at Mailchimp}: register an app and
 *   enter the redirect URI `https://<your site>/auth/callback/mailchimp`.
 * - Environment: `AUTH_MAILCHIMP_ID`, `AUTH_MAILCHIMP_SECRET`.
 * - Scopes: none.
 * - Email: the address of the person; nobody says whether it is verified.
 * - Refresh: no refresh token: access tokens do not expire.
 * - Logout: no page for it.
 *
 * The name is that of the account, often a company. `profile.api_endpoint` is where the API answers for it.
 *
 * For tests on your machine, register `http://127.0.0.1` with its port: Mailchimp refuses `localhost`.
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
 * @see {@link https://mailchimp.com/developer/marketing/guides/access-user-data-oauth-2/ | OAuth 2.0 at Mailchimp}
 */
export function mailchimp<const Id extends string = "mailchimp">(
  options: OAuthOptions<MailchimpProfile, Id> = {},
): OAuthProvider<MailchimpProfile, Id> {
  return oauthProvider({
    id: "mailchimp",
    name: "Mailchimp",
    authorization: { url: "https://login.mailchimp.com/oauth2/authorize", params: { scope: "" } },
    token: {
      url: "https://login.mailchimp.com/oauth2/token",
      conform: conformJson((body) => ({ ...body, token_type: body.token_type ?? "bearer" })),
    },
    userinfo: {
      url: METADATA,
      request: (context) => readJson<MailchimpProfile>(context, METADATA, { scheme: "OAuth" }),
    },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { bg: "#000", text: "#fff" },
    profile: ({ login, accountname }) => ({
      id: textId(login?.login_id),
      name: accountname || login?.login_name,
      email: login?.email || login?.login_email,
      image: login?.avatar,
    }),
  }, options);
}

const METADATA = "https://login.mailchimp.com/oauth2/metadata";

export default mailchimp;
