/**
 * Sign in with Strava.
 *
 * @module
 */
import { conformJson, joinName, textId } from "../contract/provider_answers.ts";
import { type OAuthOptions, type OAuthProvider, oauthProvider } from "../contract/provider.ts";
import type { Profile } from "../kernel/model.ts";
import { isObject } from "../kernel/objects.ts";

export type { OAuthProvider } from "../contract/provider.ts";

/** The profile of a person at Strava. */
export interface StravaProfile extends Profile {
  /** Account id. */
  id?: number | string | null | undefined;
  /** Name of the profile page, if the person has chosen one. */
  username?: string | null | undefined;
  /** First name. */
  firstname?: string | null | undefined;
  /** Last name. */
  lastname?: string | null | undefined;
  /** City. */
  city?: string | null | undefined;
  /** Country. */
  country?: string | null | undefined;
  /** URL of a picture of 124 pixels, or the path of a general one. */
  profile?: string | null | undefined;
  /** URL of a picture of 62 pixels, or the path of a general one. */
  profile_medium?: string | null | undefined;
}

/**
 * Signs people in with Strava.
 *
 * - Register: {@link https://www.strava.com/settings/api | My API Application}: create an application. Strava asks for
 *   the domain only: the authorization callback domain is that of `https://<your site>/auth/callback/strava`.
 * - Environment: `AUTH_STRAVA_ID`, `AUTH_STRAVA_SECRET`.
 * - Scopes: `read`; `activity:read` and others for the API.
 * - Email: none.
 * - Refresh: a refresh token comes with each sign-in; access tokens live six hours.
 * - Logout: no page for it.
 *
 * `localhost` and `127.0.0.1` work without being registered. Until Strava has reviewed your application, only you can
 * sign in. People can untick scopes: which were granted is not in the token response.
 *
 * @example Usage
 * ```ts
 * import { createAuth } from "@x/auth";
 * import { strava } from "@x/auth/providers/strava";
 *
 * const { handler } = createAuth({ providers: [strava()] });
 *
 * Deno.serve(handler);
 * ```
 *
 * @param options What differs from the defaults.
 * @returns The provider.
 * @see {@link https://developers.strava.com/docs/authentication/ | Authentication at Strava}
 */
export function strava<const Id extends string = "strava">(
  options: OAuthOptions<StravaProfile, Id> = {},
): OAuthProvider<StravaProfile, Id> {
  return oauthProvider({
    id: "strava",
    name: "Strava",
    authorization: {
      url: "https://www.strava.com/oauth/authorize",
      params: { scope: "read", approval_prompt: "auto" },
      scopeSeparator: ",",
    },
    token: { url: "https://www.strava.com/api/v3/oauth/token", conform: conformJson(withError) },
    userinfo: "https://www.strava.com/api/v3/athlete",
    checks: ["state"],
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: {
      bg: "#FC4C02",
      text: "#000",
      mark: "m15.39 17.94-2.09-4.11h-3.07l5.16 10.17 5.15-10.17h-3.07m-7.01-5.6 2.84 5.6h4.17l-7.01-13.83-7 13.83h4.17",
    },
    profile: ({ id, firstname, lastname, profile, profile_medium }) => ({
      id: textId(id),
      name: joinName(firstname, lastname),
      email: null,
      image: [profile, profile_medium].find((url) => url?.startsWith("https://")) ?? null,
    }),
  }, options);
}

const OF_THE_CODE: readonly unknown[] = ["AuthorizationCode", "RefreshToken"];

// Errors are lists of what is wrong with which part of the request.
function withError(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const [first] = Array.isArray(body.errors) ? body.errors : [];
  if (!isObject(first)) return body;
  const { resource, field, code } = first;
  return {
    error: OF_THE_CODE.includes(resource) ? "invalid_grant" : "invalid_request",
    error_description: [body.message, resource, field, code].filter(Boolean).join(" "),
  };
}

export default strava;
