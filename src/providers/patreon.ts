/**
 * Sign in with Patreon.
 *
 * @module
 */
import { type ProfileContext, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Patreon. */
export interface PatreonProfile extends Profile {
  /** The person, in the form of JSON:API. */
  data?:
    | {
      /** Id of the person. */
      readonly id?: string | null | undefined;
      /** What Patreon was asked for. */
      readonly attributes?:
        | {
          /** Full name. */
          readonly full_name?: string | null | undefined;
          /** Email address. Repeated as `email` of the profile. */
          readonly email?: string | null | undefined;
          /** Whether the address is verified. Repeated as `email_verified`. */
          readonly is_email_verified?: boolean | null | undefined;
          /** URL of a picture. */
          readonly image_url?: string | null | undefined;
        }
        | null
        | undefined;
    }
    | null
    | undefined;
}

/**
 * Signs people in with Patreon.
 *
 * - Register: {@link https://www.patreon.com/portal/registration/register-clients | Clients and API keys at Patreon}:
 *   create a client of version 2 of the API and enter the redirect URI `https://<your site>/auth/callback/patreon`.
 * - Environment: `AUTH_PATREON_ID`, `AUTH_PATREON_SECRET`.
 * - Scopes: `identity`, `identity[email]`.
 * - Email: the address of the account. Patreon has `is_email_verified`; callbacks get it as `email_verified`, too.
 * - Refresh: a refresh token comes with each sign-in; it works once. Access tokens live a month.
 * - Logout: no page for it.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { patreon } from "@x/auth/providers/patreon";
 *
 * const { handler } = createAuth({ providers: [patreon()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://docs.patreon.com/#apiv2-oauth | OAuth 2.0 at Patreon}
 */
export function patreon<const Id extends string = "patreon">(
  options: OAuthOptions<PatreonProfile, Id> = {},
): OAuthProvider<PatreonProfile, Id> {
  return oauthProvider({
    id: "patreon",
    name: "Patreon",
    authorization: { url: "https://www.patreon.com/oauth2/authorize", params: { scope: "identity identity[email]" } },
    token: "https://www.patreon.com/api/oauth2/token",
    userinfo: { url: USERINFO, request: readProfile },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: {
      bg: "#e85b46",
      text: "#000",
      mark:
        "m22.96 7.21c-.01-3.06-2.39-5.58-5.19-6.48-3.48-1.13-8.07-.96-11.39.6-4.02 1.9-5.29 6.06-5.33 10.21-.04 3.41.3 12.4 5.37 12.46 3.76.05 4.32-4.8 6.06-7.14 1.24-1.66 2.84-2.13 4.8-2.62 3.38-.83 5.68-3.5 5.68-7.03z",
    },
    profile: ({ data }) => ({
      id: textId(data?.id),
      name: data?.attributes?.full_name,
      email: data?.attributes?.email,
      image: data?.attributes?.image_url,
    }),
  }, options);
}

// Patreon gives what is listed, and nothing else.
const USERINFO =
  "https://www.patreon.com/api/oauth2/v2/identity?fields%5Buser%5D=email,full_name,image_url,is_email_verified";

async function readProfile(context: ProfileContext): Promise<PatreonProfile> {
  const profile = await readJson<PatreonProfile>(context, USERINFO);
  const { email, is_email_verified } = profile.data?.attributes ?? {};
  return { ...profile, email, email_verified: is_email_verified === true };
}

export default patreon;
