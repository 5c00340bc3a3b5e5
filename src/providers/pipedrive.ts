/**
 * Sign in with Pipedrive.
 *
 * @module
 */
import { type ProfileContext, profileError, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Pipedrive. */
export interface PipedriveProfile extends Profile {
  /** Whether the request succeeded. */
  success?: boolean | undefined;
  /** The person. */
  data?:
    | {
      /** Id of the person. */
      readonly id?: number | string | null | undefined;
      /** Full name. */
      readonly name?: string | null | undefined;
      /** Email address. */
      readonly email?: string | null | undefined;
      /** URL of a picture. */
      readonly icon_url?: string | null | undefined;
      /** Whether the person manages the company's account. */
      readonly is_admin?: number | boolean | undefined;
      /** Id of the company. */
      readonly company_id?: number | string | undefined;
      /** Name of the company. */
      readonly company_name?: string | undefined;
      /** The company's part of its URLs at Pipedrive. */
      readonly company_domain?: string | undefined;
    }
    | null
    | undefined;
}

/**
 * Signs people in with Pipedrive.
 *
 * - Register: {@link https://app.pipedrive.com/developer-hub | Developer Hub of Pipedrive}: create an app and enter
 *   the callback URL `https://<your site>/auth/callback/pipedrive`.
 * - Environment: `AUTH_PIPEDRIVE_ID`, `AUTH_PIPEDRIVE_SECRET`.
 * - Scopes: none: they are set in the app.
 * - Email: the address of the account; nobody says whether it is verified.
 * - Refresh: a refresh token comes with each sign-in. Access tokens live an hour.
 * - Logout: no page for it.
 *
 * `api_domain` of the token response, which the `account` function gets, is where the API answers for the company.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { pipedrive } from "@x/auth/providers/pipedrive";
 *
 * const { handler } = createAuth({ providers: [pipedrive()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://pipedrive.readme.io/docs/marketplace-oauth-authorization | OAuth 2.0 at Pipedrive}
 */
export function pipedrive<const Id extends string = "pipedrive">(
  options: OAuthOptions<PipedriveProfile, Id> = {},
): OAuthProvider<PipedriveProfile, Id> {
  return oauthProvider({
    id: "pipedrive",
    name: "Pipedrive",
    authorization: { url: "https://oauth.pipedrive.com/oauth/authorize", params: { scope: "" } },
    token: "https://oauth.pipedrive.com/oauth/token",
    userinfo: { url: USERINFO, request: readProfile },
    checks: ["state"],
    style: { bg: "#24292f", text: "#fff" },
    profile: ({ data }) => ({
      id: textId(data?.id),
      name: data?.name,
      email: data?.email,
      image: data?.icon_url,
    }),
  }, options);
}

const USERINFO = "https://api.pipedrive.com/v1/users/me";

async function readProfile(context: ProfileContext): Promise<PipedriveProfile> {
  const profile = await readJson<PipedriveProfile>(context, USERINFO);
  if (profile.success === false) throw profileError(context, "answered that the request failed");
  return profile;
}

export default pipedrive;
