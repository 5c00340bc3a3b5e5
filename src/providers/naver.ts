/**
 * Sign in with Naver.
 *
 * @module
 */
import { conformJson, type ProfileContext, profileError, readJson, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Naver. */
export interface NaverProfile extends Profile {
  /** `00` if the request succeeded. */
  resultcode?: string | undefined;
  /** What Naver says about the result, such as `success`. */
  message?: string | undefined;
  /** The person. Members that are not agreed to are missing. */
  response?:
    | {
      /** Id of the person, for this application only. */
      readonly id?: string | null | undefined;
      /** Nickname. */
      readonly nickname?: string | null | undefined;
      /** Full name. */
      readonly name?: string | null | undefined;
      /** The address that the person wants email at. */
      readonly email?: string | null | undefined;
      /** URL of a picture. */
      readonly profile_image?: string | null | undefined;
      /** `F`, `M` or `U`. */
      readonly gender?: string | null | undefined;
      /** Age group, such as `30-39`. */
      readonly age?: string | null | undefined;
      /** Birthday, `MM-DD`. */
      readonly birthday?: string | null | undefined;
      /** Telephone number. */
      readonly mobile?: string | null | undefined;
    }
    | null
    | undefined;
}

/**
 * Signs people in with Naver.
 *
 * - Register: {@link https://developers.naver.com/apps/#/register | Naver Developers}: register an application with
 *   the API "Naver Login", choose which members of the profile it may read, and enter the callback URL
 *   `https://<your site>/auth/callback/naver` for the web.
 * - Environment: `AUTH_NAVER_ID`, `AUTH_NAVER_SECRET`.
 * - Scopes: none: what people are asked for is set in the application.
 * - Email: the address that the person wants email at. It may be of another service, and nobody says whether it is
 *   verified.
 * - Refresh: a refresh token comes with each sign-in. Access tokens live an hour.
 * - Logout: no page for it.
 *
 * Until Naver has reviewed the application, only people who are listed in it can sign in.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { naver } from "@x/auth/providers/naver";
 *
 * const { handler } = createAuth({ providers: [naver()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.naver.com/docs/login/api/api.md | OAuth 2.0 at Naver}
 */
export function naver<const Id extends string = "naver">(
  options: OAuthOptions<NaverProfile, Id> = {},
): OAuthProvider<NaverProfile, Id> {
  return oauthProvider({
    id: "naver",
    name: "Naver",
    authorization: { url: "https://nid.naver.com/oauth2.0/authorize", params: { scope: "" } },
    token: {
      url: "https://nid.naver.com/oauth2.0/token",
      // Naver wants to see its `state` again.
      form: ({ callback }) => Object.fromEntries([...callback].filter(([name]) => name === "state")),
      // What Naver says of a code that it does not know, or not any more.
      conform: conformJson((body) => {
        return body.error_description === "no valid data in session" ? { ...body, error: "invalid_grant" } : body;
      }),
    },
    userinfo: { url: USERINFO, request: readProfile },
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: {
      bg: "#03C75A",
      text: "#000",
      mark: "M16.273 12.845 7.376 0H0v24h7.726V11.156L16.624 24H24V0h-7.727v12.845Z",
    },
    profile: ({ response }) => ({
      id: textId(response?.id),
      name: response?.nickname || response?.name,
      email: response?.email,
      image: response?.profile_image,
    }),
  }, options);
}

const USERINFO = "https://openapi.naver.com/v1/nid/me";

async function readProfile(context: ProfileContext): Promise<NaverProfile> {
  const profile = await readJson<NaverProfile>(context, USERINFO);
  if (profile.resultcode === "00") return profile;
  throw profileError(context, `answered with the code ${String(profile.resultcode).slice(0, 20)}`);
}

export default naver;
